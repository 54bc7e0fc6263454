// Kills an oracle with -9 while claims are submitted, judged, disputed and settled: each approval has exactly one credential.
import { createMnemonic } from '@sibyl/identity'
import { openClaimSetup } from './claims-kill/claim-setup.ts'
import { ClaimingCrowd } from './claims-kill/claiming-crowd.ts'
import { judgeSettled } from './claims-kill/half-settled.ts'
import { readClaims, type StoredClaims } from './claims-kill/read-claims.ts'
import { brokenChains, judgeCredentials } from './claims-kill/verify-all.ts'
import { entitySettings } from './entities/call.ts'
import { halfWritten } from './entities/half-written.ts'
import { openSnapshot } from './entities/open-snapshot.ts'
import { readEntities } from './entities/read-entities.ts'
import { reportAll } from './entities/report-all.ts'
import { Restarts } from './entities/restarts.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'

const stepsPerKill = 120
/** Maximum number of additional kills if a run without its defense shows nothing. */
const moreKills = 10
const assets = 20

await runFault({
  name: 'claims-kill',
  count: 6_000,
  quick: 120,
  defences: ['claims-decided-as-one', 'claims-counted-with-them', 'claims-places-on-disk'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const { random } = fault
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const env = entitySettings(database.url, createMnemonic(12).reveal())
    const restarts = new Restarts(fault, 'claims-kill/oracle.ts', env)
    const amiss = {
      halves: new Set<string>(),
      credentials: new Set<string>(),
      quotas: new Set<string>(),
      places: new Set<string>(),
    }
    const readStored = async (): Promise<StoredClaims> => {
      await using snapshot = await openSnapshot(database.url)
      const entities = await readEntities(snapshot)
      const stored = await readClaims(snapshot)
      const judged = judgeSettled(stored, entities)
      for (const line of [...halfWritten(entities), ...judged.halves]) amiss.halves.add(line)
      for (const name of ['credentials', 'quotas', 'places'] as const)
        for (const line of judged[name]) amiss[name].add(line)
      return stored
    }

    let oracle = await restarts.start()
    const setup = await openClaimSetup(oracle.url, assets, Math.ceil(fault.count / 60))
    const crowd = new ClaimingCrowd(random, setup)
    const kills = Math.max(1, Math.round(fault.count / stepsPerKill))
    let kill = 0
    // Without its defence a kill may come when nothing is half done: then others follow.
    const showsNothing = () => !fault.defended && Object.values(amiss).every(({ size }) => size === 0)
    const isWanted = () => kill < kills || crowd.counts.acknowledged < fault.count
    for (; isWanted() || (showsNothing() && kill < kills + moreKills); kill += 1) {
      const killed = oracle
      const many = Math.ceil((fault.count / kills) * (kills === 1 ? 1 : 0.5 + random.next()))
      await crowd.walk(killed.url, many, kill % 2 === 0 ? 'acknowledged' : 'amid', () => killed.child.kill('SIGKILL'))
      await killed.end('SIGKILL')
      await readStored()
      oracle = await restarts.start()
      await crowd.verify(oracle.url)
    }
    await crowd.finish(oracle.url)
    await crowd.verify(oracle.url)

    const broken = await brokenChains(oracle.url, setup.assets)
    const verdicts = await judgeCredentials(oracle.url, crowd.credentials)
    await oracle.end('SIGKILL')
    const stored = await readStored()

    const ids = new Set(stored.claims.map(({ id }) => id))
    const known = crowd.claims.filter(({ id }) => id !== undefined)
    const lost = known.filter(({ id, state }) => !stored.claims.some(row => row.id === id && row.state === state))
    const doubled = ids.size - new Set(known.map(({ id }) => id)).size
    fault.figure('kills', kill)
    fault.atLeast('steps acknowledged', crowd.counts.acknowledged, fault.count)
    fault.figure('steps that a kill interrupted, sent again', crowd.counts.broken)
    fault.figure('claims and credentials looked back at', crowd.counts.lookedBack)
    fault.figure('submissions sent again', crowd.counts.repeated)
    reportAll(fault, 'answers out of place', crowd.said)
    fault.figure('claims', ids.size)
    fault.atMost('acknowledged claims or steps lost', lost.length, 0)
    fault.atMost('claims stored twice', doubled, 0)
    fault.figure('credentials of claims', stored.claims.filter(row => row.credential_id !== null).length)
    fault.figure('separate credentials', crowd.credentials.filter(({ id }) => id !== undefined).length)
    fault.atMost(
      'credentials stored twice',
      stored.credentials.length -
        stored.claims.filter(row => row.credential_id !== null).length -
        crowd.credentials.filter(({ id }) => id !== undefined).length,
      0,
    )
    reportAll(fault, 'approvals without exactly one credential', amiss.credentials)
    reportAll(fault, 'written in part', amiss.halves)
    fault.atLeast('submissions that a quota refused', crowd.counts.refused, 1)
    reportAll(fault, 'quotas exceeded or counted wrong', amiss.quotas)
    reportAll(fault, 'places of status lists used twice', amiss.places)
    reportAll(fault, 'chains that are not whole', broken)
    fault.figure('credentials verified', verdicts.verified)
    reportAll(fault, 'credentials with another verdict than they should have', verdicts.wrong)
    restarts.report()
  },
})

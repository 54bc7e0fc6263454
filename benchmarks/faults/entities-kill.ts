// Kills an oracle with -9 amid writes of entities: nothing acknowledged is lost, nothing is there twice, nothing in part.
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic } from '@sibyl/identity'
import { entitySettings, mustCall } from './entities/call.ts'
import { halfWritten } from './entities/half-written.ts'
import { openSnapshot } from './entities/open-snapshot.ts'
import { readEntities, type StoredEntities } from './entities/read-entities.ts'
import { reportAll } from './entities/report-all.ts'
import { Restarts } from './entities/restarts.ts'
import { ChangeFollower } from './entities-kill/change-follower.ts'
import { compareStored } from './entities-kill/compare-stored.ts'
import { changesOf, judgeFollowed, wantedChanges } from './entities-kill/judge-followed.ts'
import { verifyAll } from './entities-kill/verify-all.ts'
import { openReceiver } from './entities-kill/webhook-receiver.ts'
import { WritingCrowd } from './entities-kill/writing-crowd.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'

const writesPerKill = 200
const followersWaitMs = 120_000

const stoveProtocol = {
  type: 'Protocol',
  properties: {
    ...{ serial: { type: 'string', required: true }, name: 'string', stage: 'string', batch: 'string', fuel: 'string' },
    ...{ model: 'string', power: 'number', burners: 'number', solar: 'boolean', tags: 'array', place: 'object' },
  },
  relationships: { near: 'any' },
}

await runFault({
  name: 'entities-kill',
  count: 10_000,
  quick: 120,
  defences: [
    'entities-told-after-commit',
    'entities-keys-kept-with-them',
    'entities-written-as-one',
    'entities-webhook-position-after',
  ],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const { random } = fault
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    await using receiver = await openReceiver()
    const env = entitySettings(database.url, createMnemonic(12).reveal())
    const restarts = new Restarts(fault, 'entities-kill/oracle.ts', env)
    const halves = new Set<string>()
    const readStored = async (): Promise<StoredEntities> => {
      await using snapshot = await openSnapshot(database.url)
      const stored = await readEntities(snapshot)
      for (const line of halfWritten(stored)) halves.add(line)
      return stored
    }

    let oracle = await restarts.start()
    const { did: protocol } = await mustCall<{ did: string }>(oracle.url, {
      ...{ method: 'POST', path: '/v1/entities', by: 'oracle', json: stoveProtocol },
    })
    await receiver.register(oracle.url, 'Project')
    const follower = new ChangeFollower()
    follower.follow(oracle.url)
    const following = follower.run()
    const crowd = new WritingCrowd(random, protocol)
    const kills = Math.max(1, Math.round(fault.count / writesPerKill))
    let kill = 0
    for (; kill < kills || crowd.counts.acknowledged < fault.count; kill += 1) {
      const killed = oracle
      const many = Math.ceil((fault.count / kills) * (kills === 1 ? 1 : 0.5 + random.next()))
      await crowd.write(killed.url, many, kill % 2 === 0 ? 'acknowledged' : 'amid', () => killed.child.kill('SIGKILL'))
      await killed.end('SIGKILL')
      await readStored()
      oracle = await restarts.start()
      follower.follow(oracle.url)
      await crowd.verify(oracle.url)
    }
    const found = await verifyAll(oracle.url, crowd.entities, random)
    const until = performance.now() + (fault.defended ? followersWaitMs : 3_000)
    const wanted = wantedChanges(crowd.entities)
    const isBehind = () => follower.heard.length < wanted.all || receiver.taken.size < wanted.projects
    while (performance.now() < until && isBehind()) await pause(50)
    follower.stop()
    await following
    await oracle.end('SIGKILL')

    const stored = await readStored()
    const { lost, doubled } = compareStored(crowd.entities, stored, [protocol])
    const followed = judgeFollowed(follower.heard, changesOf(stored))
    const sent = judgeFollowed([...receiver.taken.values()], changesOf(stored, 'Project'))
    const { counts } = crowd
    fault.figure('kills', kill)
    fault.atLeast('writes acknowledged', counts.acknowledged, fault.count)
    fault.figure('writes that a kill interrupted, sent again', counts.broken)
    fault.figure('entities looked back at', counts.lookedBack)
    fault.figure('creations sent again', counts.repeated)
    fault.atMost('acknowledged writes lost, found by their clients', counts.lost, 0)
    fault.atMost('writes done twice, found by their clients', counts.doubled, 0)
    fault.atMost('answers out of place', counts.wrong, 0)
    for (const line of crowd.said.slice(0, 3)) fault.figure('one of these', line)
    fault.figure('entities stored', stored.entities.size)
    reportAll(fault, 'acknowledged and not stored', lost)
    reportAll(fault, 'stored twice', doubled)
    reportAll(fault, 'written in part', halves)
    fault.figure('links of chains verified', found.links)
    reportAll(fault, 'chains that are not whole', found.broken)
    fault.figure('lists and searches', found.lists + found.searches)
    reportAll(fault, 'lists and searches that find others', found.astray)
    fault.figure('changes followed', follower.heard.length)
    reportAll(fault, 'changes not followed, twice or out of order', followed)
    fault.figure('changes sent to a webhook', receiver.taken.size)
    fault.figure('of them sent again', receiver.again)
    reportAll(fault, 'changes not sent, or out of order', sent)
    fault.atMost('changes sent with a wrong signature or another content', receiver.wrong, 0)
    restarts.report()
  },
})

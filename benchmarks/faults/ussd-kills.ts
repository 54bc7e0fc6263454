// Kills an oracle with -9 while a thousand phones are in the middle of their sessions: each continues at its
// acknowledged screen.
import { join } from 'node:path'
import { openFaultDatabase } from './frame/database.ts'
import { type Fault, runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { judgeJournal } from './kill-nine/journal.ts'
import { gatewaySettings } from './ussd/gateway-settings.ts'
import { readAccounts } from './ussd-kills/read-accounts.ts'
import { WalkingCrowd } from './ussd-kills/walking-crowd.ts'

const readyLimitMs = 2_000

/** Number of retries of a slower start: one that is slow because of the oracle is slow each time. */
const startsAgain = 2

const ascending = (one: number, other: number) => one - other

/** On PostgreSQL a killed process counts as alive for a while, and its actions are waited for: too long for a quick run. */
const withNotes = ({ quick, choices }: Fault) => !quick || choices.engine !== 'postgres'

await runFault({
  name: 'ussd-kills',
  count: 20,
  quick: 1,
  defences: ['ussd-sessions-on-disk', 'ussd-writes-run-once'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    const { random, quick } = fault
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const journal = join(database.folder, 'journal.txt')
    const env = gatewaySettings(database.url)
    const notes = withNotes(fault)
    const crowd = new WalkingCrowd({ notes, random, open: quick ? 50 : 1_000, atOnce: quick ? 16 : 64 })
    const startsMs: number[] = []
    const startOnce = async () => {
      const started = performance.now()
      const oracle = await startOracle({
        ...{ file: 'ussd/oracle.ts', args: [journal], env, without: fault.without },
        onReport: reported => 'noted' in reported && crowd.noteIsThere(),
      })
      await crowd.firstAnswer(oracle.url)
      startsMs.push(Math.round(performance.now() - started))
      return oracle
    }
    let slowestRepeatedMs = 0
    const start = async () => {
      let oracle = await startOnce()
      let leastMs = startsMs.at(-1)!
      for (let again = 0; again < startsAgain && leastMs > readyLimitMs && !quick; again += 1) {
        await oracle.end('SIGKILL')
        oracle = await startOnce()
        leastMs = Math.min(leastMs, startsMs.at(-1)!)
      }
      slowestRepeatedMs = Math.max(slowestRepeatedMs, leastMs)
      return oracle
    }

    for (let kill = 0; kill < fault.count; kill += 1) {
      const oracle = await start()
      if (kill > 0) await crowd.verify(oracle.url)
      await crowd.walk(oracle.url, {
        forMs: random.integer(quick ? 400 : 800, quick ? 500 : 2_500),
        endsWith: notes && kill % 2 === 0 ? 'note' : 'acknowledged',
        end: () => oracle.child.kill('SIGKILL'),
      })
      await oracle.end('SIGKILL')
    }
    const last = await start()
    await crowd.verify(last.url)
    await last.end('SIGKILL')

    const accounts = await readAccounts(database.url)
    const effects = judgeJournal(journal, crowd.noted)
    fault.figure('kills', fault.count)
    fault.atLeast('sessions open at each kill, the fewest', crowd.fewestOpen, quick ? 40 : 900)
    fault.atLeast('turns acknowledged', crowd.counts.acknowledged, fault.count * 10)
    fault.figure('turns that a kill interrupted, sent again', crowd.counts.broken)
    fault.figure('sessions looked back at', crowd.counts.lookedBack)
    fault.atMost('acknowledged turns lost', crowd.counts.lost, 0)
    for (const one of crowd.lost.slice(0, 5)) fault.figure('lost', one)
    fault.atMost('turns answered out of place', crowd.counts.wrong, 0)
    for (const one of crowd.wrong.slice(0, 5)) fault.figure('out of place', one)
    fault.figure('accounts made', accounts.made)
    fault.atMost('accounts made twice', accounts.twice, 0)
    fault.atMost('acknowledged accounts lost', crowd.customerIds.filter(id => !accounts.ids.has(id)).length, 0)
    fault.figure('actions run outside', effects.effects)
    fault.atMost('actions run twice', effects.doubled, 0)
    fault.atMost('acknowledged actions that did not run', effects.missing, 0)
    fault.figure(
      'from the start of a process to its first answer, median ms',
      startsMs.toSorted(ascending)[startsMs.length >> 1]!,
    )
    fault.figure('the slowest ms, pauses of a shared machine among it', Math.max(...startsMs))
    if (!quick) fault.atMost('the slowest ms each of three times', slowestRepeatedMs, readyLimitMs)
  },
})

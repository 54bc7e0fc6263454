// Breaks an oracle's way to PostgreSQL at each statement of a turn, or restarts the server; each turn is charged once.
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic } from '@sibyl/identity'
import { breakableWay } from '@sibyl/storage/testing'
import { judgeCharges } from './credits-outages/judge-charges.ts'
import { Talk } from './credits-outages/talk.ts'
import { openSnapshot } from './entities/open-snapshot.ts'
import { reportAll } from './entities/report-all.ts'
import { openFaultDatabase } from './frame/database.ts'
import { type Fault, runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'

/** The time between two restarts of the server, in milliseconds. */
const restartEveryMs = 10_000
const clientsAtOnce = 4

await runFault({
  name: 'credits-outages',
  count: 200,
  quick: 16,
  defences: ['hooks-owed-until-done'],
  choices: { by: ['cuts', 'restarts'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'postgres')
    const way = await breakableWay(database.url)
    const start = () =>
      startOracle({
        file: 'credits-outages/oracle.ts',
        env: {
          DATABASE_URL: way.url,
          ORACLE_MNEMONIC: createMnemonic(12).reveal(),
          CREDITS_DEFAULT_GRANT: '1000000',
        },
        without: fault.without,
      })
    await using oracle = await start()
    const talk = new Talk(oracle)
    const judge = async () => {
      await using snapshot = await openSnapshot(database.url)
      return await judgeCharges(snapshot)
    }
    const settled = async () => {
      for (let attempt = 0; attempt < 300 && (await judge()).open > 0; attempt += 1) await pause(200)
    }

    if (fault.choices.by === 'cuts') {
      await talk.send()
      await settled()
      way.cutStatement(Number.POSITIVE_INFINITY, 'answer')
      await talk.send()
      await settled()
      const { statements } = way
      fault.atLeast('statements of a turn', statements, 10)
      for (const { number, lose } of cutsOf(fault, statements)) {
        way.cutStatement(number, lose)
        await talk.send()
        await settled()
      }
      fault.atLeast('connections cut', way.cuts, Math.floor(fault.count / 2))
    } else {
      const restarts = Math.max(2, Math.ceil(fault.count / 40))
      let over = false
      const clients = Array.from({ length: clientsAtOnce }, async () => {
        while (!over) await talk.send()
      })
      for (let done = 0; done < restarts; done += 1) {
        await pause(restartEveryMs)
        // Every other one in the midst of a charge.
        const charge = done % 2 === 0 ? way.holdNextAnswer('insert into "credits_charges"') : undefined
        await charge?.held
        await database.postgres?.restart()
        charge?.release()
      }
      over = true
      await Promise.all(clients)
      fault.atLeast('restarts of the server', restarts, 2)
    }
    await settled()
    await oracle.end('SIGTERM')
    await way.stop()
    const charges = await judge()
    fault.figure('turns sent', talk.sent)
    fault.atLeast('turns that a client saw the end of', talk.ended, fault.choices.by === 'cuts' ? fault.count : 1)
    fault.figure('turns charged', charges.charges)
    fault.atLeast('charged turns, of those that a client saw the end of', charges.charges, talk.ended)
    fault.atMost('turns that are over and not charged', charges.uncharged, 0)
    fault.atMost('charges of turns that never were', charges.unknown, 0)
    fault.atMost('turns that are not over', charges.open, 0)
    reportAll(fault, 'books that do not balance', charges.amiss)
  },
})

/** Every statement, before it is sent and after its answer, as often and as evenly as the run allows. */
function cutsOf({ count, random }: Fault, statements: number) {
  const all = Array.from({ length: statements * 2 }, (_, index) => ({
    number: Math.floor(index / 2) + 1,
    lose: index % 2 === 0 ? ('statement' as const) : ('answer' as const),
  }))
  const offset = random.integer(0, all.length - 1)
  return Array.from({ length: count }, (_, index) => {
    const place = offset + Math.floor((index * all.length) / Math.min(count, all.length))
    return all[place % all.length]!
  })
}

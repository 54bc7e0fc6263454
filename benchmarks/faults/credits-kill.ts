// Kills an oracle with -9 amid a hundred turns that cost credit: the books balance each time, and each turn is charged once.
// Then one person asks for a priced tool in 50 turns at once, which cost no more than the credit.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { judgeBooks } from './credits-kill/judge-books.ts'
import { openSnapshot } from './entities/open-snapshot.ts'
import { reportAll } from './entities/report-all.ts'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { type OracleProcess, startOracle } from './frame/start-oracle.ts'
import { type SeenTurn, takeTurn } from './frame/take-turn.ts'

/** The most turns at once, and those between two kills. */
const max = 100
const users = 10
const surveysAtOnce = 50
const operatorToken = 'operator-token-of-the-fault-scripts'

await runFault({
  name: 'credits-kill',
  count: 3_000,
  quick: 60,
  defences: ['credits-charged-once', 'credits-held-with-them', 'credits-held-for-calls'],
  choices: { engine: ['sqlite', 'postgres'] },
  async run(fault) {
    await using database = await openFaultDatabase(fault, fault.choices.engine!)
    const prices = join(database.folder, 'prices.json')
    writeFileSync(prices, JSON.stringify({ turn: '1', tools: { survey: '9' } }))
    const env = {
      CREDITS_PRICE_FILE: prices,
      DATABASE_URL: database.url,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      ORACLE_OPERATOR_TOKEN: operatorToken,
      CREDITS_DEFAULT_GRANT: String(Math.ceil((fault.count / users) * 0.8)),
    }
    const start = () => startOracle({ file: 'credits-kill/oracle.ts', env, without: fault.without })
    const keys = Array.from({ length: users }, () => createSigningKey())
    const amiss = new Set<string>()
    const check = async () => {
      await using snapshot = await openSnapshot(database.url)
      const books = await judgeBooks(snapshot)
      for (const line of books.amiss) amiss.add(line)
      return books
    }

    const kills = Math.max(2, Math.round(fault.count / max))
    const atOnce = Math.min(max, Math.ceil(fault.count / kills))
    const aFifth = Math.ceil(atOnce / 5)
    let finished = 0
    let refused = 0
    let sent = 0
    for (let kill = 0; kill < kills; kill += 1) {
      const oracle = await start()
      // Amid the ends of the first turns, or amid the beginnings of the next ones.
      const killAfter =
        kill % 2 === 0 ? fault.random.integer(aFifth, 4 * aFifth) : atOnce + fault.random.integer(2, aFifth)
      const killDelayMs = fault.random.integer(20, 80)
      const ends: SeenTurn[] = []
      const speak = async () => {
        for (let isOver = false; !isOver; ) {
          sent += 1
          const content = { sessionId: `s${sent}`, messageId: `m${sent}`, text: 'How is the harbour?' }
          const end = await takeTurn(oracle.actor(keys[sent % users]!), content)
          ends.push(end)
          if (ends.length === killAfter) setTimeout(() => oracle.child.kill('SIGKILL'), killDelayMs)
          isOver = !end.last
        }
      }
      await Promise.all(Array.from({ length: atOnce }, speak))
      await oracle.end('SIGKILL')
      finished += ends.filter(({ last }) => last?.type === 'finish').length
      refused += ends.filter(({ code }) => code === 'credits_exhausted').length
      await check()
    }
    const last = await start()
    const rich = last.actor()
    const survey = async (index: number) => takeTurn(rich, { sessionId: `s${index}`, messageId: 'm', text: 'survey' })
    const surveys = await Promise.all(Array.from({ length: surveysAtOnce }, (_, index) => survey(index)))
    const errors = surveys.flatMap(({ events }) => events.filter(({ type }) => type === 'tool-output-error'))
    const isPostgres = fault.choices.engine === 'postgres'
    await until(async () => (isPostgres ? (await check()).open === 0 : isCalm(last)))
    await last.end('SIGTERM')
    const books = await check()

    fault.figure('kills', kills)
    fault.figure('priced calls refused for want of credit', errors.length)
    fault.atLeast('turns sent', sent, fault.count)
    fault.atLeast('turns that a client saw the end of', finished, 1)
    fault.figure('turns refused for want of credit', refused)
    fault.figure('turns charged', books.charges)
    fault.atLeast('charged turns, of those that a client saw the end of', books.charges, finished)
    fault.atMost('turns that are over and not charged', books.uncharged, 0)
    fault.atMost('turns that are not over', books.open, 0)
    fault.figure('credits held for turns that vanished before they began', books.held / 1e6)
    reportAll(fault, 'books that do not balance', amiss)
  },
})

/** Waits for something at most half a minute. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 150 && !(await isSo()); attempt += 1) await pause(200)
}

/** Whether nothing is charged for half a second. */
async function isCalm({ url }: OracleProcess): Promise<boolean> {
  const totals = async () => {
    const headers = { authorization: `Bearer ${operatorToken}` }
    return (await fetch(`${url}/credits/accounts?limit=1`, { headers })).text()
  }
  const before = await totals()
  await pause(500)
  return before === (await totals())
}

// All attacks at once from a few sites, by default for ten minutes: others are answered, and the database keeps its total.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createMnemonic } from '@sibyl/identity'
import { personAt } from './flood/attacks.ts'
import { megabytesOf, openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { takeTurn } from './frame/take-turn.ts'
import { watchHealth } from './frame/watch-health.ts'

const limitMs = 50
const chatEveryMs = 1_000

await runFault({
  name: 'flood',
  // Seconds.
  count: 600,
  quick: 30,
  defences: ['answers-checked-on-a-thread', 'stored-bytes-limited'],
  async run(script) {
    // Four networks may fill it, and others then store nothing: it is larger than what comes in that time.
    const totalMb = Math.round(20 * Math.max(1, script.count / 60))
    await using database = await openFaultDatabase(script, 'sqlite')
    const prices = join(database.folder, 'prices.json')
    writeFileSync(prices, JSON.stringify({ turn: '1', tools: { survey: '9' } }))
    await using oracle = await startOracle({
      file: 'flood/oracle.ts',
      without: script.without,
      env: {
        DATABASE_URL: database.url,
        FILES_DIR: join(database.folder, 'files'),
        ORACLE_MNEMONIC: createMnemonic(12).reveal(),
        TRUST_PROXY_ENABLED: 'true',
        CREDITS_PRICE_FILE: prices,
        CREDITS_DEFAULT_GRANT: '1000',
        CONVERSATIONS_TOTAL_MB: String(totalMb),
        RATE_LIMIT_PER_MINUTE: '300',
        RATE_LIMIT_DID_PER_MINUTE: '120',
      },
    })
    const forMs = script.count * 1_000
    const until = performance.now() + forMs
    const attackers = new Worker(new URL('./flood/attackers.ts', import.meta.url), {
      workerData: { oracle: { url: oracle.url, did: oracle.did }, forMs },
    })
    const attacked = once(attackers, 'message')
    const other = personAt(oracle, '203.0.113.7')
    let chats = 0
    let answered = 0
    const { p95, longest } = await watchHealth(oracle, async () => {
      while (performance.now() < until && oracle.alive) {
        chats += 1
        const turn = await takeTurn(other, { sessionId: `s${chats}`, messageId: 'm', text: 'Hello' })
        if (turn.last?.type === 'finish') answered += 1
        await pause(chatEveryMs)
      }
    })
    const [results] = (await attacked) as [Record<string, object>]
    for (const [name, seen] of Object.entries(results)) script.figure(name, JSON.stringify(seen))
    script.figure('health, longest ms', longest)
    script.atMost('health, 95 of 100 within ms', p95, limitMs)
    script.atLeast(`answered turns of another person, of ${chats}`, answered, chats)
    await oracle.end('SIGTERM')
    script.atMost('megabytes of the database', megabytesOf(database.folder), Math.round(totalMb * 1.1))
  },
})

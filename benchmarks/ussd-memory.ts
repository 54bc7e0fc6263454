// Memory after a tenth of a great many USSD sessions, and after all of them: it must not grow. Every second session is
// left to expire.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from './measure/processes.ts'
import { startLoad } from './ussd-sessions/load.ts'
import { ussdSettings } from './ussd-sessions/ussd-settings.ts'

const sessions = Number(process.env.BENCH_SESSIONS ?? 1_000_000)
const limitMegabytes = 10
/** Time limit for the deletion of expired sessions, in seconds: they expire after 10, and are deleted every 15. */
const forgetSeconds = 60

interface Figures {
  readonly heapUsed: number
  readonly rss: number
  readonly rows: number
}

const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const oracle = await startProcess(join(import.meta.dirname, 'ussd-memory/oracle-server.ts'), {
  ...ussdSettings(`file:${join(data, 'bench.db')}`),
  RATE_LIMIT_PER_MINUTE: '0',
  USSD_SESSION_TTL_SECONDS: '10',
})
const load = startLoad()
const check = async () => (await (await fetch(`${oracle.url}/memory`)).json()) as Figures
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

const port = Number(new URL(oracle.url).port)
const delays: Figures[] = []
let served = 0
for (let part = 1; part <= 10; part += 1) {
  const result = await load.run({ port, concurrency: 64, sessions: Math.ceil(sessions / 10), abandons: true })
  served += result.sessions
  const figures = await check()
  delays.push(figures)
  console.log(
    `  ${String(served).padStart(9)} sessions  heap ${megabytes(figures.heapUsed).padStart(6)} MB  resident ${megabytes(figures.rss).padStart(6)} MB` +
      `  ${figures.rows} rows  ${result.requestsPerSecond.toFixed(0)} requests/s`,
  )
}
let { rows } = delays.at(-1)!
for (let seconds = 0; rows > 0 && seconds < forgetSeconds; seconds += 1) {
  await new Promise(resolve => setTimeout(resolve, 1_000))
  rows = (await check()).rows
}
load.stop()
await oracle.stop()
rmSync(data, { recursive: true, force: true })

const heapGrowth = (delays.at(-1)!.heapUsed - delays[0]!.heapUsed) / 1e6
console.log(
  `  heap ${heapGrowth.toFixed(1)} MB, resident ${megabytes(delays.at(-1)!.rss - delays[0]!.rss)} MB more at the end than after a tenth;` +
    ` the aim is at most ${limitMegabytes} MB of heap; ${rows} rows once all had expired`,
)
process.exit(heapGrowth <= limitMegabytes && rows === 0 ? 0 : 1)

// Memory after a tenth of a great many USSD sessions, and after all of them: it must not grow.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createMnemonic } from '@sibyl/identity'

const sessions = Number(process.env.BENCH_SESSIONS ?? 1_000_000)
const everySessions = Math.max(1, Math.floor(sessions / 10))
const limitMegabytes = 10

interface Sample {
  readonly sessions: number
  readonly heapUsed: number
  readonly rss: number
}

const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const started = performance.now()
const child = spawn(
  process.execPath,
  [
    '--expose-gc',
    '--conditions=sibyl-source',
    join(import.meta.dirname, 'ussd-memory/calling-oracle.ts'),
    String(sessions),
    String(everySessions),
  ],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: `file:${join(data, 'bench.db')}`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      USSD_TRUSTED_GATEWAYS: '127.0.0.1',
      USSD_GATEWAY_RATE: '0',
      USSD_SESSION_TTL_SECONDS: '10',
    },
  },
)
const samples: Sample[] = []
let end: { readonly rowsAtEnd: number; readonly rowsLeft: number } | undefined
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
createInterface({ input: child.stdout }).on('line', line => {
  const told = JSON.parse(line)
  if ('rowsLeft' in told) end = told
  else {
    samples.push(told)
    const seconds = ((performance.now() - started) / 1000).toFixed(0)
    console.log(
      `  ${String(told.sessions).padStart(9)} sessions  heap ${megabytes(told.heapUsed).padStart(6)} MB` +
        `  resident ${megabytes(told.rss).padStart(6)} MB  after ${seconds} s`,
    )
  }
})
const [code] = await once(child, 'exit')
rmSync(data, { recursive: true, force: true })
const [first] = samples
const last = samples.at(-1)
if (code !== 0 || first === undefined || last === undefined || end === undefined) {
  throw new Error(`the oracle ended with ${code} before it had served all sessions`)
}
const heapGrowth = (last.heapUsed - first.heapUsed) / 1e6
console.log(
  `  heap ${heapGrowth.toFixed(1)} MB, resident ${megabytes(last.rss - first.rss)} MB` +
    ` more after ${last.sessions} sessions than after ${first.sessions}; the aim is at most ${limitMegabytes} MB of heap`,
)
console.log(`  ${end.rowsAtEnd} sessions in the database at the end, ${end.rowsLeft} once they had expired`)
process.exit(heapGrowth <= limitMegabytes && end.rowsLeft === 0 ? 0 : 1)

// Days of turns with moved times, each followed by the job of the retention: rows, bytes and lists stay flat.
// Run: BENCH_DAYS=365 BENCH_TURNS=200 node --conditions=sibyl-source benchmarks/retention.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOracleApp } from '@sibyl/core'
import { createMnemonic } from '@sibyl/identity'
import { definePlugin } from '@sibyl/plugin'
import { readUsage } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { loopHeld } from './measure/loop-held.ts'
import { median } from './measure/processes.ts'
import { addConversation, type OpenTables, type RowWriter } from './retention/add-conversation.ts'

const days = Number(process.env.BENCH_DAYS ?? 365)
const turnsPerDay = Number(process.env.BENCH_TURNS ?? 200)
const keptDays = Number(process.env.BENCH_KEPT_DAYS ?? 90)
const engines = process.env.BENCH_ENGINES ?? 'sqlite,postgres'
const dayMs = 86_400_000
const turnsOfSession = 5
const key = 'k'.repeat(32)

/** One of 40 people. */
const ownerOf = (number: number): string =>
  `did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RD${1_000 + (number % 40)}`

const measure = async (url: string): Promise<void> => {
  let now = dayMs
  let storage: RowWriter | undefined
  const filler = definePlugin<never, OpenTables>({
    name: 'filler',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Filler', summary: 'Fills the tables.', whenToUse: ['never'] },
    setup(host) {
      storage = host.storage
      return {}
    },
  })
  const oracle = await createOracleApp({
    config: { name: 'Benchmark' },
    plugins: [filler],
    clock: { now: () => now },
    env: {
      DATABASE_URL: url,
      ORACLE_API_KEYS: `reader:${key}:session/read`,
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      RATE_LIMIT_DID_PER_MINUTE: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      RETENTION_CONVERSATIONS_DAYS: String(keptDays),
      LOG_LEVEL: 'error',
    },
  })
  const read = async (path: string) => {
    const response = await oracle.request(path, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { did } = await read('/me')
  const jobMs: number[] = []
  let heldMs = 0
  for (let day = 1; day <= days; day += 1) {
    now = (day + 1) * dayMs
    for (let session = 0; session < turnsPerDay / turnsOfSession; session += 1)
      await addConversation(storage!, {
        owner: session === 0 ? did : ownerOf(session),
        id: `${day}-${session}`,
        turns: turnsOfSession,
        at: day * dayMs,
      })
    const run = await loopHeld(() => oracle.runJob('core/retention'))
    heldMs = Math.max(heldMs, run.heldMs)
    jobMs.push(run.wallMs)
    if (day % keptDays !== 0 && day !== days) continue
    const times: number[] = []
    for (let round = 0; round < 20; round += 1) {
      const at = performance.now()
      await read('/sessions')
      times.push(performance.now() - at)
    }
    const { engine, bytes, tables } = await readUsage({ url, now })
    const rows = tables.find(({ name }) => name === 'core_messages')?.rows
    console.log(
      `${engine} day ${day}: ${rows} messages, ${(bytes / 1e6).toFixed(1)} MB, list of sessions ${median(times).toFixed(1)} ms, ` +
        `job ${Math.round(median(jobMs.slice(-keptDays)))} ms, event loop held ${heldMs.toFixed(1)} ms at most`,
    )
  }
  await oracle.close()
}

if (engines.includes('sqlite')) {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
  await measure(`file:${join(folder, 'year.db')}`)
  rmSync(folder, { recursive: true })
}
// Days pass in a second here, and so must the pauses of its vacuum.
const postgres = engines.includes('postgres') ? await startPostgres(['autovacuum_naptime=1s']) : undefined
if (postgres) {
  await measure(await postgres.createDatabase())
  await postgres.stop()
}

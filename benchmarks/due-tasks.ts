// Tasks that are all due at once, on two oracle processes with one PostgreSQL: the time until each has run and was
// reported, and whether each ran once. The model answers at once, so that only the oracle is measured.
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { openStorage, type Storage, sql } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { unlimited } from './faults/frame/unlimited.ts'
import { startProcess } from './measure/processes.ts'

const count = Number(process.env.BENCH_TASKS ?? 10_000)
/** Time to create them, at a rate that a slow machine keeps. */
const seedSeconds = Number(process.env.BENCH_SEED_SECONDS ?? 15 + count / 100)
const postgres = await startPostgres(['fsync=on', 'synchronous_commit=on'])
if (postgres === undefined) process.exit(0)
const url = await postgres.createDatabase()
const dueAt = Math.ceil(Date.now() / 1_000 + seedSeconds) * 1_000
const env = {
  ...unlimited,
  DATABASE_URL: url,
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  TASKS_MAX_PER_USER: '100',
  PUBLIC_URL: 'http://oracle.test',
  LOG_LEVEL: 'warn',
}
const file = join(import.meta.dirname, 'due-tasks/oracle-server.ts')
const seeded = performance.now()
const one = await startProcess(file, { ...env, SEED_TASKS: String(count), DUE_AT: new Date(dueAt).toISOString() })
const seedMs = performance.now() - seeded
const two = await startProcess(file, env)
const storage = await openStorage({ url })
if (Date.now() > dueAt)
  throw new Error(`Creating took ${(seedMs / 1_000).toFixed(0)} s. Set BENCH_SEED_SECONDS higher.`)

const number = async ({ read }: Storage, of: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`select count(*)::text as count from ${sql.raw(of)}`.execute(read)
  return Number(rows[0]?.count)
}

const cpu = one.cpuMs() + two.cpuMs()
await new Promise(resolve => setTimeout(resolve, Math.max(0, dueAt - Date.now())))
let firstMs: number | undefined
for (;;) {
  const reported = await number(storage, 'tasks_runs where told = 1')
  if (reported > 0) firstMs ??= Date.now() - dueAt
  if (reported >= count) break
  if (Date.now() - dueAt > 1_200_000) throw new Error(`Only ${reported} of ${count} ran within 20 minutes.`)
  await new Promise(resolve => setTimeout(resolve, 100))
}
const seconds = (Date.now() - dueAt) / 1_000
const cpuMs = (one.cpuMs() + two.cpuMs() - cpu) / count
const facts = {
  runs: await number(storage, "tasks_runs where state = 'done'"),
  'tasks that are over': await number(storage, "tasks_tasks where state = 'done'"),
  turns: await number(storage, "core_turns where channel = 'task'"),
  'results reported': await number(storage, "core_messages where turn_id = ''"),
}
const shares = await Promise.all([one, two].map(async ({ stop, memoryMb }) => ({ memory: memoryMb(), stop })))
console.log(`  ${count} tasks created in ${(seedMs / 1_000).toFixed(1)} s, due at once on two processes`)
console.log(
  `  all run and reported after ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(0)} runs/s, the first after ${firstMs} ms, ` +
    `${cpuMs.toFixed(1)} CPU ms a run, ${shares.map(({ memory }) => `${memory.toFixed(0)} MB`).join(' and ')} resident`,
)
for (const [name, found] of Object.entries(facts))
  console.log(`  ${name}: ${found}${found === count ? '' : ` instead of ${count}`}`)
await storage.close()
for (const { stop } of shares) await stop()
await postgres.stop()
process.exit(Object.values(facts).every(found => found === count) ? 0 : 1)

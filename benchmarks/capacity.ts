// What one machine takes: chat turns of one process on SQLite, and of 1, 2 and 4 processes on one PostgreSQL database, with their
// memory, connections and bytes on disk. The clients and the model server share the machine.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage, type Storage, sql } from '@sibyl/storage'
import { startPostgres } from '@sibyl/storage/testing'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 400)
const concurrency = Number(process.env.BENCH_CONCURRENCY ?? 32)
const here = import.meta.dirname
// Commits go to disk, as they do where it counts.
const postgres = await startPostgres(['fsync=on', 'synchronous_commit=on'])
if (postgres === undefined) process.exit(0)
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))

/** Oracle processes on one database, under measurement. */
interface Side {
  readonly name: string
  readonly processes: readonly MeasuredProcess[]
  readonly storage: Storage | undefined
  readonly figures: Record<'turnsPerSecond' | 'cpuMs' | 'firstTextMs' | 'lateTextMs' | 'commits', number[]>
  /** The bytes of its database on disk. */
  bytes(): Promise<number>
}

const side = async (name: string, count: number, databaseUrl: string): Promise<Side> => {
  const env = {
    ...unlimited,
    OPENAI_BASE_URL: fake.url,
    OPENAI_API_KEY: 'none',
    LLM_PROVIDER: 'openai-compatible',
    LLM_MODEL: 'm',
    ORACLE_MNEMONIC: invocations.mnemonic,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: 'http://oracle.test',
    LOG_LEVEL: 'error',
  }
  const processes = await Promise.all(
    Array.from({ length: count }, () => startProcess(join(here, 'chat-turn/oracle-server.ts'), env)),
  )
  const isPostgres = databaseUrl.startsWith('postgres:')
  const storage = isPostgres
    ? await openStorage({ url: `${databaseUrl}&application_name=bench`, poolSize: 1 })
    : undefined
  return {
    name,
    processes,
    storage,
    figures: { turnsPerSecond: [], cpuMs: [], firstTextMs: [], lateTextMs: [], commits: [] },
    bytes: async () => (storage ? databaseBytes(storage) : statSync(databaseUrl.slice('file:'.length)).size),
  }
}

const databaseBytes = async (storage: Storage): Promise<number> => {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database())::text as bytes`.execute(
    storage.read,
  )
  return Number(rows[0]?.bytes)
}

/** The connections of the oracles to the database of a side. */
const connectionsOf = async ({ storage }: Side): Promise<number> => {
  if (storage === undefined) return 0
  const { rows } = await sql<{ count: string }>`
    select count(*)::text as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'bench'`.execute(
    storage.read,
  )
  return Number(rows[0]?.count)
}

/** Commits that wrote something, as the server counts transaction ids. */
const commitsOf = async ({ storage }: Side): Promise<number> => {
  if (storage === undefined) return Number.NaN
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(storage.read)
  return Number(rows[0]?.next)
}

const measure = async (one: Side, isWarmUp: boolean) => {
  const share = Math.floor(turns / one.processes.length)
  const tokens = await Promise.all(one.processes.map(() => invocations.mint(share)))
  const cpu = one.processes.reduce((sum, { cpuMs }) => sum + cpuMs(), 0)
  const commits = await commitsOf(one)
  const started = performance.now()
  const results = await Promise.all(
    one.processes.map(({ url }, index) =>
      runLoad(url, share, Math.floor(concurrency / one.processes.length), turn => tokens[index]![turn]),
    ),
  )
  const seconds = (performance.now() - started) / 1000
  const done = share * one.processes.length
  if (isWarmUp) return
  one.figures.turnsPerSecond.push(done / seconds)
  one.figures.firstTextMs.push(median(results.map(({ firstTextMs }) => firstTextMs)))
  one.figures.lateTextMs.push(Math.max(...results.map(({ lateTextMs }) => lateTextMs)))
  one.figures.cpuMs.push((one.processes.reduce((sum, { cpuMs }) => sum + cpuMs(), 0) - cpu) / done)
  one.figures.commits.push(((await commitsOf(one)) - commits) / done)
}

const sides = [
  await side('SQLite, 1 process', 1, `file:${join(data, 'bench.db')}`),
  await side('PostgreSQL, 1 process', 1, await postgres.createDatabase()),
  await side('PostgreSQL, 2 processes', 2, await postgres.createDatabase()),
  await side('PostgreSQL, 4 processes', 4, await postgres.createDatabase()),
]
const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
  sides[1]!.storage!.read,
)
console.log(
  `node ${process.version}, PostgreSQL ${rows[0]?.version}, ${turns} turns a round, ${concurrency} at a time, medians of ${rounds} interleaved rounds`,
)
const bytesBefore = await Promise.all(sides.map(one => one.bytes()))
for (let round = -1; round < rounds; round += 1) for (const one of sides) await measure(one, round < 0)
const base = median(sides[1]!.figures.turnsPerSecond)
for (const [index, one] of sides.entries()) {
  const { name, figures, processes, storage } = one
  const commits = median(figures.commits)
  const memory = processes.map(({ memoryMb }) => memoryMb())
  const connections = await connectionsOf(one)
  // SQLite writes its log into the file when it closes.
  for (const ended of processes) await ended.stop()
  const bytes =
    ((await one.bytes()) - bytesBefore[index]!) /
    (Math.floor(turns / processes.length) * processes.length * (rounds + 1))
  await storage?.close()
  console.log(
    `  ${name.padEnd(24)} ${median(figures.turnsPerSecond).toFixed(0).padStart(5)} turns/s` +
      ` ${(median(figures.turnsPerSecond) / base).toFixed(2)} of one on PostgreSQL` +
      ` ${median(figures.cpuMs).toFixed(2).padStart(6)} CPU ms a turn` +
      ` ${median(figures.firstTextMs).toFixed(0).padStart(5)} ms to the first text, ${median(figures.lateTextMs).toFixed(0)} p99` +
      ` ${median(memory).toFixed(0).padStart(5)} MB a process` +
      ` ${connections} connections` +
      ` ${(bytes / 1000).toFixed(1)} kB a turn on disk` +
      (Number.isNaN(commits) ? '' : ` ${commits.toFixed(2)} transactions that wrote a turn`),
  )
}
await fake.stop()
await postgres.stop()
rmSync(data, { recursive: true, force: true })

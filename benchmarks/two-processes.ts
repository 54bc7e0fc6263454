// Chat turns on PostgreSQL: two oracle processes beside one, on one database each, and beside one on SQLite.
import { mkdtempSync, rmSync } from 'node:fs'
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
  readonly figures: { turnsPerSecond: number[]; cpuMs: number[]; firstTextMs: number[]; commits: number[] }
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
  return {
    name,
    processes,
    storage: isPostgres ? await openStorage({ url: databaseUrl }) : undefined,
    figures: { turnsPerSecond: [], cpuMs: [], firstTextMs: [], commits: [] },
  }
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
  one.figures.cpuMs.push((one.processes.reduce((sum, { cpuMs }) => sum + cpuMs(), 0) - cpu) / done)
  one.figures.commits.push(((await commitsOf(one)) - commits) / done)
}

const sides = [
  await side('SQLite, one process', 1, `file:${join(data, 'bench.db')}`),
  await side('PostgreSQL, one process', 1, await postgres.createDatabase()),
  await side('PostgreSQL, two processes', 2, await postgres.createDatabase()),
]
const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(
  sides[1]!.storage!.read,
)
console.log(
  `node ${process.version}, PostgreSQL ${rows[0]?.version}, ${turns} turns a round, ${concurrency} at a time, medians of ${rounds} interleaved rounds`,
)
for (let round = -1; round < rounds; round += 1) for (const one of sides) await measure(one, round < 0)
const base = median(sides[1]!.figures.turnsPerSecond)
for (const { name, figures } of sides) {
  const commits = median(figures.commits)
  console.log(
    `  ${name.padEnd(26)} ${median(figures.turnsPerSecond).toFixed(0).padStart(5)} turns/s` +
      ` ${(median(figures.turnsPerSecond) / base).toFixed(2)} of one on PostgreSQL` +
      ` ${median(figures.cpuMs).toFixed(2).padStart(6)} CPU ms a turn` +
      ` ${median(figures.firstTextMs).toFixed(0).padStart(5)} ms to the first text` +
      (Number.isNaN(commits) ? '' : ` ${commits.toFixed(2)} transactions that wrote a turn`),
  )
}
for (const { processes, storage } of sides) {
  await storage?.close()
  for (const one of processes) await one.stop()
}
await fake.stop()
await postgres.stop()
rmSync(data, { recursive: true, force: true })

// Writes and reads a second of @sibyl/storage on SQLite beside bare node:sqlite with synchronous=FULL.
// Run: node --conditions=sibyl-source benchmarks/storage-group-commit.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage, type Storage } from '@sibyl/storage'

const ROUNDS = 5
const ROUND_MS = 400
const ROWS_TO_READ = 1_000
const text = 'x'.repeat(200)

interface Tables {
  entry: { id: string; text: string; at: number }
}

interface Measure {
  readonly perSecond: number
  readonly cpuMicroseconds: number
}

const folder = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const closing: (() => unknown)[] = []
let ids = 0
/** Ids that sort as they come, so that the size of a table does not decide. */
const nextId = (): string => `${++ids}`.padStart(12, '0')

const openBare = (name: string): DatabaseSync => {
  const database = new DatabaseSync(join(folder, name))
  closing.push(() => database.close())
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table entry (id text primary key, text text, at integer)')
  return database
}

const openOurs = async (url: string): Promise<Storage<Tables>> => {
  const storage = await openStorage<Tables>({ url })
  closing.push(() => storage.close())
  await storage.migrate('bench', {
    '001': async (db, column) => {
      await db.schema
        .createTable('entry')
        .addColumn('id', column.text, c => c.primaryKey())
        .addColumn('text', column.text)
        .addColumn('at', column.timestamp)
        .execute()
    },
  })
  return storage
}

const bareWriter = () => {
  const insert = openBare('write-bare.db').prepare('insert into entry (id, text, at) values (?, ?, ?)')
  return async () => insert.run(nextId(), text, Date.now())
}
const ourWriter = async (url: string) => {
  const storage = await openOurs(url)
  return () => storage.write(tx => tx.insertInto('entry').values({ id: nextId(), text, at: Date.now() }).execute())
}
const emptyWriter = async () => {
  const storage = await openOurs('memory:')
  return () => storage.write(async () => {})
}

const bare = openBare('read-bare.db')
const storage = await openOurs(`file:${join(folder, 'read.db')}`)
const insert = bare.prepare('insert into entry (id, text, at) values (?, ?, ?)')
for (let number = 0; number < ROWS_TO_READ; number++) {
  insert.run(`read-${number}`, text, number)
  await storage.write(tx =>
    tx
      .insertInto('entry')
      .values({ id: `read-${number}`, text, at: number })
      .execute(),
  )
}
const anyId = (): string => `read-${Math.floor(Math.random() * ROWS_TO_READ)}`
const select = 'select * from entry where id = ?'
const selectStatement = bare.prepare(select)
const bareRead = async () => void bare.prepare(select).all(anyId())
const bareCachedRead = async () => void selectStatement.all(anyId())
const builtRead = async () =>
  void (await storage.read.selectFrom('entry').selectAll().where('id', '=', anyId()).execute())
const compiled = storage.read.selectFrom('entry').selectAll().where('id', '=', 'any').compile()
const compiledRead = async () => void (await storage.read.executeQuery({ ...compiled, parameters: [anyId()] }))

const contestants: Record<string, { readonly run: () => Promise<unknown>; readonly concurrency: number }> = {
  'bare node:sqlite, a commit each': { run: bareWriter(), concurrency: 1 },
  'storage.write, 1 at once': { run: await ourWriter(`file:${join(folder, 'write-1.db')}`), concurrency: 1 },
  'storage.write, 32 at once': { run: await ourWriter(`file:${join(folder, 'write-32.db')}`), concurrency: 32 },
  'storage.write without a disk, 1 at once': { run: await ourWriter('memory:'), concurrency: 1 },
  'storage.write without a disk, 32 at once': { run: await ourWriter('memory:'), concurrency: 32 },
  'an empty storage.write, 1 at once': { run: await emptyWriter(), concurrency: 1 },
  'an empty storage.write, 32 at once': { run: await emptyWriter(), concurrency: 32 },
  'bare read, prepared each time': { run: bareRead, concurrency: 1 },
  'bare read, statement kept': { run: bareCachedRead, concurrency: 1 },
  'storage.read, query built each time': { run: builtRead, concurrency: 1 },
  'storage.read, query compiled once': { run: compiledRead, concurrency: 1 },
}

const results = new Map<string, Measure[]>(Object.keys(contestants).map(name => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, { run, concurrency }] of Object.entries(contestants)) {
    const measured = await measure(run, concurrency)
    if (round > 0) results.get(name)!.push(measured)
  }
}
for (const close of closing) await close()
rmSync(folder, { recursive: true, force: true })

const writeFloor = rate('bare node:sqlite, a commit each')
const readFloor = rate('bare read, statement kept')
console.log(`node ${process.version}, median of ${ROUNDS} interleaved rounds\n`)
for (const [name, measures] of results) {
  const perSecond = rate(name)
  const cpu = median(measures.map(each => each.cpuMicroseconds))
  const ratio = perSecond / (name.includes('read') ? readFloor : writeFloor)
  console.log(
    `${name.padEnd(42)} ${perSecond.toFixed(0).padStart(8)}/s  ratio ${ratio.toFixed(2).padStart(6)}  ${cpu.toFixed(1).padStart(7)} µs CPU`,
  )
}

async function measure(run: () => Promise<unknown>, concurrency: number): Promise<Measure> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const until = startedAt + ROUND_MS
  let count = 0
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      await run()
      count++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = process.cpuUsage(before)
  return { perSecond: count / seconds, cpuMicroseconds: (cpu.user + cpu.system) / count }
}

function rate(name: string): number {
  return median(results.get(name)!.map(each => each.perSecond))
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!
}

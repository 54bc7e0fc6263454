import type { Kysely, Transaction } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FixedStatement, openStorage, runFixed, type Storage, sql } from '../index.ts'
import { startPostgres, type ThrowawayPostgres } from '../testing/index.ts'

interface Tables {
  readonly items: { readonly id: number; readonly count: number }
}

const countOf: FixedStatement<Tables, { readonly id: number }, { readonly count: number }> = (db, value) =>
  db.selectFrom('items').select('count').where('id', '=', value('id'))

const prepared = async (db: Kysely<Tables>) =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows

let postgres: ThrowawayPostgres | undefined
let storage: Storage<Tables>
let other: Storage<Tables>

beforeAll(async () => {
  postgres = await startPostgres()
  if (postgres === undefined) return
  const url = await postgres.createDatabase()
  storage = await openStorage<Tables>({ url, poolSize: 1 })
  other = await openStorage<Tables>({ url, poolSize: 1 })
  await storage.write(async tx => {
    await sql`create table items (id integer primary key, count integer not null)`.execute(tx)
    await sql`insert into items values (1, 7)`.execute(tx)
  })
})

afterAll(async () => {
  await Promise.all([storage?.close(), other?.close()])
  await postgres?.stop()
})

const inWrite = (work: (tx: Transaction<Tables>) => Promise<unknown>) => storage.write(work)

test('a fixed statement is prepared once a session', async context => {
  if (postgres === undefined) return context.skip()
  for (let run = 0; run < 3; run++) {
    expect(await runFixed(storage.read, countOf, { id: 1 })).toEqual([{ count: 7 }])
    expect(await inWrite(tx => runFixed(tx, countOf, { id: 1 }))).toEqual([{ count: 7 }])
  }
  expect(await prepared(storage.read)).toHaveLength(1)
  expect(await inWrite(prepared)).toHaveLength(1)
})

test('a statement that was prepared before another process changed the schema runs on a new session', async context => {
  if (postgres === undefined) return context.skip()
  await runFixed(storage.read, countOf, { id: 1 })
  await inWrite(tx => runFixed(tx, countOf, { id: 1 }))
  await other.write(tx => sql`alter table items alter column count type bigint`.execute(tx))
  expect(await runFixed(storage.read, countOf, { id: 1 })).toEqual([{ count: 7 }])
  expect(await inWrite(tx => runFixed(tx, countOf, { id: 1 }))).toEqual([{ count: 7 }])
})

test('statements that are sent at once run in their order', async context => {
  if (postgres === undefined) return context.skip()
  const counts = await storage.write(async tx => {
    const add = () => tx.updateTable('items').set({ count: sql`count + 1` }).returning('count').executeTakeFirst()
    return await Promise.all([add(), add(), add()])
  })
  expect(counts.map(row => row?.count)).toEqual([8, 9, 10])
})

test('the first error of statements that are sent at once ends the write', async context => {
  if (postgres === undefined) return context.skip()
  const write = storage.write(tx =>
    Promise.all([
      sql`update items set count = 0`.execute(tx),
      sql`insert into items values (1, 1)`.execute(tx),
      sql`select 1`.execute(tx),
    ]),
  )
  await expect(write).rejects.toMatchObject({ code: 'constraint_violated' })
  expect(await runFixed(storage.read, countOf, { id: 1 })).toEqual([{ count: 10 }])
})

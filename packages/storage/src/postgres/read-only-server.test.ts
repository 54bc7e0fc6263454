import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../index.ts'
import { startPostgres } from '../testing/start-postgres.ts'

interface Tables {
  entry: { id: string }
}

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

const start = async () => {
  const url = await postgres!.createDatabase()
  const storage = await openStorage<Tables>({ url })
  onTestFinished(() => storage.close())
  await storage.migrate('test', {
    '001': (db, column) =>
      db.schema
        .createTable('entry')
        .addColumn('id', column.text, c => c.primaryKey())
        .execute(),
  })
  const put = (id: string) => storage.write(tx => tx.insertInto('entry').values({ id }).execute())
  const ids = async () =>
    (await storage.read.selectFrom('entry').select('id').orderBy('id').execute()).map(({ id }) => id)
  await put('a')
  return { url, storage, put, ids }
}

/** Runs statements on a connection of its own. */
const run = async (url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const readOnly = { code: 'database_unreachable', facts: { problem: 'is read-only, as after a fail-over' } }

test.skipIf(!postgres)('a server that turns read-only is unreachable and unhealthy, and recovers', async () => {
  const { url, storage, put, ids } = await start()
  const set = (value: string) =>
    run(url, `alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()')
  await set('on')
  await expect.poll(() => storage.ping()).toBe(false)
  await expect(put('b')).rejects.toMatchObject(readOnly)
  await run(
    url,
    'set default_transaction_read_only = off',
    'alter system reset default_transaction_read_only',
    'select pg_reload_conf()',
  )
  await expect.poll(() => storage.ping()).toBe(true)
  await put('c')
  expect(await ids()).toEqual(['a', 'c'])
})

test.skipIf(!postgres)('a server that turns into a standby is left for the one that takes writes', async () => {
  const { storage, put, ids } = await start()
  await postgres!.demote()
  await expect.poll(() => put('b').catch(error => error)).toMatchObject(readOnly)
  expect(await storage.ping()).toBe(false)
  await postgres!.promote()
  await expect.poll(() => storage.ping()).toBe(true)
  await expect
    .poll(() =>
      put('c').then(
        () => 'stored',
        () => 'refused',
      ),
    )
    .toBe('stored')
  expect(await ids()).toEqual(['a', 'c'])
})

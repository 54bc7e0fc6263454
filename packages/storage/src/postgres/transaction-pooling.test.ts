import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openStorage, type Storage, type StorageOptions } from '../index.ts'
import { sharePostgres } from '../testing/share-postgres.ts'
import { hasPgbouncer, startPgbouncer, type ThrowawayPgbouncer } from '../testing/start-pgbouncer.ts'

/** How a test waits for what a busy machine may take long to do. */
const PATIENCE = { interval: 5, timeout: 60_000 }

interface Tables {
  entry: { id: string; count: number }
}

const postgres = (await hasPgbouncer()) ? await sharePostgres() : undefined
const opened: Storage[] = []
const poolers: ThrowawayPgbouncer[] = []

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  for (const pooler of poolers.splice(0)) await pooler.stop()
})
afterAll(() => postgres?.stop())

const open = async (options: StorageOptions): Promise<Storage<Tables>> => {
  const storage = await openStorage(options)
  opened.push(storage)
  await storage.migrate('test', {
    '001': async (db, column) => {
      await db.schema.createTable('entry').addColumn('id', column.text).addColumn('count', column.integer).execute()
    },
  })
  return storage.for<Tables>()
}

const pooled = async (settings: readonly string[], query = '') => {
  const directUrl = await postgres!.createDatabase()
  const pooler = await startPgbouncer(directUrl, settings)
  poolers.push(pooler)
  return { url: pooler.urlOf(directUrl) + query, directUrl }
}

const session = sql<Record<string, unknown>>`
  select
    current_setting('jit') as jit,
    current_setting('search_path') as search_path,
    current_setting('statement_timeout') as statement_timeout,
    current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout,
    current_setting('transaction_read_only') as transaction_read_only
`

describe.runIf(postgres !== undefined)('transaction pooling with a direct URL', () => {
  const transactions = ['pool_mode = transaction', 'default_pool_size = 2', 'server_reset_query =']

  test('sets all settings for each transaction, and leaves none in a session', async () => {
    const { url, directUrl } = await pooled(
      ['pool_mode = transaction', 'default_pool_size = 1'],
      `&options=${encodeURIComponent('-c jit=on -c search_path=public,\\ pg_catalog -c statement_timeout=1')}`,
    )
    const storage = await open({ url, directUrl })
    const limits = {
      jit: 'on',
      search_path: 'public, pg_catalog',
      statement_timeout: '11s',
      idle_in_transaction_session_timeout: '11s',
    }
    expect((await session.execute(storage.read)).rows).toEqual([{ ...limits, transaction_read_only: 'on' }])
    const written = await storage.write(tx => session.execute(tx))
    expect(written.rows).toEqual([{ ...limits, transaction_read_only: 'off' }])
    const { default: pg } = await import('pg')
    const other = new pg.Client({ connectionString: url.replace(/&options=.*/, '') })
    await other.connect()
    const { rows } = await other.query(
      "select name from pg_settings where source = 'session' and name not in ('application_name', 'client_encoding')",
    )
    await other.end()
    expect(rows).toEqual([])
  })

  test('rejects changes by reads, and reads again after an error', async () => {
    const storage = await open(await pooled(transactions))
    const change = sql`insert into entry values ('a', 1)`
    await expect(change.execute(storage.read)).rejects.toMatchObject({ code: 'read_only_access' })
    await expect(sql`select 1 / ${0}::int`.execute(storage.read)).rejects.toMatchObject({ code: 'value_refused' })
    expect((await sql`select ${7}::int as n`.execute(storage.read)).rows).toEqual([{ n: 7 }])
    expect(await storage.read.selectFrom('entry').select('id').execute()).toEqual([])
  })

  test('runs 40 conflicting writes of two processes on two server connections', async () => {
    const urls = await pooled(transactions)
    const [one, two] = [await open(urls), await open(urls)]
    await one.write(tx => tx.insertInto('entry').values({ id: 'a', count: 0 }).execute())
    const add = (storage: Storage<Tables>) =>
      storage.write(async tx => {
        const { count } = await tx.selectFrom('entry').select('count').executeTakeFirstOrThrow()
        await tx
          .updateTable('entry')
          .set({ count: count + 1 })
          .execute()
      })
    await Promise.all(Array.from({ length: 40 }, (_, index) => add(index % 2 ? one : two)))
    expect(await two.read.selectFrom('entry').select('count').execute()).toEqual([{ count: 40 }])
    const { rows } = await sql<{ name: string; count: number }>`
      select application_name as name, count(*) from pg_stat_activity
      where datname = current_database() group by 1 order by 1`.execute(one.read)
    expect(rows).toEqual([
      { name: 'sibyl', count: 2 },
      { name: 'sibyl line', count: 2 },
    ])
  })

  test('lets processes call each other, and shows which of them are there', async () => {
    const urls = await pooled(transactions)
    const [one, two] = [await open(urls), await open(urls)]
    const both = [one.processes.ownId, two.processes.ownId]
    expect(await one.processes.connected(both)).toEqual(new Set(both))
    const heard: string[] = []
    one.processes.onCall(text => heard.push(text))
    two.processes.call('hello')
    await vi.waitFor(() => expect(heard).toEqual(['hello']), PATIENCE)
    await two.close()
    await vi.waitFor(
      async () => expect(await one.processes.connected(both)).toEqual(new Set([one.processes.ownId])),
      PATIENCE,
    )
  })

  test('does not respond while the pooler is down', async () => {
    const storage = await open(await pooled(transactions))
    expect(await storage.ping()).toBe(true)
    await poolers.pop()!.stop()
    expect(await storage.ping()).toBe(false)
    await expect(storage.read.selectFrom('entry').selectAll().execute()).rejects.toMatchObject({
      code: 'database_unreachable',
    })
  })

  test('rejects a pooler of statements, a pooled direct URL, another database and SQLite', async () => {
    const statements = await pooled(['pool_mode = statement'])
    await expect(open(statements)).rejects.toMatchObject({
      code: 'pooling_unsupported',
      facts: { found: 'statements' },
    })
    const { url, directUrl } = await pooled(transactions)
    await expect(open({ url, directUrl: url })).rejects.toMatchObject({ code: 'pooling_unsupported' })
    await expect(open({ url, directUrl: await postgres!.createDatabase() })).rejects.toThrow(
      'DATABASE_URL and DATABASE_DIRECT_URL name different databases.',
    )
    await expect(open({ url: 'memory:', directUrl })).rejects.toMatchObject({ code: 'database_url_invalid' })
  })
})

describe.runIf(postgres !== undefined)('the connections of all processes', () => {
  test('are compared with those that the server accepts', async () => {
    const url = await postgres!.createDatabase()
    const warn = vi.fn()
    const logger = { debug: () => {}, info: () => {}, warn, error: () => {} }
    const first = await open({ url })
    const name = sql.id(new URL(url).pathname.slice(1))
    await first.write(tx => sql`alter database ${name} connection limit 21`.execute(tx))
    await open({ url, logger, poolSize: 4 })
    expect(warn).not.toHaveBeenCalled()
    await open({ url, logger })
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'the processes may need more connections than PostgreSQL accepts',
      expect.objectContaining({ processes: 3, connections_of_each: 11, accepted: 21 }),
    )
  })
})

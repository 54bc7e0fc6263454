import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openJobs, openStorage, type Storage } from '../index.ts'
import { hasPgbouncer, startPgbouncer, type ThrowawayPgbouncer } from '../testing/start-pgbouncer.ts'
import { startPostgres } from '../testing/start-postgres.ts'

/** How a test waits for what a busy machine may take long to do. */
const PATIENCE = { interval: 5, timeout: 60_000 }
const crashWriter = fileURLToPath(new URL('../testing/crash-writer.ts', import.meta.url))

interface Tables {
  entry: { id: string; text: string }
}

const postgres = (await hasPgbouncer()) ? await startPostgres() : undefined
const opened: Storage[] = []
const poolers: ThrowawayPgbouncer[] = []

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  for (const pooler of poolers.splice(0)) await pooler.stop()
})
afterAll(() => postgres?.stop())

const open = async (url: string): Promise<Storage<Tables>> => {
  const storage = await openStorage({ url })
  opened.push(storage)
  return storage.for<Tables>()
}

/** A new database, directly and through a new PgBouncer. */
const pooled = async (settings: readonly string[]): Promise<{ readonly direct: string; readonly url: string }> => {
  const direct = await postgres!.createDatabase()
  const pooler = await startPgbouncer(direct, ['default_pool_size = 60', ...settings])
  poolers.push(pooler)
  return { direct, url: pooler.urlOf(direct) }
}

interface Session {
  readonly pid: number
  readonly jit: string
  readonly statement_timeout: string
  readonly idle_in_transaction_session_timeout: string
  readonly default_transaction_read_only: string
}

const session = sql<Session>`
  select
    pg_backend_pid() as pid,
    current_setting('jit') as jit,
    current_setting('statement_timeout') as statement_timeout,
    current_setting('idle_in_transaction_session_timeout') as idle_in_transaction_session_timeout,
    current_setting('default_transaction_read_only') as default_transaction_read_only
`

/** One session of each kind. */
const sessionsOf = async (storage: Storage<Tables>) => {
  const read = await session.execute(storage.read)
  const written = await storage.write(tx => session.execute(tx))
  return { reader: read.rows[0]!, writer: written.rows[0]! }
}

const limits = { jit: 'off', statement_timeout: '11s', idle_in_transaction_session_timeout: '11s' }

describe.runIf(postgres !== undefined)('session pooling', () => {
  const sessionMode = ['pool_mode = session']

  test('works without a line for it in the ini file, also on sessions that others had before', async () => {
    const { url } = await pooled(sessionMode)
    const pids: number[][] = []
    for (let round = 0; round < 2; round++) {
      const storage = await openStorage<Tables>({ url })
      const { reader, writer } = await sessionsOf(storage)
      expect(reader).toMatchObject({ ...limits, default_transaction_read_only: 'on' })
      expect(writer).toMatchObject({ ...limits, default_transaction_read_only: 'off' })
      pids.push([reader.pid, writer.pid])
      await storage.close()
    }
    expect(new Set(pids.flat()).size).toBeLessThan(4)
  })

  test("sets the options of the URL, and the oracle's own limits stay", async () => {
    const { url } = await pooled(sessionMode)
    const options = '-c jit=on --search-path=pg_catalog,\\ public -c statement_timeout=1'
    const storage = await open(`${url}&options=${encodeURIComponent(options)}`)
    const { reader, writer } = await sessionsOf(storage)
    expect([reader, writer]).toMatchObject([
      { ...limits, jit: 'on' },
      { ...limits, jit: 'on' },
    ])
    const { rows } = await sql`show search_path`.execute(storage.read)
    expect(rows).toEqual([{ search_path: 'pg_catalog, public' }])
  })

  test('migrates, writes, reads and runs jobs', async () => {
    const { url } = await pooled(sessionMode)
    const storage = await open(url)
    await storage.migrate('test', {
      '001': async (db, column) => {
        await db.schema.createTable('entry').addColumn('id', column.text).addColumn('text', column.text).execute()
      },
    })
    const put = (id: string) => storage.write(tx => tx.insertInto('entry').values({ id, text: 'x' }).execute())
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(`${index}`)))
    expect(await storage.read.selectFrom('entry').select('id').execute()).toHaveLength(20)
    const jobs = await openJobs({ storage })
    const runs: string[] = []
    jobs.define('work', z.string(), async data => void runs.push(data))
    await jobs.start()
    const { id } = await jobs.enqueue('work', 'once')
    await vi.waitFor(async () => expect(await jobs.get(id)).toMatchObject({ state: 'done' }), PATIENCE)
    expect(runs).toEqual(['once'])
    await jobs.stop()
  })

  test('lets processes call each other, and shows which of them are there', async () => {
    const { url } = await pooled(sessionMode)
    const [one, two] = [await open(url), await open(url)]
    const [first, second] = [one.processes, two.processes]
    const both = [first.ownId, second.ownId]
    expect(await first.connected(both)).toEqual(new Set(both))
    const heard: string[] = []
    first.onCall(text => heard.push(text))
    second.call('hello')
    await vi.waitFor(() => expect(heard).toEqual(['hello']), PATIENCE)
    await two.close()
    await vi.waitFor(async () => expect(await first.connected(both)).toEqual(new Set([first.ownId])), PATIENCE)
  })

  test('a killed process is not there any more', async () => {
    const { url } = await pooled(sessionMode)
    const storage = await open(url)
    const present = async () => {
      const { rows } = await sql<{ key: number }>`
        select distinct objid from pg_locks where locktype = 'advisory' and objsubid = 2 and objid > 0
      `.execute(storage.read)
      return rows.length
    }
    expect(await present()).toBe(1)
    const child = spawn(process.execPath, ['--no-warnings', crashWriter, url, 'x'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const lines = createInterface({ input: child.stdout })
    await once(lines, 'line')
    expect(await present()).toBe(2)
    child.kill('SIGKILL')
    await ended
    await vi.waitFor(async () => expect(await present()).toBe(1), PATIENCE)
  })
})

describe.runIf(postgres !== undefined)('a pooler that does not keep sessions', () => {
  const refusal = {
    code: 'pooling_unsupported',
    message: expect.stringMatching(/^The connection pooler at localhost:6432 .*pool_mode = session/),
  }

  test.each([
    ['transaction', []],
    ['statement', []],
    ['transaction', ['default_pool_size = 1']],
    ['transaction', ['server_reset_query_always = 1']],
    ['transaction', ['server_lifetime = 0']],
  ])('rejects %s pooling %j', async (mode, settings) => {
    const { url } = await pooled([`pool_mode = ${mode}`, ...settings])
    await expect(open(url)).rejects.toMatchObject(refusal)
  })

  test('is rejected if each statement gets another session', async () => {
    const { url } = await pooled(['pool_mode = transaction', 'server_round_robin = 1', 'min_pool_size = 5'])
    await expect(open(url)).rejects.toMatchObject(refusal)
  })

  test('is rejected if sessions are passed on without a reset', { tags: 'long' }, async () => {
    const { url } = await pooled(['pool_mode = session', 'server_reset_query ='])
    await expect(open(url)).rejects.toMatchObject({ ...refusal, facts: { found: 'not reset' } })
  })

  test('is rejected before anything changed in its sessions, which others share', async () => {
    const { direct, url } = await pooled(['pool_mode = transaction', 'default_pool_size = 1'])
    await expect(open(url)).rejects.toMatchObject(refusal)
    const pg = (await import('pg')).default
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    try {
      const { rows } = await other.query(
        "select name from pg_settings where source = 'session' and name not in ('application_name', 'client_encoding')",
      )
      expect(rows).toEqual([])
    } finally {
      await other.end()
    }
    const { rows } = await sql`select * from pg_locks where locktype = 'advisory' and objsubid = 2`.execute(
      (await open(direct)).read,
    )
    // That it is there, and that it uses the database.
    expect(rows).toHaveLength(2)
  })
})

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openJobs, openStorage, type Storage, type StorageOptions } from '../index.ts'
import { type BreakableWay, breakableWay } from '../testing/breakable-way.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { feltTime } from '../testing/felt-time.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const run = promisify(execFile)
/** How a test waits for what a busy machine may take long to do. */
const PATIENCE = { interval: 5, timeout: 60_000 }
const source = fileURLToPath(new URL('..', import.meta.url))

interface Tables {
  entry: { id: string }
}

const opened: Storage[] = []
const servers: Server[] = []

afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  for (const server of servers.splice(0)) server.close()
})

const open = async (url: string, options: Partial<StorageOptions> = {}): Promise<Storage<Tables>> => {
  const storage = await openStorage({ url, ...options })
  opened.push(storage)
  return storage.for<Tables>()
}

const migrated = async (storage: Storage<Tables>): Promise<Storage<Tables>> => {
  await storage.migrate('test', {
    '001': async (db, column) => {
      await db.schema
        .createTable('entry')
        .addColumn('id', column.text, c => c.primaryKey())
        .execute()
    },
  })
  return storage
}

const put = (storage: Storage<Tables>, id: string) =>
  storage.write(tx => tx.insertInto('entry').values({ id }).execute())
const ids = async (storage: Storage<Tables>): Promise<string[]> =>
  (await storage.read.selectFrom('entry').select('id').orderBy('id').execute()).map(row => row.id)

/** A server on a free port that does with each connection what the test says. */
const listen = async (accept: (socket: Socket) => void): Promise<number> => {
  const server = createServer(accept)
  servers.push(server)
  await new Promise<void>(resume => server.listen(0, '127.0.0.1', resume))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('reports an unreachable server, without user and password', async () => {
  const port = await listen(() => {})
  servers.pop()?.close()
  const failure = await open(`postgres://ada:hunter2@127.0.0.1:${port}/db`).catch(error => error)
  expect(failure).toMatchObject({ code: 'database_unreachable', facts: { server: `127.0.0.1:${port}` } })
  expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toContain('hunter2')
  expect(failure.message).not.toContain('ada')
})

test('reports a server that is not PostgreSQL', async () => {
  const port = await listen(socket => socket.end('220 mail ready\r\n'))
  const failure = await open(`postgres://ada:hunter2@127.0.0.1:${port}/db`).catch(error => error)
  expect(failure).toBeInstanceOf(Error)
  expect(`${failure.stack} ${JSON.stringify(failure)}`).not.toContain('hunter2')
})

test('says what to install when pg is missing, and needs it only for PostgreSQL', { tags: 'long' }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-no-pg-'))
  try {
    cpSync(source, join(folder, 'src'), { recursive: true })
    mkdirSync(join(folder, 'node_modules'))
    const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
    for (const name of readdirSync(packages).filter(name => name === 'kysely' || name === 'croner')) {
      symlinkSync(join(packages, name), join(folder, 'node_modules', name))
    }
    const tryOpen = async (url: string) => {
      const { stdout } = await run(process.execPath, ['--no-warnings', join(folder, 'src/testing/try-open.ts'), url])
      return JSON.parse(stdout)
    }
    expect(await tryOpen('postgres://localhost/db')).toEqual({
      code: 'driver_missing',
      message: expect.stringContaining('npm install pg@'),
    })
    expect(await tryOpen('memory:')).toMatchObject({ code: 'opened' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

describe.runIf(postgres !== undefined)('on a server', () => {
  const database = () => postgres!.createDatabase()
  const ways: BreakableWay[] = []

  test('compiles no queries, unless the URL enables it', async () => {
    const url = await database()
    const compiling = async (storage: Storage<Tables>) => {
      const show = sql<{ jit: string }>`show jit`
      const read = await show.execute(storage.read)
      const written = await storage.write(tx => show.execute(tx))
      return [read.rows[0]?.jit, written.rows[0]?.jit]
    }
    expect(await compiling(await open(url))).toEqual(['off', 'off'])
    const wanted = `${url}&options=${encodeURIComponent('-c jit=on')}`
    expect(await compiling(await open(wanted))).toEqual(['on', 'on'])
  })

  afterEach(async () => {
    for (const way of ways.splice(0)) await way.stop()
  })
  const wayTo = async (url: string): Promise<BreakableWay> => {
    const way = await breakableWay(url)
    ways.push(way)
    return way
  }

  test('reports a database and a user that do not exist', async () => {
    const url = new URL(await database())
    url.pathname = '/nowhere'
    await expect(open(url.href)).rejects.toMatchObject({
      code: 'database_unreachable',
      facts: { problem: 'has no such database' },
    })
    url.pathname = '/postgres'
    url.username = 'stranger'
    await expect(open(url.href)).rejects.toMatchObject({ code: 'database_unreachable' })
  })

  test('recovers automatically after the server crashed', async () => {
    const onError = vi.fn()
    const storage = await migrated(await open(await database(), { onError }))
    await Promise.all([put(storage, 'a'), put(storage, 'b'), ids(storage), ids(storage)])
    await postgres!.crash()
    expect(await storage.ping()).toBe(false)
    await expect(put(storage, 'c')).rejects.toMatchObject({ code: 'database_unreachable' })
    await expect(ids(storage)).rejects.toMatchObject({ code: 'database_unreachable' })
    await postgres!.restart()
    expect(await storage.ping()).toBe(true)
    await put(storage, 'd')
    expect(await ids(storage)).toEqual(['a', 'b', 'd'])
    expect(onError).toHaveBeenCalled()
  })

  test('runs jobs again automatically after the server crashed, and records the end of those that ran meanwhile', {
    tags: 'long',
  }, async () => {
    const clock = fakeClock()
    const warn = vi.fn()
    const logger = { debug: () => {}, info: () => {}, warn, error: () => {} }
    const storage = await open(await database())
    const jobs = await openJobs({ storage, clock, logger })
    const go = Promise.withResolvers<void>()
    const runs: unknown[] = []
    jobs.define('work', z.string(), async data => {
      runs.push(data)
      if (data === 'long') await go.promise
    })
    await jobs.start()
    const long = await jobs.enqueue('work', 'long')
    const later = await jobs.enqueue('work', 'later', { runAt: clock.now() + 5_000 })
    await vi.waitFor(() => expect(runs).toEqual(['long']), PATIENCE)
    await postgres!.crash()
    go.resolve()
    await vi.waitFor(async () => {
      await clock.advance(100)
      expect(warn.mock.calls.map(([message]) => message)).toContain('the end of a job could not be recorded')
    }, PATIENCE)
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect(warn.mock.calls.map(([message]) => message)).toContain('durable jobs wait for the database')
    }, PATIENCE)
    await postgres!.restart()
    await vi.waitFor(async () => {
      await clock.advance(1_000)
      expect([await jobs.get(long.id), await jobs.get(later.id)]).toMatchObject([{ state: 'done' }, { state: 'done' }])
    }, PATIENCE)
    expect(runs).toEqual(['long', 'later'])
    await jobs.stop()
  })

  test('rolls back a write whose connection breaks before the commit', async () => {
    const url = await database()
    const storage = await migrated(await open(url))
    const broken = storage.write(async tx => {
      await tx.insertInto('entry').values({ id: 'lost' }).execute()
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
    })
    await expect(broken).rejects.toMatchObject({ code: 'database_unreachable' })
    await put(storage, 'next')
    expect(await ids(storage)).toEqual(['next'])
  })

  const putOnce = (storage: Storage<Tables>) => {
    let runs = 0
    const outcome = storage.write(async tx => {
      await tx
        .insertInto('entry')
        .values({ id: `${++runs}` })
        .execute()
    })
    return { outcome, runs: () => runs }
  }

  test('finds out that a commit was kept whose answer was lost, and tries no second time', async () => {
    const way = await wayTo(await database())
    const storage = await migrated(await open(way.url))
    way.cutNextCommit({ lose: 'answer' })
    const { outcome, runs } = putOnce(storage)
    await outcome
    expect([way.cuts, runs(), await ids(storage)]).toEqual([1, 1, ['1']])
    await put(storage, '2')
    expect(await ids(storage)).toEqual(['1', '2'])
  })

  test('finds out that a commit was not kept that never arrived', async () => {
    const way = await wayTo(await database())
    const storage = await migrated(await open(way.url))
    way.cutNextCommit({ lose: 'commit' })
    await expect(putOnce(storage).outcome).rejects.toMatchObject({ code: 'database_unreachable' })
    expect([way.cuts, await ids(storage)]).toEqual([1, []])
  })

  test('reports an unknown outcome if the server cannot be queried, and does not retry', async () => {
    const way = await wayTo(await database())
    const storage = await migrated(await open(way.url))
    way.cutNextCommit({ lose: 'answer', close: true })
    const { outcome, runs } = putOnce(storage)
    await expect(outcome).rejects.toMatchObject({ code: 'commit_outcome_unknown' })
    way.open()
    expect([way.cuts, runs(), await ids(storage)]).toEqual([1, 1, ['1']])
  })

  test('uses no connection that broke before its settings were set', async () => {
    const way = await wayTo(await database())
    const storage = await migrated(await open(way.url))
    const readOnly = sql<{ setting: string }>`show default_transaction_read_only`
    const busy = [sql`select pg_sleep(0.5)`.execute(storage.read)]
    const { held, release } = way.holdNextAnswer('set_config')
    const broken = readOnly.execute(storage.read)
    broken.catch(() => {})
    await held
    way.close()
    release()
    await expect(broken).rejects.toMatchObject({ code: 'database_unreachable' })
    await Promise.allSettled(busy)
    way.open()
    const rows = await Promise.all(Array.from({ length: 5 }, () => readOnly.execute(storage.read)))
    expect(rows.map(read => read.rows)).toEqual(rows.map(() => [{ default_transaction_read_only: 'on' }]))
  })

  test('takes a job in once although the answer to its commit was lost', async () => {
    const way = await wayTo(await database())
    const jobs = await openJobs({ storage: await open(way.url) })
    const runs: string[] = []
    jobs.define('work', z.string(), async data => void runs.push(data))
    way.cutNextCommit({ lose: 'answer' }, 'sibyl_job')
    const { id } = await jobs.enqueue('work', 'once')
    expect(await jobs.get(id)).toMatchObject({ state: 'waiting' })
    await jobs.start()
    await vi.waitFor(async () => expect(await jobs.get(id)).toMatchObject({ state: 'done' }), PATIENCE)
    expect([way.cuts, runs]).toEqual([1, ['once']])
    await jobs.stop()
  })

  test('a server that hangs: ping and requests time out, and everything works again afterwards', {
    tags: 'long',
  }, async () => {
    const onError = vi.fn()
    const storage = await migrated(await open(await database(), { onError }))
    await Promise.all([put(storage, 'a'), ids(storage)])
    await postgres!.standStill()
    try {
      expect(await storage.ping()).toBe(false)
      const refused = { status: 'rejected', reason: { code: 'database_unreachable' } }
      const requests = [put(storage, 'b'), ...Array.from({ length: 20 }, () => ids(storage))]
      const first = await feltTime(Promise.allSettled(requests))
      for (const outcome of first.result) expect(outcome).toMatchObject(refused)
      const later = await feltTime(ids(storage).catch(error => error))
      expect(later.result).toMatchObject({ code: 'database_unreachable' })
      expect(later.tookMs).toBeLessThan(first.tookMs)
    } finally {
      await postgres!.resume()
    }
    await vi.waitFor(() => put(storage, 'c'), PATIENCE)
    expect(await ids(storage)).toContain('c')
    expect(await storage.ping()).toBe(true)
    expect(onError).toHaveBeenCalled()
  })

  test('shows which processes are there, hears their calls, and finds them again after a break', async () => {
    const url = await database()
    const [one, two] = [await open(url), await open(url)]
    const [first, second] = [one.processes, two.processes]
    const both = [first.ownId, second.ownId]
    expect(await first.connected([...both, crypto.randomUUID()])).toEqual(new Set(both))
    const heard: string[] = []
    first.onCall(text => heard.push(`first ${text}`))
    second.onCall(text => heard.push(`second ${text}`))
    first.call("it's here")
    await vi.waitFor(() => expect(heard).toEqual(["second it's here"]), PATIENCE)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sibyl line'`.execute(
      one.read,
    )
    await vi.waitFor(async () => expect(await first.connected(both)).toEqual(new Set(both)), PATIENCE)
    expect(first.steadyForMs).toBeLessThan(15_000)
    // The lock is there a moment before the line stands, and a call on a line that is down is lost.
    await vi.waitFor(() => {
      second.call('again')
      expect(heard).toContain('first again')
    }, PATIENCE)
    await two.close()
    await vi.waitFor(async () => expect(await first.connected(both)).toEqual(new Set([first.ownId])), PATIENCE)
  })

  test('sends calls after a break, and reports its end', async () => {
    const url = await database()
    const way = await wayTo(url)
    const [{ processes: one }, { processes: other }] = [await open(way.url), await open(url)]
    const heard: string[] = []
    other.onCall(text => heard.push(text))
    const returned = vi.fn()
    one.onReturn(returned)
    way.close()
    await vi.waitFor(() => expect(one.steadyForMs).toBe(0), PATIENCE)
    for (const text of ['first', 'second', 'first']) one.call(text)
    expect(returned).not.toHaveBeenCalled()
    way.open()
    await vi.waitFor(() => expect(heard).toEqual(['first', 'second']), PATIENCE)
    expect(returned).toHaveBeenCalledOnce()
  })

  test('says which rights are missing', async () => {
    const url = new URL(await database())
    const owner = await open(url.href)
    await owner.write(tx => sql`create role guest_${sql.raw(url.pathname.slice(1))} login`.execute(tx))
    url.username = `guest_${url.pathname.slice(1)}`
    const guest = await open(url.href)
    await expect(migrated(guest.for<Tables>())).rejects.toMatchObject({
      code: 'database_rights_missing',
      message: expect.stringContaining('GRANT'),
    })
  })

  test('takes a write up again that met a deadlock', async () => {
    const storage = await migrated(await open(await database()))
    await put(storage, 'a')
    await put(storage, 'b')
    const bothReady = Promise.withResolvers<void>()
    let ready = 0
    let runs = 0
    const lock = (first: string, second: string) =>
      storage.write(async tx => {
        runs++
        await tx.updateTable('entry').set({ id: first }).where('id', '=', first).execute()
        if (++ready === 2) bothReady.resolve()
        await bothReady.promise
        await tx.updateTable('entry').set({ id: second }).where('id', '=', second).execute()
      })
    await Promise.all([lock('a', 'b'), lock('b', 'a')])
    expect(runs).toBeGreaterThan(2)
  })

  test('stops a read that takes too long on the server', async () => {
    const storage = await open(await database())
    await expect(sql`set statement_timeout = 50; select pg_sleep(5)`.execute(storage.read)).rejects.toMatchObject({
      code: 'query_timeout',
    })
  })

  test('keeps the values of a row out of its errors', async () => {
    const storage = await migrated(await open(await database()))
    await put(storage, 'secret')
    const clash = await put(storage, 'secret').catch(error => error)
    expect(clash).toMatchObject({ code: 'constraint_violated' })
    expect(`${clash.stack} ${JSON.stringify(clash)} ${JSON.stringify(clash.cause)}`).not.toContain('secret')
    const number = 'secret'
    const wrong = await storage.write(tx => sql`select ${number}::bigint`.execute(tx)).catch(error => error)
    expect(wrong).toMatchObject({ code: 'value_refused', facts: { sqlState: '22P02' } })
    expect(`${wrong.stack} ${JSON.stringify(wrong)}`).not.toContain('secret')
  })

  test('opens no more connections than the pools allow', async () => {
    const storage = await migrated(await open(await database(), { poolSize: 2 }))
    await Promise.all(Array.from({ length: 40 }, (_, index) => Promise.all([put(storage, `${index}`), ids(storage)])))
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_stat_activity where datname = current_database() and application_name = 'sibyl'
    `.execute(storage.read)
    expect(rows[0]?.count).toBe(4)
  })
})

describe.runIf(postgres !== undefined)('at the start', () => {
  test('waits for a server that is starting up', { tags: 'long' }, async () => {
    const url = await postgres!.createDatabase()
    const socket = `${new URL(url).searchParams.get('host')}/.s.PGSQL.5432`
    const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')
    const refusal = Buffer.alloc(5 + fields.length + 1)
    refusal.write('E')
    refusal.writeInt32BE(refusal.length - 1, 1)
    refusal.write(fields, 5)
    let refused = 0
    const port = await listen(client => {
      client.on('error', () => {})
      if (refused < 3) {
        refused += 1
        client.once('data', () => client.end(refusal))
        return
      }
      const server = connect(socket)
      server.on('error', () => client.destroy())
      client.pipe(server).pipe(client)
    })
    const warn = vi.fn()
    const logger = { debug: () => {}, info: () => {}, warn, error: () => {} }
    const storage = await open(`postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`, { logger })
    expect(await storage.ping()).toBe(true)
    expect(warn.mock.calls.map(([message]) => message)).toEqual(['PostgreSQL does not accept connections yet; waiting'])
    expect(warn.mock.calls[0]?.[1]).toMatchObject({ problem: 'is starting up or shutting down' })
  })

  test('waits for a server without a free connection, and logs it', async () => {
    const small = (await startPostgres(['max_connections=9', 'superuser_reserved_connections=3']))!
    try {
      const url = await small.createDatabase()
      const guest = new URL(url)
      guest.username = 'guest'
      const owner = await openStorage({ url, poolSize: 1 })
      await owner.write(tx => sql`create role guest login`.execute(tx))
      const taken = await openStorage({ url: guest.href, poolSize: 1 })
      const warn = vi.fn()
      const logger = { debug: () => {}, info: () => {}, warn, error: () => {} }
      await expect(openStorage({ url: guest.href, startTimeLimitMs: 300 })).rejects.toMatchObject({
        code: 'database_unreachable',
        facts: { problem: 'already has too many connections' },
      })
      const waiting = openStorage({ url: guest.href, logger, poolSize: 1 })
      await vi.waitFor(() => expect(warn).toHaveBeenCalled(), PATIENCE)
      expect(warn.mock.calls[0]?.[0]).toContain('waiting')
      await Promise.all([taken.close(), owner.close()])
      await (await waiting).close()
    } finally {
      await small.stop()
    }
  })
})

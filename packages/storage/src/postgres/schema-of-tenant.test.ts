import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { openStorage, type Storage, type StorageOptions } from '../index.ts'
import { openSnapshot } from '../open-snapshot.ts'
import { sharePostgres } from '../testing/share-postgres.ts'
import { hasPgbouncer, startPgbouncer, type ThrowawayPgbouncer } from '../testing/start-pgbouncer.ts'

interface Tables {
  entry: { id: string }
}

const postgres = await sharePostgres()
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
      await db.schema.createTable('entry').addColumn('id', column.text).execute()
    },
  })
  return storage.for<Tables>()
}

const ofSchema = (url: string, schema: string): string => {
  const own = new URL(url)
  own.searchParams.set('schema', schema)
  return own.href
}

const put = (storage: Storage<Tables>, id: string) =>
  storage.write(tx => tx.insertInto('entry').values({ id }).execute())
const idsOf = async ({ read }: Pick<Storage<Tables>, 'read'>) =>
  (await read.selectFrom('entry').select('id').execute()).map(({ id }) => id)

describe.runIf(postgres !== undefined)('oracles in schemas of one PostgreSQL', () => {
  test('have tables, calls and backups of their own, beside one without a schema', async () => {
    const url = await postgres!.createDatabase()
    const [north, south, usual] = await Promise.all([
      open({ url: ofSchema(url, 'north') }),
      open({ url: ofSchema(url, 'south') }),
      open({ url }),
    ])
    await Promise.all([put(north, 'n'), put(south, 's'), put(usual, 'u')])
    expect(await Promise.all([north, south, usual].map(idsOf))).toEqual([['n'], ['s'], ['u']])
    const snapshot = await openSnapshot(ofSchema(url, 'south'))
    expect(await idsOf(snapshot as unknown as Storage<Tables>)).toEqual(['s'])
    await snapshot.close()

    const second = await open({ url: ofSchema(url, 'north') })
    expect(await idsOf(second)).toEqual(['n'])
    const heard: string[] = []
    for (const [name, one] of Object.entries({ second, south, usual })) {
      one.processes.onCall(text => heard.push(`${name} ${text}`))
    }
    usual.processes.call('of all')
    south.processes.call('of the south')
    north.processes.call('of the north')
    await vi.waitFor(() => expect(heard).toContain('second of the north'), { interval: 5, timeout: 60_000 })
    expect(heard).toEqual(['second of the north'])
  })

  test('are moved while others run, and not while their own processes run', async () => {
    const url = await postgres!.createDatabase()
    const south = await open({ url: ofSchema(url, 'south') })
    await open({ url })
    const alone = await open({ url: ofSchema(url, 'north'), alone: true })
    await expect(open({ url: ofSchema(url, 'south'), alone: true })).rejects.toMatchObject({ code: 'move_refused' })
    await expect(open({ url: ofSchema(url, 'north') })).rejects.toMatchObject({ code: 'move_unfinished' })
    await put(alone, 'n')
    expect(await idsOf(south)).toEqual([])
  })

  test('create a schema once when several processes start at the same time', async () => {
    const url = ofSchema(await postgres!.createDatabase(), 'north')
    const all = await Promise.all(Array.from({ length: 6 }, () => open({ url, poolSize: 1 })))
    await put(all[0]!, 'n')
    expect(await idsOf(all[5]!)).toEqual(['n'])
  })

  test('cannot read each other as users without rights there', async () => {
    const url = await postgres!.createDatabase()
    const admin = await open({ url })
    const users = ['north', 'south'].map(name => `${name}_${new URL(url).pathname.slice(1)}`)
    for (const user of users) {
      await admin.write(async tx => {
        await sql`create role ${sql.id(user)} login`.execute(tx)
        await sql`create schema ${sql.id(user.split('_')[0]!)} authorization ${sql.id(user)}`.execute(tx)
      })
    }
    const as = (user: string, schema: string): string => {
      const own = new URL(ofSchema(url, schema))
      own.username = user
      return own.href
    }
    const north = await open({ url: as(users[0]!, 'north') })
    const south = await open({ url: as(users[1]!, 'south') })
    await put(south, 's')
    await expect(sql`select id from south.entry`.execute(north.read)).rejects.toMatchObject({
      code: 'database_rights_missing',
    })
    await expect(open({ url: as(users[0]!, 'south') })).rejects.toMatchObject({ code: 'database_rights_missing' })
    await expect(open({ url: as(users[0]!, 'west') })).rejects.toMatchObject({
      code: 'database_rights_missing',
      message: expect.stringContaining('GRANT'),
    })
  })

  test.each(['', 'North', 'a-b', 'pg_north', '1st', `a${'b'.repeat(50)}`, 'a"b', 'a;b'])(
    'are not called %j',
    async schema => {
      const url = ofSchema('postgres://user:secret@127.0.0.1:1/sibyl', schema)
      const error = await open({ url }).catch(problem => problem)
      expect(error).toMatchObject({ code: 'database_url_invalid' })
      expect(error.message).not.toContain('secret')
    },
  )
})

describe.runIf(postgres !== undefined && (await hasPgbouncer()))('a pooler of transactions', () => {
  test('gives each transaction the schema of its oracle', async () => {
    const directUrl = await postgres!.createDatabase()
    const pooler = await startPgbouncer(directUrl, ['pool_mode = transaction', 'default_pool_size = 1'])
    poolers.push(pooler)
    const url = pooler.urlOf(directUrl)
    const [north, south] = [
      await open({ url: ofSchema(url, 'north'), directUrl }),
      await open({ url: ofSchema(url, 'south'), directUrl }),
    ]
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(index % 2 ? north : south, String(index % 2))))
    expect([new Set(await idsOf(north)), new Set(await idsOf(south))]).toEqual([new Set(['1']), new Set(['0'])])
  })
})

import { copyFileSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { sql } from '../sql/kysely.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'
import { openRestoreWatch } from './open-restore-watch.ts'

const clock = { now: () => 5_000 }

await onEachEngine('the restore watch', ({ name, emptyDatabase, open }) => {
  const start = async (url: string) => {
    const storage = await open<{ notes: { text: string } }>({ url })
    const restored: string[] = []
    const watch = await openRestoreWatch({
      storage,
      clock,
      onRestored: async tx => {
        restored.push((await sql<{ one: string }>`select 'deleted' as one`.execute(tx)).rows[0]!.one)
      },
    })
    await storage.migrate('notes', {
      '001_notes': async (db, column) => {
        await db.schema.createTable('notes').addColumn('text', column.text).execute()
      },
    })
    const found = await watch.check()
    const note = () => storage.write(tx => tx.insertInto('notes').values({ text: 'x' }).execute())
    return { storage, watch, found, restored, note }
  }

  test('a database that is only closed and opened, or crashes, was not restored', async () => {
    const url = await emptyDatabase()
    for (let round = 0; round < 3; round += 1) {
      const { storage, watch, found, note } = await start(url)
      expect([found, watch.restoredAt]).toEqual([false, undefined])
      await note()
      expect(await watch.check()).toBe(false)
      if (round > 0) await note()
      await storage.close()
    }
  })

  if (name === 'sqlite') {
    const backUp = (url: string) => copyFileSync(fileURLToPath(url), `${fileURLToPath(url)}.backup`)
    const restore = (url: string) => copyFileSync(`${fileURLToPath(url)}.backup`, fileURLToPath(url))

    test('an older file in the place of the database is a restore, once', async () => {
      const url = await emptyDatabase()
      const first = await start(url)
      await first.storage.close()
      backUp(url)
      const second = await start(url)
      await second.note()
      expect(await second.watch.check()).toBe(false)
      await second.storage.close()
      restore(url)
      const third = await start(url)
      expect([third.found, third.watch.restoredAt, third.restored]).toEqual([true, 5_000, ['deleted']])
      expect(await third.watch.check()).toBe(false)
      await third.storage.close()
      const fourth = await start(url)
      expect([fourth.found, fourth.watch.restoredAt]).toEqual([false, 5_000])
    })

    test('a database without the file beside it was moved or restored', async () => {
      const url = await emptyDatabase()
      await (await start(url)).storage.close()
      rmSync(`${fileURLToPath(url)}.mark`)
      expect((await start(url)).found).toBe(true)
    })

    test('the file next to the database is for its owner only, and is written only after a change', async () => {
      const url = await emptyDatabase()
      const { watch, note } = await start(url)
      const mark = () => statSync(`${fileURLToPath(url)}.mark`, { bigint: true })
      expect(mark().mode & 0o777n).toBe(0o600n)
      await note()
      await watch.check()
      const { mtimeNs } = mark()
      await watch.check()
      expect(mark().mtimeNs).toBe(mtimeNs)
      await note()
      await watch.check()
      expect(mark().mtimeNs).toBeGreaterThan(mtimeNs)
      expect(mark().size).toBe(64n)
    })

    test('a temporary database is never a restored one', async () => {
      const { watch, note } = await start('memory:')
      await note()
      expect(await watch.check()).toBe(false)
    })
  }

  if (name === 'postgres') {
    const alone = async (url: string, ...statements: string[]) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }

    test.each([
      [
        'drops the table',
        [
          'create temp table kept as table sibyl_copy',
          'drop table sibyl_copy',
          'create table sibyl_copy (name text primary key, value text not null)',
        ],
      ],
      ['empties the table', ['create temp table kept as table sibyl_copy', 'delete from sibyl_copy']],
    ])('a dump that is loaded is a restore, when it %s, and one process of two detects it', async (_, before) => {
      const url = await emptyDatabase()
      const first = await start(url)
      const second = await start(url)
      await alone(url, ...before, 'insert into sibyl_copy select * from kept')
      const found = await Promise.all([first.watch.check(), second.watch.check()])
      expect(found.toSorted()).toEqual([false, true])
      expect([...first.restored, ...second.restored]).toContain('deleted')
      await Promise.all([first.watch.check(), second.watch.check()])
      expect([first.watch.restoredAt, second.watch.restoredAt]).toEqual([5_000, 5_000])
    })

    test('a database copied by the server is a restore; a vacuum is not', async () => {
      const url = await emptyDatabase()
      const first = await start(url)
      await first.storage.close()
      await alone(url, 'vacuum full freeze sibyl_copy')
      const vacuumed = await start(url)
      expect(vacuumed.found).toBe(false)
      await vacuumed.storage.close()
      const copy = new URL(url)
      copy.pathname = `${copy.pathname}_copy`
      const admin = await emptyDatabase()
      await alone(admin, `create database "${copy.pathname.slice(1)}" template "${new URL(url).pathname.slice(1)}"`)
      expect((await start(copy.href)).found).toBe(true)
    })

    test('a role without rights on the server is enough', async () => {
      const url = await emptyDatabase()
      const name = `plain_${new URL(url).pathname.slice(1)}`
      await alone(url, `create role "${name}" login`, `grant all on schema public to "${name}"`)
      const plain = new URL(url)
      plain.username = name
      const { found, watch } = await start(plain.href)
      expect([found, await watch.check()]).toEqual([false, false])
    })
  }
})

describe('a database from before there was a mark', () => {
  test('gets one, and is not a restore', async () => {
    await using stack = new AsyncDisposableStack()
    const storage = stack.adopt(await openStorage({ url: 'memory:' }), one => one.close())
    const watch = await openRestoreWatch({ storage })
    expect(await watch.check()).toBe(false)
  })
})

import fs, { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../contract/storage.ts'
import { openStorage } from '../open-storage.ts'

interface Tables {
  entry: { id: number }
}

type SyncCallback = (error: NodeJS.ErrnoException | null) => void

const realSync = fs.fdatasync
let folder: string
let storage: Storage<Tables>
/** The syncs that the test holds back. */
let held: SyncCallback[]
let onSync: () => void

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-'))
  storage = await openStorage<Tables>({ url: `file:${join(folder, 'a.db')}` })
  await storage.migrate('entry', {
    '001': async (db, column) => {
      await db.schema.createTable('entry').addColumn('id', column.integer).execute()
    },
  })
  held = []
  onSync = () => {}
  fs.fdatasync = ((_descriptor: number, callback: SyncCallback) => {
    held.push(callback)
    onSync()
  }) as typeof fs.fdatasync
  syncBuiltinESMExports()
})

afterEach(async () => {
  fs.fdatasync = realSync
  syncBuiltinESMExports()
  for (const callback of held) callback(null)
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
})

const put = (id: number) => storage.write(tx => tx.insertInto('entry').values({ id }).execute())
const nextSync = () =>
  new Promise<void>(resolve => {
    onSync = resolve
  })

test('acknowledges a write only when the log is on disk', async () => {
  let acknowledged = false
  const asked = nextSync()
  const written = put(1).then(() => {
    acknowledged = true
  })
  await asked
  await new Promise(resolve => setImmediate(resolve))
  expect(acknowledged).toBe(false)
  held.shift()?.(null)
  await written
  expect(acknowledged).toBe(true)
})

test('writes that come during a sync are committed meanwhile and share the next one', async () => {
  const first = nextSync()
  const one = put(1)
  await first
  const others = Promise.all([put(2), put(3)])
  await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setImmediate(resolve))
  const more = put(4)
  await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setImmediate(resolve))
  expect(held).toHaveLength(1)
  const second = nextSync()
  held.shift()?.(null)
  await one
  await second
  expect(held).toHaveLength(1)
  held.shift()?.(null)
  await Promise.all([others, more])
})

const failSync = () => held.shift()?.(Object.assign(new Error('i/o error'), { code: 'EIO' }))

test('a failed sync fails its writes and every later one', async () => {
  const asked = nextSync()
  const written = put(1)
  await asked
  failSync()
  await expect(written).rejects.toMatchObject({ code: 'database_sync_failed' })
  await expect(put(2)).rejects.toMatchObject({ code: 'database_sync_failed' })
})

test('a failed sync fails what was committed during it, though the next sync would succeed', async () => {
  const asked = nextSync()
  const first = put(1)
  await asked
  const committed = Promise.withResolvers<void>()
  const second = storage.write(tx => tx.insertInto('entry').values({ id: 2 }).execute(), {
    committed: () => committed.resolve(),
  })
  await committed.promise
  const outcomes = Promise.allSettled([first, second])
  failSync()
  const failed = { status: 'rejected', reason: { code: 'database_sync_failed' } }
  expect(await outcomes).toMatchObject([failed, failed])
  expect(held).toEqual([])
})

test('after a failed sync no write runs, neither a later one nor one that waits', async () => {
  const asked = nextSync()
  const first = put(1)
  await asked
  const ran: number[] = []
  const write = (id: number) =>
    storage.write(async tx => {
      ran.push(id)
      await tx.insertInto('entry').values({ id }).execute()
    })
  failSync()
  const waiting = write(2)
  await expect(first).rejects.toMatchObject({ code: 'database_sync_failed' })
  await expect(waiting).rejects.toMatchObject({ code: 'database_sync_failed' })
  await expect(write(3)).rejects.toMatchObject({ code: 'database_sync_failed' })
  expect(ran).toEqual([])
  expect(await storage.read.selectFrom('entry').select('id').where('id', '>', 1).execute()).toEqual([])
})

test('a sync that fails while a write runs rolls the write back', async () => {
  const asked = nextSync()
  const first = put(1)
  await asked
  const outcomes = Promise.allSettled([
    first,
    storage.write(async tx => {
      await tx.insertInto('entry').values({ id: 2 }).execute()
      failSync()
    }),
  ])
  const failed = { status: 'rejected', reason: { code: 'database_sync_failed' } }
  expect(await outcomes).toMatchObject([failed, failed])
  expect(await storage.read.selectFrom('entry').select('id').where('id', '=', 2).execute()).toEqual([])
})

test('a failed sync is reported once and the database counts as disconnected', async () => {
  let reports = 0
  const failed = storage.failed.then(error => {
    reports += 1
    return error
  })
  expect(await storage.ping()).toBe(true)
  const asked = nextSync()
  const written = put(1)
  await asked
  failSync()
  await expect(written).rejects.toMatchObject({ code: 'database_sync_failed' })
  expect(await failed).toMatchObject({ code: 'database_sync_failed', facts: { database: 'a.db' } })
  expect(await storage.ping()).toBe(false)
  await put(2).catch(() => {})
  expect(reports).toBe(1)
})

test('what a failed sync left in the log is in the database file once the file is open again', async () => {
  const asked = nextSync()
  const written = put(1)
  await asked
  failSync()
  await expect(written).rejects.toMatchObject({ code: 'database_sync_failed' })
  const copy = join(folder, 'copy.db')
  for (const end of ['', '-wal']) copyFileSync(join(folder, `a.db${end}`), `${copy}${end}`)
  expect(statSync(`${copy}-wal`).size).toBeGreaterThan(0)
  const again = await openStorage<Tables>({ url: `file:${copy}` })
  expect(again.recovered).toBe(true)
  expect(statSync(`${copy}-wal`).size).toBe(0)
  expect(await again.read.selectFrom('entry').select('id').execute()).toEqual([{ id: 1 }])
  await again.close()
})

test('reports a commit before it is on disk, and nothing that was rolled back', async () => {
  const committed: number[] = []
  const asked = nextSync()
  const write = (id: number, fails: boolean) =>
    storage.write(
      async tx => {
        await tx.insertInto('entry').values({ id }).execute()
        if (fails) throw new Error('no')
        return id
      },
      { committed: value => committed.push(value) },
    )
  const good = write(1, false)
  const bad = write(2, true)
  await asked
  expect(committed).toEqual([1])
  held.shift()?.(null)
  expect(await good).toBe(1)
  await expect(bad).rejects.toThrow('no')
  expect(committed).toEqual([1])
})

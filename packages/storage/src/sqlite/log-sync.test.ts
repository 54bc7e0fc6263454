import fs, { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from '../open-storage.ts'
import type { Storage } from '../storage.ts'

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

test('a failed sync fails its writes and every later one', async () => {
  const asked = nextSync()
  const written = put(1)
  await asked
  held.shift()?.(Object.assign(new Error('i/o error'), { code: 'EIO' }))
  await expect(written).rejects.toMatchObject({ code: 'database_sync_failed' })
  await expect(put(2)).rejects.toMatchObject({ code: 'database_sync_failed' })
})

test('tells of a commit before it is on disk, and of nothing that was rolled back', async () => {
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

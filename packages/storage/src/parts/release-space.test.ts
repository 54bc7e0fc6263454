import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage } from '../open-storage.ts'
import { deleteInParts } from './delete-in-parts.ts'
import { releaseSpace } from './release-space.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-space-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = async () => {
  const path = join(folder, 'a.db')
  const storage = await openStorage<{ note: { id: number; text: string } }>({ url: `file:${path}` })
  await storage.migrate('test', {
    '001': async (db, { integer, text }) => {
      await db.schema
        .createTable('note')
        .addColumn('id', integer, c => c.primaryKey())
        .addColumn('text', text)
        .execute()
    },
  })
  return { path, storage, [Symbol.asyncDispose]: () => storage.close() }
}

/** Adds 20 MB and deletes them. */
const fillAndEmpty = async ({ storage }: Pick<Awaited<ReturnType<typeof open>>, 'storage'>) => {
  for (let from = 0; from < 20_000; from += 2_000) {
    const rows = Array.from({ length: 2_000 }, (_, index) => ({ id: from + index, text: 'x'.repeat(1_000) }))
    await storage.write(tx => tx.insertInto('note').values(rows).execute(), { log: 'copied' })
  }
  await deleteInParts(storage, { table: 'note', key: ['id'], where: eb => eb('id', '>=', 0) })
}

test('a file gets smaller in small writes, and keeps some pages free', async () => {
  await using opened = await open()
  const { path, storage } = opened
  await fillAndEmpty(opened)
  const ending = new AbortController()
  let writes = 0
  const write: typeof storage.write = (work, options) => {
    writes += 1
    ending.abort()
    return storage.write(work, options)
  }
  const first = await releaseSpace({ engine: 'sqlite', read: storage.read, write }, ending.signal)
  expect([writes, first]).toEqual([1, 50 * 4096])
  const rest = await releaseSpace(storage)
  expect(rest).toBeGreaterThan(12_000_000)
  expect(await releaseSpace(storage)).toBe(0)
  await storage.write(async () => {}, { log: 'emptied' })
  expect(statSync(path).size).toBeLessThan(6_000_000)
})

test('a file of an earlier version keeps its pages until a VACUUM', async () => {
  const path = join(folder, 'a.db')
  const earlier = new DatabaseSync(path)
  earlier.exec('pragma journal_mode = wal; create table old (id integer)')
  earlier.close()
  {
    await using opened = await open()
    await fillAndEmpty(opened)
    expect(await releaseSpace(opened.storage)).toBe(0)
  }
  const database = new DatabaseSync(path)
  database.exec('pragma auto_vacuum = incremental; vacuum')
  database.close()
  expect(statSync(path).size).toBeLessThan(100_000)
  await using opened = await open()
  await fillAndEmpty(opened)
  expect(await releaseSpace(opened.storage)).toBeGreaterThan(0)
})

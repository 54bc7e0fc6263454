import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStorage } from '../open-storage.ts'

const checkpoint = vi.hoisted((): { fails: boolean } => ({ fails: false }))

vi.mock('./log-checkpoints.ts', async original => {
  const real = await original<typeof import('./log-checkpoints.ts')>()
  return {
    ...real,
    LogCheckpoints: class extends real.LogCheckpoints {
      override copy() {
        return checkpoint.fails ? Promise.resolve('sync failed' as const) : super.copy()
      }
    },
  }
})

let file: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-checkpoints-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  file = join(folder, 'notes.db')
})

const open = async () => {
  const storage = await openStorage<{ notes: { text: string } }>({ url: `file:${file}` })
  await storage.migrate('notes', {
    '001_notes': async (db, column) => {
      await db.schema.createTable('notes').addColumn('text', column.text).execute()
    },
  })
  const write = (text: string) => storage.write(tx => tx.insertInto('notes').values({ text }).execute())
  return { storage, write }
}

test('a sync that fails in a checkpoint fails the database: nothing is acknowledged after it', async () => {
  checkpoint.fails = true
  const { storage, write } = await open()
  onTestFinished(() => storage.close())
  const outcomes: string[] = []
  for (let written = 0; written < 2_000 && !outcomes.includes('database_sync_failed'); written += 1) {
    outcomes.push(
      await write('x').then(
        () => 'written',
        error => error.code,
      ),
    )
  }
  expect(outcomes.at(-1)).toBe('database_sync_failed')
  expect((await storage.failed).code).toBe('database_sync_failed')
  await expect(write('y')).rejects.toMatchObject({ code: 'database_sync_failed' })
  expect(await storage.ping()).toBe(false)
})

test('the log restarts while writes continue', async () => {
  checkpoint.fails = false
  const { storage, write } = await open()
  onTestFinished(() => storage.close())
  // The fourth number in the header of SQLite's write-ahead log, which rises when the log begins anew.
  const restarts = () => readFileSync(`${file}-wal`).readUInt32BE(12)
  await write('x')
  const first = restarts()
  while (restarts() < first + 3) await Promise.all(Array.from({ length: 100 }, () => write('x'.repeat(4_000))))
})

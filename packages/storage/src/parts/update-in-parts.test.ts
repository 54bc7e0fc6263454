import { expect, test } from 'vitest'
import type { Storage } from '../contract/storage.ts'
import { onEachEngineWith } from '../testing/each-engine.test.helper.ts'
import { type RowsToUpdate, updateInParts } from './update-in-parts.ts'

interface Tables {
  update_note: { number: number; author: string; text: string }
}

const migrations = {
  '001': async (db, { text, integer }) => {
    await db.schema
      .createTable('update_note')
      .addColumn('number', integer, column => column.primaryKey())
      .addColumn('author', text)
      .addColumn('text', text)
      .execute()
  },
} satisfies Parameters<Storage['migrate']>[1]

const seed = async (storage: Storage<Tables>, count: number) => {
  const rows = Array.from({ length: count }, (_, number) => ({
    number,
    author: number % 3 === 0 ? 'ben' : 'ada',
    text: 'said',
  }))
  for (let from = 0; from < count; from += 1_000) {
    await storage.write(tx =>
      tx
        .insertInto('update_note')
        .values(rows.slice(from, from + 1_000))
        .execute(),
    )
  }
}

const ofAda: RowsToUpdate<Tables, 'update_note'> = {
  table: 'update_note',
  key: ['number'],
  where: eb => eb('author', '=', 'ada'),
  set: { author: '', text: '' },
}

await onEachEngineWith<Tables>('update', migrations)('updating in parts', engine => {
  test('updates the rows that match and no other, in many small writes', async () => {
    const storage = await engine.open()
    await seed(storage, 9_000)
    let writes = 0
    const counted: typeof storage.write = (work, options) => {
      writes += 1
      return storage.write(work, options)
    }
    const { engine: name, read } = storage
    const watched = { engine: name, read, write: counted }
    expect(await updateInParts(watched, ofAda)).toBe(6_000)
    expect(writes).toBeGreaterThanOrEqual(6)
    const rows = await storage.read.selectFrom('update_note').select(['number', 'author', 'text']).execute()
    for (const { number, author, text } of rows)
      expect([author, text]).toEqual(number % 3 === 0 ? ['ben', 'said'] : ['', ''])
  })

  test('continues where a signal ended it', async () => {
    const storage = await engine.open()
    await seed(storage, 3_000)
    const ending = new AbortController()
    const write: typeof storage.write = async (work, options) => {
      ending.abort()
      return storage.write(work, options)
    }
    const first = await updateInParts(
      { engine: storage.engine, read: storage.read, write },
      { ...ofAda, signal: ending.signal },
    )
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(2_000)
    expect(await updateInParts(storage, ofAda)).toBe(2_000 - first)
  })
})

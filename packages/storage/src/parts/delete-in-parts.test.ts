import { expect, test } from 'vitest'
import type { Storage } from '../contract/storage.ts'
import { onEachEngineWith } from '../testing/each-engine.test.helper.ts'
import { deleteInParts } from './delete-in-parts.ts'

interface Tables {
  part_note: { owner: string; number: number; text: string; at: number }
}

const migrations = {
  '001': async (db, { text, integer, timestamp, storedByKey }) => {
    await db.schema
      .createTable('part_note')
      .addColumn('owner', text)
      .addColumn('number', integer)
      .addColumn('text', text)
      .addColumn('at', timestamp)
      .addPrimaryKeyConstraint('part_note_key', ['owner', 'number'])
      .modifyEnd(storedByKey)
      .execute()
  },
} satisfies Parameters<Storage['migrate']>[1]

const seed = async (storage: Storage<Tables>, count: number, at: (number: number) => number) => {
  const rows = Array.from({ length: count }, (_, number) => ({
    owner: `o${number % 7}`,
    number,
    text: 'x',
    at: at(number),
  }))
  for (let from = 0; from < count; from += 2_000) {
    await storage.write(tx =>
      tx
        .insertInto('part_note')
        .values(rows.slice(from, from + 2_000))
        .execute(),
    )
  }
}

const left = async (storage: Storage<Tables>): Promise<number[]> =>
  (await storage.read.selectFrom('part_note').select('number').orderBy('number').execute()).map(({ number }) => number)

/** The storage, with what each write deletes; `before` runs ahead of each. */
const watched = (storage: Storage<Tables>, before: (part: number) => Promise<void> = async () => {}) => {
  const parts: number[] = []
  const write: typeof storage.write = async (work, options) => {
    await before(parts.length)
    const value = await storage.write(work, options)
    parts.push((value as unknown as { count: number }).count)
    return value
  }
  return { parts, storage: { engine: storage.engine, read: storage.read, write } }
}

const old = { table: 'part_note', key: ['owner', 'number'] } as const

await onEachEngineWith<Tables>('part', migrations)('deleting in parts', engine => {
  test('deletes the rows that match and no other, in many small writes', async () => {
    const database = await engine.open()
    await seed(database, 12_000, number => number % 3)
    const { parts, storage } = watched(database)
    expect(await deleteInParts(storage, { ...old, where: eb => eb('at', '<', 2) })).toBe(8_000)
    expect(await left(database)).toEqual(Array.from({ length: 4_000 }, (_, index) => index * 3 + 2))
    expect(parts.reduce((sum, count) => sum + count)).toBe(8_000)
    expect(Math.max(...parts)).toBeLessThanOrEqual(1_000)
    expect(await deleteInParts(storage, { ...old, where: eb => eb('at', '<', 2) })).toBe(0)
  })

  test('leaves a row that changed after its key was read', async () => {
    const database = await engine.open()
    await seed(database, 300, () => 0)
    const { storage } = watched(database, async part => {
      if (part !== 1) return
      await database.write(tx => tx.updateTable('part_note').set({ at: 9 }).where('number', '=', 299).execute())
    })
    expect(await deleteInParts(storage, { ...old, where: eb => eb('at', '=', 0) })).toBe(299)
    expect(await left(database)).toEqual([299])
  })

  test('leaves a few rows for a write of the caller, the last ones', async () => {
    const database = await engine.open()
    await seed(database, 400, number => number % 2)
    const { parts, storage } = watched(database)
    const few = { ...old, leave: 200 }
    expect(await deleteInParts(storage, { ...few, where: eb => eb('at', '=', 0) })).toBe(0)
    expect(parts).toEqual([])
    expect(await deleteInParts(storage, { ...few, where: eb => eb('at', '<', 2) })).toBe(400)
    expect(await left(database)).toEqual([])
  })

  test('ends after the part under way where its signal aborts', async () => {
    const database = await engine.open()
    await seed(database, 1_000, () => 0)
    const ending = new AbortController()
    const { parts, storage } = watched(database, async part => {
      if (part === 1) ending.abort()
    })
    const deleted = await deleteInParts(storage, { ...old, where: eb => eb('at', '=', 0), signal: ending.signal })
    expect(parts).toHaveLength(2)
    expect((await left(database)).length).toBe(1_000 - deleted)
  })

  test('two at the same time delete each row once', async () => {
    const database = await engine.open()
    await seed(database, 6_000, () => 0)
    const both = [watched(database), watched(database)]
    const deleted = await Promise.all(
      both.map(({ storage }) => deleteInParts(storage, { ...old, where: eb => eb('at', '=', 0) })),
    )
    expect(deleted[0]! + deleted[1]!).toBe(6_000)
    expect(await left(database)).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { type FixedStatement, runFixed, sql } from '../index.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'

interface Tables {
  stock: { item: string; left: number | null }
}

await onEachEngine('runFixed', engine => {
  const openStock = async () => {
    const storage = await engine.open<Tables>()
    await storage.migrate('test', {
      '001_stock': async (db, column) => {
        await db.schema
          .createTable('stock')
          .addColumn('item', column.text, c => c.primaryKey())
          .addColumn('left', column.integer)
          .execute()
      },
    })
    return storage
  }

  test('builds the text once for each storage, and takes the values of each run', async () => {
    let built = 0
    const add: FixedStatement<Tables, Tables['stock'], Tables['stock']> = (tx, value) => {
      built += 1
      return tx
        .insertInto('stock')
        .values({ item: value('item'), left: value('left') })
        .onConflict(conflict =>
          conflict.column('item').doUpdateSet({ left: sql<number>`stock."left" + ${value('left')} + ${1}` }),
        )
        .returningAll()
    }
    const [one, other] = [await openStock(), await openStock()]
    expect(await one.write(tx => runFixed(tx, add, { item: "salt'", left: 5 }))).toEqual([{ item: "salt'", left: 5 }])
    expect(await one.write(tx => runFixed(tx, add, { item: "salt'", left: 2 }))).toEqual([{ item: "salt'", left: 8 }])
    expect(await one.write(tx => runFixed(tx, add, { item: 'tea', left: null }))).toEqual([{ item: 'tea', left: null }])
    expect(built).toBe(1)
    expect(await other.write(tx => runFixed(tx, add, { item: 'tea', left: 1 }))).toEqual([{ item: 'tea', left: 1 }])
    expect(built).toBe(2)
  })

  test('rejects a value that cannot be stored, or that is missing', async () => {
    const find: FixedStatement<Tables, { item: string }, Tables['stock']> = (tx, value) =>
      tx.selectFrom('stock').selectAll().where('item', '=', value('item'))
    const storage = await openStock()
    await expect(storage.write(tx => runFixed(tx, find, { item: 'a\0b' }))).rejects.toMatchObject({
      code: 'value_not_storable',
    })
    await expect(storage.write(tx => runFixed(tx, find, {} as { item: string }))).rejects.toMatchObject({
      code: 'value_not_storable',
    })
  })
})

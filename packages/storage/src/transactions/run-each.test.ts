import { sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import { runEach, type Storage } from '../index.ts'
import { onEachEngine } from '../testing/each-engine.test.helper.ts'

interface Tables {
  stock: { item: string; left: number }
}

const update = 'update stock set left = left - ? where item = ? and left >= 0'

await onEachEngine('runEach', engine => {
  const openStock = async (): Promise<Storage<Tables>> => {
    const storage = await engine.open<Tables>()
    await storage.migrate('test', {
      '001_stock': async (db, column) => {
        await db.schema
          .createTable('stock')
          .addColumn('item', column.text, c => c.primaryKey())
          .addColumn('left', column.integer, c => c.notNull())
          .execute()
      },
    })
    await storage.write(tx =>
      tx
        .insertInto('stock')
        .values([
          { item: 'salt', left: 5 },
          { item: 'tea', left: 1 },
        ])
        .execute(),
    )
    return storage
  }
  const stock = async (storage: Storage<Tables>) =>
    Object.fromEntries(
      (await storage.read.selectFrom('stock').selectAll().execute()).map(({ item, left }) => [item, left]),
    )

  test.runIf(engine.name === 'sqlite')('returns the rows that each set of values changed, in order', async () => {
    const storage = await openStock()
    const sets = [
      [2, 'tea'],
      [1, 'sugar'],
      [1, 'salt'],
      [1, 'tea'],
    ]
    expect(await storage.write(tx => runEach(tx, update, sets))).toEqual([1, 0, 1, 0])
    expect(await stock(storage)).toEqual({ salt: 4, tea: -1 })
    expect(await storage.write(tx => runEach(tx, update, []))).toEqual([])
  })

  test.runIf(engine.name === 'sqlite')('changes nothing if one set fails, including earlier ones', async () => {
    const storage = await openStock()
    const failing = storage.write(tx =>
      runEach(tx, 'insert into stock values (?, ?)', [
        ['sugar', 1],
        ['salt', 1],
      ]),
    )
    await expect(failing).rejects.toMatchObject({ code: 'constraint_violated' })
    const failingQuietly = storage.write(async tx => {
      await runEach(tx, update, [[1, 'salt']])
      await runEach(tx, update, [[{}, 'salt']]).catch(() => {})
    })
    await expect(failingQuietly).rejects.toMatchObject({ code: 'value_not_storable' })
    expect(await stock(storage)).toEqual({ salt: 5, tea: 1 })
  })

  test.runIf(engine.name === 'sqlite')(
    'is rejected once its write has ended, and does not affect its transaction',
    async () => {
      const storage = await openStock()
      let kept: Transaction<Tables> | undefined
      await storage.write(async tx => {
        kept = tx
      })
      await expect(runEach(kept!, update, [[1, 'tea']])).rejects.toMatchObject({ code: 'transaction_ended' })
      await expect(storage.write(tx => runEach(tx, 'commit', [[]]))).rejects.toMatchObject({ code: 'handle_misuse' })
      await sql`select 1`.execute(storage.read)
    },
  )

  test.runIf(engine.name === 'postgres')('is rejected', async () => {
    const storage = await openStock()
    const refused = storage.write(tx => runEach(tx, update, [[1, 'tea']]))
    await expect(refused).rejects.toMatchObject({ code: 'handle_misuse' })
  })
})

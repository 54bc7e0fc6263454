import { AsyncLocalStorage } from 'node:async_hooks'
import { sql, type Transaction } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { type JsonColumn, type Migrations, type Storage, toJson } from './index.ts'
import { onEachEngine } from './testing/each-engine.test.helper.ts'

interface Tables {
  thing: {
    id: string
    count: number | bigint | null
    amount: number | null
    at: number | Date | null
    flag: boolean | null
    data: JsonColumn<unknown, null>
    bytes: Uint8Array | null
  }
  part: { id: string; thing: string }
}

const migrations: Migrations = {
  '001_thing': async (db, column) => {
    await db.schema
      .createTable('thing')
      .addColumn('id', column.text, c => c.primaryKey())
      .addColumn('count', column.integer, c => c.check(sql`count <> -1`))
      .addColumn('amount', column.real)
      .addColumn('at', column.timestamp)
      .addColumn('flag', column.boolean)
      .addColumn('data', column.json)
      .addColumn('bytes', column.bytes)
      .execute()
    await db.schema
      .createTable('part')
      .addColumn('id', column.text, c => c.primaryKey())
      .addColumn('thing', column.text, c => c.notNull().references('thing.id'))
      .execute()
  },
}

const empty = { count: null, amount: null, at: null, flag: null, data: null, bytes: null }

await onEachEngine('storage', engine => {
  afterEach(() => void vi.useRealTimers())

  const openThings = async (options: { writeTimeLimitMs?: number } = {}): Promise<Storage<Tables>> => {
    const storage = await engine.open<Tables>(options)
    await storage.migrate('test', migrations)
    return storage
  }
  const put = (id: string) => (tx: Transaction<Tables>) =>
    tx
      .insertInto('thing')
      .values({ id, ...empty })
      .execute()
  const ids = async (storage: Storage<Tables>): Promise<string[]> => {
    const rows = await storage.read.selectFrom('thing').select('id').orderBy('id').execute()
    return rows.map(row => row.id)
  }

  test('names its engine and answers a ping', async () => {
    const storage = await engine.open()
    expect(storage.engine).toBe(engine.name)
    expect(storage.recovered).toBe(false)
    expect(await storage.ping()).toBe(true)
  })

  test('reads rows as plain objects with the values that were written', async () => {
    const storage = await openThings()
    const row = {
      id: 'one',
      count: 42,
      amount: 1.5,
      at: 1_800_000_000_123,
      flag: true,
      data: { z: [1, null, 'x'], a: { b: 'é\u0000' } },
      bytes: new Uint8Array([0, 255]),
    }
    await storage.write(tx =>
      tx
        .insertInto('thing')
        .values({ ...row, data: toJson(row.data) })
        .execute(),
    )
    const read = await storage.read.selectFrom('thing').selectAll().execute()
    expect(read).toStrictEqual([row])
    expect(Object.keys(read[0]?.data as object)).toEqual(['z', 'a'])
    const returned = await storage.write(tx => tx.deleteFrom('thing').where('flag', '=', true).returningAll().execute())
    expect(returned).toStrictEqual([row])
  })

  test('keeps null, false, empty and falsy values apart', async () => {
    const storage = await openThings()
    const rows = [
      { id: 'a', count: 0, amount: -0.25, at: 0, flag: false, data: null, bytes: new Uint8Array() },
      { id: 'b', count: null, amount: null, at: null, flag: null, data: '', bytes: null },
      { id: 'c', ...empty, data: false },
      { id: 'd', ...empty, data: '12' },
      { id: 'e', ...empty, data: 1e21 },
    ]
    for (const row of rows) {
      const data = row.data === null ? null : toJson(row.data)
      await storage.write(tx =>
        tx
          .insertInto('thing')
          .values({ ...row, data })
          .execute(),
      )
    }
    expect(await storage.read.selectFrom('thing').selectAll().orderBy('id').execute()).toStrictEqual(rows)
  })

  test('keeps every digit of a 64-bit integer', async () => {
    const storage = await openThings()
    const counts = [2n ** 63n - 1n, -(2n ** 63n), BigInt(Number.MAX_SAFE_INTEGER) + 2n, BigInt(Number.MAX_SAFE_INTEGER)]
    for (const [index, count] of counts.entries()) {
      await storage.write(tx =>
        tx
          .insertInto('thing')
          .values({ id: `${index}`, ...empty, count })
          .execute(),
      )
    }
    await storage.write(tx =>
      tx
        .insertInto('thing')
        .values({ id: '4', ...empty, count: 2 ** 60 })
        .execute(),
    )
    const rows = await storage.read.selectFrom('thing').select('count').orderBy('id').execute()
    expect(rows.map(row => row.count)).toStrictEqual([...counts.slice(0, 3), Number.MAX_SAFE_INTEGER, 2n ** 60n])
  })

  test('takes a Date as milliseconds and gives counts and sums as numbers', async () => {
    const storage = await openThings()
    await storage.write(tx =>
      tx
        .insertInto('thing')
        .values({ id: 'a', ...empty, at: new Date(1234), count: 2 })
        .execute(),
    )
    const row = await storage.read
      .selectFrom('thing')
      .select(eb => [
        'at',
        eb.fn.countAll().as('all'),
        eb.fn.sum('count').as('sum'),
        eb.fn.avg('count').as('mean'),
        eb.fn.max('at').as('last'),
      ])
      .where('at', '=', new Date(1234))
      .groupBy('at')
      .execute()
    expect(row).toStrictEqual([{ at: 1234, all: 1, sum: 2, mean: 2, last: 1234 }])
  })

  test.each([
    ['undefined', undefined],
    ['an object', { a: 1 }],
    ['an array', [1]],
    ['a symbol', Symbol('x')],
    ['NaN', Number.NaN],
    ['an infinite number', Number.NEGATIVE_INFINITY],
    ['an invalid Date', new Date('nonsense')],
    ['an integer beyond 64 bits', 2n ** 63n],
    ['text with a NUL character', 'secret\0'],
  ])('refuses %s as a value, without showing it', async (_, value) => {
    const storage = await openThings()
    const attempt = storage.write(tx => sql`insert into thing (id, bytes) values ('x', ${value})`.execute(tx))
    await expect(attempt).rejects.toMatchObject({ code: 'value_not_storable', facts: { position: 1 } })
    await expect(attempt).rejects.not.toThrow('secret')
    await expect(sql`select ${value} as v`.execute(storage.read)).rejects.toMatchObject({ code: 'value_not_storable' })
  })

  test('orders and compares text by bytes', async () => {
    const storage = await openThings()
    for (const id of ['b', 'A', 'a', 'B', 'ä']) await storage.write(put(id))
    expect(await ids(storage)).toEqual(['A', 'B', 'a', 'b', 'ä'])
    const alike = await storage.read.selectFrom('thing').select('id').where('id', 'like', 'a%').execute()
    expect(alike).toEqual([{ id: 'a' }])
  })

  test('counts up serial keys and gives none twice', async () => {
    const storage = await engine.open<{ entry: { number: number; text: string } }>()
    await storage.migrate('test', {
      '001': async (db, column) => {
        await db.schema.createTable('entry').addColumn('number', column.serial).addColumn('text', column.text).execute()
      },
    })
    const add = () =>
      storage.write(async tx => {
        const rows = await sql<{ number: number }>`insert into entry (text) values ('x') returning number`.execute(tx)
        return rows.rows[0]?.number
      })
    expect([await add(), await add()]).toEqual([1, 2])
    await storage.write(tx => tx.deleteFrom('entry').execute())
    expect(await add()).toBe(3)
  })

  test('shows a write to every read once its promise has resolved', async () => {
    const storage = await openThings()
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await storage.write(put(`${index}`))
        expect(await ids(storage)).toContain(`${index}`)
      }),
    )
  })

  test('gives back what the work returns', async () => {
    const storage = await openThings()
    expect(await storage.write(async () => 'value')).toBe('value')
    expect(await storage.write(async () => undefined)).toBe(undefined)
  })

  test('rolls back a write whose work throws, and only that one', async () => {
    const storage = await openThings()
    const failing = async (tx: Transaction<Tables>): Promise<void> => {
      await put('bad')(tx)
      throw new Error('no')
    }
    const outcomes = await Promise.allSettled([
      storage.write(put('first')),
      storage.write(failing),
      storage.write(put('last')),
    ])
    expect(outcomes.map(outcome => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { message: 'no' } })
    expect(await ids(storage)).toEqual(['first', 'last'])
    await expect(storage.write(failing)).rejects.toThrow('no')
    expect(await ids(storage)).toEqual(['first', 'last'])
  })

  test('names the constraint that a write breaks', async () => {
    const storage = await openThings()
    await storage.write(put('a'))
    const breaking: Record<string, (tx: Transaction<Tables>) => Promise<unknown>> = {
      unique: put('a'),
      check: tx =>
        tx
          .insertInto('thing')
          .values({ id: 'b', ...empty, count: -1 })
          .execute(),
      foreign_key: tx => tx.insertInto('part').values({ id: 'p', thing: 'none' }).execute(),
      not_null: tx => sql`insert into part (id) values ('p')`.execute(tx),
    }
    for (const [constraint, work] of Object.entries(breaking)) {
      await expect(storage.write(work)).rejects.toMatchObject({ code: 'constraint_violated', facts: { constraint } })
    }
  })

  test('fails the whole write after a failed statement, even when the work catches the error', async () => {
    const storage = await openThings()
    await storage.write(put('a'))
    let second: unknown
    const attempt = storage.write(async tx => {
      await put('b')(tx)
      await put('a')(tx).catch(() => {})
      second = await put('c')(tx).catch(error => error)
      return 'looks fine'
    })
    await expect(attempt).rejects.toMatchObject({ code: 'constraint_violated' })
    expect(second).toMatchObject({ code: 'transaction_ended', facts: { reason: 'failed' } })
    expect(await ids(storage)).toEqual(['a'])
  })

  test('continues after a conflict that onConflict expects', async () => {
    const storage = await openThings()
    await storage.write(put('a'))
    const inserted = await storage.write(async tx => {
      const result = await tx
        .insertInto('thing')
        .values({ id: 'a', ...empty })
        .onConflict(conflict => conflict.doNothing())
        .executeTakeFirst()
      await put('b')(tx)
      return result.numInsertedOrUpdatedRows
    })
    expect(inserted).toBe(0n)
    expect(await ids(storage)).toEqual(['a', 'b'])
  })

  test('refuses a transaction after its write has ended', async () => {
    const storage = await openThings()
    let kept: Transaction<Tables> | undefined
    await storage.write(async tx => {
      kept = tx
    })
    await expect(put('late')(kept!)).rejects.toMatchObject({ code: 'transaction_ended' })
    expect(await ids(storage)).toEqual([])
  })

  test('refuses to use the storage inside a write', async () => {
    const storage = await openThings()
    await expect(storage.write(() => ids(storage))).rejects.toMatchObject({
      code: 'nested_use',
      facts: { used: 'read' },
    })
    await expect(storage.write(() => storage.write(put('a')))).rejects.toMatchObject({
      code: 'nested_use',
      facts: { used: 'write' },
    })
    expect(await ids(storage)).toEqual([])
  })

  test('may be used by what a write left running, after the write', async () => {
    const storage = await openThings()
    const go = Promise.withResolvers<void>()
    let later: Promise<string[]> | undefined
    await storage.write(async tx => {
      later = go.promise.then(() => ids(storage))
      await put('a')(tx)
    })
    go.resolve()
    expect(await later).toEqual(['a'])
  })

  test('runs the work in the asynchronous context of its caller', async () => {
    const storage = await openThings()
    const context = new AsyncLocalStorage<number>()
    const seen = await Promise.all(
      [1, 2, 3].map(number => context.run(number, () => storage.write(async () => context.getStore()))),
    )
    expect(seen).toEqual([1, 2, 3])
  })

  test('refuses changes through read', async () => {
    const storage = await openThings()
    await storage.write(put('a'))
    await expect(storage.read.deleteFrom('thing').execute()).rejects.toMatchObject({ code: 'read_only_access' })
    await expect(storage.read.schema.dropTable('part').execute()).rejects.toMatchObject({ code: 'read_only_access' })
    expect(await ids(storage)).toEqual(['a'])
  })

  test('refuses on handles what only the storage may do', async () => {
    const storage = await openThings()
    await expect(storage.read.transaction().execute(async () => 1)).rejects.toMatchObject({ code: 'handle_misuse' })
    await expect(storage.read.destroy()).rejects.toMatchObject({ code: 'handle_misuse' })
    expect(await ids(storage)).toEqual([])
  })

  test('refuses raw SQL that begins or ends a transaction', async () => {
    const storage = await openThings()
    const ending = storage.write(async tx => {
      await put('a')(tx)
      await sql` COMMIT`.execute(tx)
    })
    const other = storage.write(put('b'))
    await expect(ending).rejects.toMatchObject({ code: 'handle_misuse' })
    await other
    await expect(sql`begin`.execute(storage.read)).rejects.toMatchObject({ code: 'handle_misuse' })
    expect(await ids(storage)).toEqual(['b'])
  })

  test('rolls back a write that hangs, and continues', async () => {
    const storage = await openThings({ writeTimeLimitMs: 9_000 })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const begun = Promise.withResolvers<void>()
    const hanging = storage.write(async tx => {
      await put('stuck')(tx)
      begun.resolve()
      await new Promise(() => {})
    })
    await begun.promise
    vi.advanceTimersByTime(8_999)
    const other = storage.write(put('other'))
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    await expect(hanging).rejects.toMatchObject({ code: 'write_timeout', facts: { timeLimitMs: 9_000 } })
    await other
    await storage.write(put('next'))
    expect(await ids(storage)).toEqual(['next', 'other'])
  })

  test('runs writes as if one came after the other', async () => {
    const storage = await openThings()
    await storage.write(tx =>
      tx
        .insertInto('thing')
        .values({ id: 'counter', ...empty, count: 0 })
        .execute(),
    )
    const increment = () =>
      storage.write(async tx => {
        const { count } = await tx.selectFrom('thing').select('count').executeTakeFirstOrThrow()
        await tx
          .updateTable('thing')
          .set({ count: Number(count) + 1 })
          .execute()
      })
    await Promise.all(Array.from({ length: 40 }, increment))
    expect(await storage.read.selectFrom('thing').select('count').execute()).toEqual([{ count: 40 }])
  })

  test('streams rows', async () => {
    const storage = await openThings()
    for (const id of ['a', 'b', 'c']) await storage.write(put(id))
    const seen: string[] = []
    for await (const { id } of storage.read.selectFrom('thing').select('id').orderBy('id').stream(2)) {
      seen.push(id)
      expect(await ids(storage)).toHaveLength(3)
    }
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  test('waits for writes under way when closing, and refuses new use', async () => {
    const url = await engine.emptyDatabase()
    const storage = await engine.open<Tables>({ url })
    await storage.migrate('test', migrations)
    const writing = Promise.all([storage.write(put('a')), storage.write(put('b'))])
    const closing = storage.close()
    await expect(storage.write(put('c'))).rejects.toMatchObject({ code: 'storage_closed' })
    await closing
    await writing
    await expect(ids(storage)).rejects.toMatchObject({ code: 'storage_closed' })
    expect(await storage.ping()).toBe(false)
    await storage.close()
    expect(await ids(await engine.open<Tables>({ url }))).toEqual(['a', 'b'])
  })
})

import { recordedLogger } from '@sibyl/plugin/testing'
import { openStorage, sql } from '@sibyl/storage'
import { sharePostgres } from '@sibyl/storage/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { coreMigrations } from '../database/core-migrations.ts'
import type { CoreTables } from '../database/core-tables.ts'
import { SharedCounter } from './shared-counter.ts'
import { forgetShares, type ShareRequest, takeShares } from './shared-windows.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const address = (text: string) => ({ key: `address:${text}`, wide: text })

/** Starts processes on one database; `asked` counts their queries. */
const processes = async (count: number) => {
  const url = (await postgres?.createDatabase()) ?? ''
  const log = recordedLogger()
  const asked = { times: 0 }
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const storage = (await openStorage({ url })).for<CoreTables>()
      const take = (requests: readonly ShareRequest[]) => {
        asked.times += 1
        return takeShares(storage, requests)
      }
      return { storage, counter: new SharedCounter({ take, log }) }
    }),
  )
  await all[0]!.storage.migrate('core', coreMigrations)
  return {
    storage: all[0]!.storage,
    counters: all.map(({ counter }) => counter),
    asked,
    log,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map(({ storage }) => storage.close()))
    },
  }
}

describe.skipIf(postgres === undefined)('processes that share counts', () => {
  test('alone, one allows the limit with few queries', async () => {
    await using one = await processes(1)
    const verdicts = []
    for (let request = 0; request < 130; request += 1) verdicts.push(await one.counters[0]!.take(address('a'), 100))
    expect(verdicts.filter(({ allowed }) => allowed).length).toBe(100)
    expect(verdicts.slice(100).some(({ allowed }) => allowed)).toBe(false)
    expect(verdicts[0]).toMatchObject({ limit: 100, remaining: 99 })
    expect(verdicts.at(-1)).toMatchObject({ remaining: 0 })
    expect(one.asked.times).toBeLessThan(50)
  })

  test('three together allow exactly the limit, in parallel as well', async () => {
    await using three = await processes(3)
    const requests = Array.from({ length: 300 }, (_, index) => three.counters[index % 3]!.take(address('a'), 100))
    const allowed = (await Promise.all(requests)).filter(verdict => verdict.allowed).length
    expect(allowed).toBe(100)
    const more = await Promise.all(three.counters.map(counter => counter.take(address('a'), 100)))
    expect(more.map(verdict => verdict.allowed)).toEqual([false, false, false])
  })

  test('if one uses the limit, another learns it and needs no second query', async () => {
    await using two = await processes(2)
    const [one, other] = two.counters as [SharedCounter, SharedCounter]
    for (let request = 0; request < 5; request += 1) await one.take(address('a'), 5)
    expect((await other.take(address('a'), 5)).allowed).toBe(false)
    expect(other.take(address('a'), 5)).toMatchObject({ allowed: false })
    expect((await other.take(address('b'), 5)).allowed).toBe(true)
  })

  test('expired counts are removed, and others kept', async () => {
    await using one = await processes(1)
    await takeShares(one.storage, [
      { key: 'old', limit: 10, count: 1 },
      { key: 'new', limit: 10, count: 1 },
    ])
    const end = (key: string) =>
      one.storage.write(tx => tx.updateTable('core_rate_counts').set({ ends_at: 1 }).where('key', '=', key).execute())
    await end('old')
    await forgetShares(one.storage)
    const rows = () => one.storage.read.selectFrom('core_rate_counts').select('key').execute()
    expect(await rows()).toEqual([{ key: 'new' }])
    await end('new')
    const [grant] = await takeShares(one.storage, [{ key: 'new', limit: 10, count: 3 }])
    expect(grant).toMatchObject({ granted: 3, left: 7 })
  })

  test('counts may be lost in a crash of the database', async () => {
    await using one = await processes(1)
    const { rows } = await sql`select relpersistence from pg_class where relname = 'core_rate_counts'`.execute(
      one.storage.read,
    )
    expect(rows).toEqual([{ relpersistence: 'u' }])
  })
})

describe('while the database fails', () => {
  test('a process counts alone, logs it once, and reconnects later', async () => {
    const log = recordedLogger()
    let now = 0
    let fails = true
    const take = async (requests: readonly ShareRequest[]) => {
      if (fails) throw new Error('gone')
      return requests.map(({ key, count, limit }) => ({ key, granted: count, left: limit - count, endsInMs: 60_000 }))
    }
    const counter = new SharedCounter({ take, log, now: () => now })
    const first = await Promise.all(Array.from({ length: 20 }, () => counter.take(address('a'), 3)))
    expect(first.filter(({ allowed }) => allowed).length).toBe(3)
    expect((await counter.take(address('a'), 3)).allowed).toBe(false)
    expect(log.lines.length).toBe(1)
    fails = false
    now = 5_001
    expect(await counter.take(address('a'), 3)).toMatchObject({ allowed: true, remaining: 2 })
  })

  test('a query that never returns delays no request', async () => {
    const counter = new SharedCounter({ take: () => new Promise(() => {}), log: recordedLogger() })
    expect((await counter.take(address('a'), 3)).allowed).toBe(true)
    expect(counter.take(address('a'), 3)).toMatchObject({ allowed: true, remaining: 1 })
  })
})

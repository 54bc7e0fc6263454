import { expect, test } from 'vitest'
import type { CredentialsStorage } from '../definitions/credentials-tables.ts'
import { onEachEngine } from '../definitions/on-each-engine.test.helper.ts'
import { listPlaces } from './status-place.ts'
import { createStatusPlaces, type ReservedPlace } from './status-places.ts'

const hourMs = 3_600_000

/** Places from a stock that several processes share. */
const fixture = (storage: CredentialsStorage) => {
  let now = Date.parse('2026-11-21T00:00:00Z')
  let restoredAt: number | undefined
  const open = () => createStatusPlaces(storage, { now: () => now }, () => restoredAt)
  const pass = (ms: number) => {
    now += ms
  }
  const restore = () => {
    restoredAt = now
  }
  return { open, pass, restore }
}

const nameOf = ({ list, place }: ReservedPlace) => `${list} ${place}`

await onEachEngine('places in status lists', engine => {
  test('no two are the same, over processes and at the same time, and they are spread over the list', async () => {
    const storage = await engine.open()
    const { open } = fixture(storage)
    const processes = [open(), open(), open()]
    const places = await Promise.all(Array.from({ length: 300 }, (_, count) => processes[count % 3]!.reserve()))
    expect(new Set(places.map(nameOf)).size).toBe(300)
    const numbers = places.map(({ place }) => place)
    expect(Math.max(...numbers)).toBeLessThan(listPlaces)
    expect(Math.min(...numbers)).toBeLessThan(listPlaces / 10)
    expect(Math.max(...numbers)).toBeGreaterThan(listPlaces * 0.9)
    const neighbours = numbers.filter((place, at) => Math.abs(place - (numbers[at - 1] ?? Number.NaN)) === 1)
    expect(neighbours.length).toBeLessThan(5)
  })

  test('after a restore, no place is given of a list from before, not even one in stock', async () => {
    const storage = await engine.open()
    const { open, pass, restore } = fixture(storage)
    const places = open()
    const before = await places.reserve()
    pass(1_000)
    restore()
    const after = await Promise.all(Array.from({ length: 100 }, () => places.reserve()))
    const lists = new Set(after.map(({ list }) => list))
    expect([lists.size, lists.has(before.list)]).toEqual([1, false])
    expect(lists.has((await open().reserve()).list)).toBe(true)
  })

  test('a place is taken once, and only by the process that reserved it', async () => {
    const storage = await engine.open()
    const places = fixture(storage).open()
    const place = await places.reserve()
    const take = (one: ReservedPlace, id: string) => storage.write(tx => places.take(one, id, tx))
    expect(await take({ ...place, reservation: 'of another' }, 'urn:uuid:1')).toBe(false)
    expect(await take(place, 'urn:uuid:1')).toBe(true)
    expect(await take(place, 'urn:uuid:2')).toBe(false)
  })

  test('reservations of a killed process are released after a day, used positions never', async () => {
    const storage = await engine.open()
    const { open, pass } = fixture(storage)
    const killed = open()
    const [taken, left] = [await killed.reserve(), await killed.reserve()]
    await storage.write(tx => killed.take(taken, 'urn:uuid:1', tx))
    const survivor = open()
    expect(await survivor.release()).toBe(0)
    pass(25 * hourMs)
    expect(await survivor.release()).toBeGreaterThan(40)
    const rows = await storage.read.selectFrom('credentials_entries').selectAll().execute()
    expect(rows.map(({ credential_id: id }) => id)).toEqual(['urn:uuid:1'])
    const { allotted } = await storage.read.selectFrom('credentials_lists').select('allotted').executeTakeFirstOrThrow()
    expect(allotted).toBe(1)
    expect(await storage.write(tx => killed.take(left, 'urn:uuid:2', tx))).toBe(false)
  })

  test('a process that slept hands nothing out that may be free again', async () => {
    const storage = await engine.open()
    const { open, pass } = fixture(storage)
    const sleeper = open()
    await sleeper.reserve()
    pass(25 * hourMs)
    await open().release()
    const fresh = await sleeper.reserve()
    expect(await storage.write(tx => sleeper.take(fresh, 'urn:uuid:1', tx))).toBe(true)
  })

  test('a nearly full list accepts no more', async () => {
    const storage = await engine.open()
    const { open } = fixture(storage)
    const { list } = await open().reserve()
    await storage.write(tx =>
      tx
        .updateTable('credentials_lists')
        .set({ allotted: listPlaces * 0.75 })
        .execute(),
    )
    expect((await open().reserve()).list).not.toBe(list)
  })
})

import { sql } from '@sibyl/plugin/storage'
import type { Storage } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { readingFixture } from '../reading/reading-fixture.test.helper.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { proveEntity } from './prove-entity.ts'

const owner = { did: 'did:web:ada.example' }

const large = 'x'.repeat(90_000)

/** Whoever reads such a change fails at it. */
const unreadable = sql<string>`'null'`

await onEachEngine('past states', ({ open }) => {
  /** An entity with so many versions of 90 kB, one a second. */
  const history = async (versions: number) => {
    const storage: Storage<EntitiesTables> = await open()
    const fixture = readingFixture(storage)
    const { clock, reader, writer, identity } = fixture
    const start = clock.now
    const { entity } = await writer.create({ type: 'Meter', properties: { text: large, n: 1 } }, owner)
    const { did, id } = entity
    for (let version = 1; version < versions; version += 1) {
      clock.now += 1_000
      await writer.update(did, { properties: { n: version + 1, text: large } }, owner, version)
    }
    const keys = async () => new Set((await identity.keys()).map(key => key.did))
    return {
      storage,
      did,
      id,
      /** The entity as it was after a version. */
      at: (version: number) => reader.recordAt(did, start + (version - 1) * 1_000),
      /** What is found of the entity with the last link. */
      verdict: async () =>
        (
          await proveEntity({ read: storage.read, reader, keys }, (await reader.find(did))!, {
            after: versions - 1,
            limit: 1,
          })
        ).verdict,
      change: (value: ReturnType<typeof sql>, from: number, to = from) =>
        storage.write(tx =>
          sql`update entities_events set change = ${value}
            where entity_id = ${id} and version between ${from} and ${to}`.execute(tx),
        ),
      snapshots: async () =>
        (
          await storage.read
            .selectFrom('entities_snapshots')
            .select('version')
            .where('entity_id', '=', id)
            .orderBy('version')
            .execute()
        ).map(({ version }) => version),
    }
  }

  test('replayed states are stored in snapshots, from which later requests continue', async () => {
    const { at, snapshots, change, verdict } = await history(16)
    const before = [await at(5), await at(9), await at(16)]
    expect(before.map(record => record?.properties.n)).toEqual([5, 9, 16])
    expect(await snapshots()).toEqual([6, 12])
    await change(unreadable, 7, 11)
    expect([await at(5), await at(16)]).toEqual([before[0], before[2]])
    expect(await verdict()).toEqual({ verified: true })
    await expect(at(9)).rejects.toThrow()
  })

  test('a snapshot that the oracle did not sign, or of other links, does not count', async () => {
    const { storage, at, snapshots, verdict } = await history(8)
    const now = await at(8)
    expect(await snapshots()).toEqual([6])
    await storage.write(tx =>
      sql`update entities_snapshots set state = replace(state, '"n":6', '"n":7'), version = 8`.execute(tx),
    )
    expect(await at(8)).toEqual(now)
    expect(await verdict()).toEqual({ verified: true })
  })

  test('content of altered links is never signed', async () => {
    const { storage, id, at, change, snapshots, verdict } = await history(8)
    const stolen = { properties: { n: 8, text: large, stolen: true } }
    await change(sql`${JSON.stringify(stolen)}`, 8)
    await change(sql`${JSON.stringify({ properties: { stolen: true } })}`, 3)
    await storage.write(tx =>
      sql`update entities_entities set details = ${JSON.stringify(stolen)} where id = ${id}`.execute(tx),
    )
    expect((await at(8))?.properties.stolen).toBe(true)
    expect(await snapshots()).toEqual([])
    await change(sql`${JSON.stringify({ properties: { n: 3, text: large } })}`, 3)
    await change(sql`${JSON.stringify({ properties: { n: 8, text: large } })}`, 8)
    expect(await verdict()).toEqual({ verified: false, fault: { version: 8, check: 'entity' } })
  })

  test('one request replays a limited number of bytes; the next one continues, if it can', {
    tags: 'long',
  }, async () => {
    const { at, change, snapshots, verdict } = await history(95)
    await change(sql`${JSON.stringify({ properties: { n: 0, text: large } })}`, 2)
    await expect(at(95)).rejects.toMatchObject({ code: 'history_too_long', status: 422 })
    expect(await verdict()).toEqual({ verified: true, unchecked: 'entity' })
    await change(sql`${JSON.stringify({ properties: { n: 2, text: large } })}`, 2)
    await expect(at(95)).rejects.toMatchObject({ code: 'history_unfinished', status: 503 })
    expect((await at(95))?.properties.n).toBe(95)
    expect(await verdict()).toEqual({ verified: true })
    expect((await snapshots()).length).toBeGreaterThan(10)
  })

  test('others get their turn between two parts of a replay', async () => {
    const { at } = await history(20)
    let [turns, running] = [0, true]
    const turn = () => {
      turns += 1
      if (running) setImmediate(turn)
    }
    setImmediate(turn)
    await at(20)
    running = false
    expect(turns).toBeGreaterThanOrEqual(20)
  })
})

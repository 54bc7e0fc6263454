import { sql } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import { expect, test } from 'vitest'
import type { Box } from '../places/grid.ts'
import { isInside } from '../places/grid.ts'
import { seededNumbers } from '../records/seeded-numbers.test.helper.ts'
import { entitiesMigrations } from '../storage/entities-migrations.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { testWriter } from '../writing/test-writer.test.helper.ts'
import { countStatement, findPlaces, maxCounted, placesStatement } from './find-places.ts'
import { placeProjection } from './place-projection.ts'

const owner = { did: 'did:web:ada.example' }
const world: Box = { west: -180, south: -90, east: 180, north: 90 }

await onEachEngine('places', ({ open }) => {
  const fixture = async () => {
    const storage = await open()
    const writer = testWriter(storage, undefined, { projections: [placeProjection] })
    return { storage, writer }
  }

  test('a box has the active entities with a position in it, also over the antimeridian, and after every change', async () => {
    const { storage, writer } = await fixture()
    const random = seededNumbers(5)
    const degrees = (max: number) => (random(max * 2_000) - max * 1_000) / 1_000
    const locationOf = (number: number, longitude: number, latitude: number): JsonValue =>
      number % 2 === 0 ? { type: 'Point', coordinates: [longitude, latitude] } : { longitude, latitude }
    const made = await Promise.all(
      Array.from({ length: 300 }, (_, number) => {
        const [longitude, latitude] = number % 3 === 0 ? [179 + degrees(1), degrees(2)] : [degrees(180), degrees(90)]
        const location = locationOf(number, longitude!, latitude!)
        const type = ['Stove', 'Meter'][random(2)]!
        return writer
          .create({ type, properties: { name: `n${number}`, location } }, owner)
          .then(({ entity }) => ({ did: entity.did, type, longitude, latitude }))
      }),
    )
    await writer.create({ type: 'Stove', properties: { location: 'Nairobi' } }, owner)
    const [moved, retired, lost] = made
    await writer.update(moved!.did, { properties: { location: { coordinates: [1, 2] } } }, owner, 1)
    Object.assign(moved!, { longitude: 1, latitude: 2 })
    await writer.deactivate(retired!.did, owner, 1)
    await writer.update(lost!.did, { properties: { location: null } }, owner, 1)
    const known = made.filter(one => one !== retired && one !== lost)

    const boxes: Box[] = [world, { west: 178, south: -2, east: -179, north: 2 }]
    for (let number = 0; number < 30; number += 1) {
      const [one, other] = [degrees(90), degrees(90)]
      boxes.push({
        west: degrees(180),
        south: Math.min(one, other),
        east: degrees(180),
        north: Math.max(one, other),
      })
    }
    for (const box of boxes) {
      for (const type of [undefined, 'Meter']) {
        const { places, cells } = await findPlaces(storage, { box, type })
        expect(cells).toEqual([])
        const expected = known.filter(one => isInside(one, box) && (type === undefined || one.type === type))
        expect(places.map(({ did }) => did).toSorted(), JSON.stringify(box)).toEqual(
          expected.map(({ did }) => did).toSorted(),
        )
      }
    }
    const { places } = await findPlaces(storage, { box: { west: 0.5, south: 1.5, east: 1.5, north: 2.5 } })
    expect(places).toContainEqual({
      did: moved!.did,
      type: moved!.type,
      name: 'n0',
      longitude: 1,
      latitude: 2,
    })
  })

  test('many entities are counted by cell, each cell up to its limit, by index', async () => {
    const { storage } = await fixture()
    const series =
      storage.engine === 'sqlite'
        ? sql`(with recursive n(value) as (select 0 union all select value + 1 from n where value < 11999) select value from n)`
        : sql`(select generate_series(0, 11999) as value)`
    // Cells of positions near (0, 0) in the north-east begin at 3 * 4^25.
    const first = 3 * 4 ** 25
    await storage.write(async tx => {
      await sql`
        insert into entities_places (entity_id, type, name, latitude, longitude, cell)
        select 'id' || value, case when value % 2 = 0 then 'Even' else 'Odd' end, null, 0.0, 0.0, cast(${String(first)} as bigint) + value
        from ${series} as numbers
      `.execute(tx)
    })
    const all = await findPlaces(storage, { box: world })
    expect(all.places).toEqual([])
    expect(all.cells).toEqual([{ west: 0, south: 0, east: 22.5, north: 11.25, count: maxCounted }])
    expect((await findPlaces(storage, { box: world, type: 'Odd' })).cells.map(({ count }) => count)).toEqual([6_000])
    expect((await findPlaces(storage, { box: { ...world, west: 30 } })).cells).toEqual([])

    if (storage.engine === 'postgres') return
    for (const type of [undefined, 'Odd']) {
      for (const make of [countStatement, placesStatement]) {
        const query = make('sqlite', [{ level: 0, column: 0, row: 0 }], type)
        const { rows } = await sql<{ detail: string }>`explain query plan ${query}`.execute(storage.read)
        const plan = rows.map(({ detail }) => detail).join('\n')
        expect(plan).toMatch(/SEARCH place USING (COVERING )?INDEX entities_places_(cell|type)/)
      }
    }
  })

  test('entities from before the table have their places', async () => {
    const { storage } = await fixture()
    const earlier = testWriter(storage)
    const created = await Promise.all(
      Array.from({ length: 70 }, (_, number) =>
        earlier.create({ type: 'Stove', properties: number < 66 ? { latitude: 1, longitude: number } : {} }, owner),
      ),
    )
    await earlier.deactivate(created[0]!.entity.did, owner, 1)
    await storage.write(tx => tx.schema.dropTable('entities_places').execute())
    await storage.migrate('later', entitiesMigrations)
    expect((await findPlaces(storage, { box: world })).places).toHaveLength(65)
  })
})

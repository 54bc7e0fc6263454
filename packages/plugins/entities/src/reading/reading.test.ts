import { sql } from '@sibyl/plugin/storage'
import type { Storage } from '@sibyl/storage'
import { expect, test } from 'vitest'
import type { EntityRecord } from '../records/entity-contract.ts'
import { seededNumbers } from '../records/seeded-numbers.test.helper.ts'
import type { NewEntity } from '../records/stored-entity.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { rowsStatement, sizesStatement } from '../storage/entity-parts.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { drawWrite, EntityModel, perform } from '../writing/entity-model.test.helper.ts'
import type { EntityFilters } from './entity-filters.ts'
import { findStatement as postgresStatement } from './postgres-term-index.ts'
import { readingFixture } from './reading-fixture.test.helper.ts'
import { findStatement as sqliteStatement } from './sqlite-term-index.ts'

const owner = { did: 'did:web:ada.example' }

await onEachEngine('reading', ({ name, open }) => {
  const fixture = async () => {
    const storage = await open()
    return { storage, ...readingFixture(storage) }
  }
  const create = async ({ writer }: Pick<ReturnType<typeof readingFixture>, 'writer'>, creation: NewEntity) =>
    (await writer.create(creation, owner)).entity

  test('whatever was changed, `at` is what was read at that time', async () => {
    const { clock, writer, reader, record } = await fixture()
    for (const seed of [1, 2]) {
      const random = seededNumbers(seed)
      const model = new EntityModel()
      const start = clock.now
      const texts: { readonly at: number; readonly did: string; readonly record: EntityRecord | undefined }[] = []
      for (let step = 0; step < 40; step += 1) {
        clock.now += random(3) * 1_000 + 1
        const { entities } = model
        const outcome = await perform(writer, model, drawWrite(random, entities.length, [owner.did]))
        if ('written' in outcome && !entities.some(({ did }) => did === outcome.written.entity.did)) {
          const { did, version } = outcome.written.entity
          entities.push({
            did,
            controller: owner.did,
            status: 'active',
            version,
            properties: new Map(),
            parts: new Set(),
          })
        }
        for (const entity of new Set([entities.at(-1)!, entities[random(entities.length)]!])) {
          const now = await record(entity.did)
          entity.version = now!.version
          texts.push({ at: clock.now + random(2), did: entity.did, record: now })
        }
        clock.now += 1
      }
      expect(new Set(texts.map(({ record }) => record?.version)).size).toBeGreaterThan(3)
      const then = await Promise.all(texts.map(({ at, did }) => reader.recordAt(did, at)))
      expect(then).toEqual(texts.map(({ record }) => record))
      expect(await reader.recordAt(model.entities[0]!.did, start)).toBeUndefined()
    }
  })

  test('a state of the past has its protocol version, class, services and credentials of then', async () => {
    const all = await fixture()
    const { storage, clock, writer, reader, record, edges } = all
    const entity = await create(all, {
      type: 'Protocol',
      properties: { fuel: 'string' },
      relationships: { supplier: 'Organisation' },
      domainClass: 'Twin Systems',
    })
    const states: { readonly at: number; readonly did: string; readonly record: EntityRecord | undefined }[] = []
    const keep = async (did: string) => {
      states.push({ at: clock.now, did, record: await record(did) })
      clock.now += 1_000
    }
    await keep(entity.did)
    const organisation = await create(all, { type: 'Organisation', properties: { name: 'Jiko' } })
    const services = [{ id: '#readings', type: 'Telemetry', endpoint: 'https://a.example/' }]
    const meter = await create(all, {
      type: 'Meter',
      protocol: entity.did,
      properties: { fuel: 'wood' },
      services,
      alsoKnownAs: ['urn:serial:1'],
      relationships: { supplier: organisation.did },
    })
    await keep(meter.did)
    await keep(organisation.did)
    await writer.update(entity.did, { properties: { watts: 'number' }, domainClass: 'Oracle Twins' }, owner, 1)
    await keep(entity.did)
    await writer.update(meter.did, { protocolVersion: 2, services: null, properties: { watts: 4 } }, owner, 1)
    await keep(meter.did)
    await storage.write(async tx => {
      const credential = { type: 'CleanCookingCredential', issuer: 'did:web:oracle.example', by: owner.did }
      await writer.addCredential({ did: meter.did, id: 'urn:uuid:1', ...credential }, tx)
      await edges.insert([{ from: meter.id, relationship: 'produces', to: 'urn:uuid:2' }], clock.now, tx)
    })
    await keep(meter.did)
    await storage.write(tx => writer.removeCredential({ did: meter.did, id: 'urn:uuid:1', by: owner.did }, tx))
    await writer.update(meter.did, { relationships: { supplier: null } }, owner, 4)
    await keep(meter.did)
    expect(states.map(state => state.record?.version)).toEqual([1, 1, 1, 2, 2, 3, 5])
    for (const { at, did, record } of states) expect(await reader.recordAt(did, at)).toEqual(record)
  })

  test('a list has what fits all filters, each once, in one order', async () => {
    const { clock, writer, reader, pages } = await fixture()
    const random = seededNumbers(7)
    const made: ReturnType<typeof writer.create>[] = []
    for (let number = 0; number < 80; number += 1) {
      clock.now += number % 8 === 0 ? 1_000 : 0
      const properties = { fuel: ['wood', 'lpg'][random(2)]!, ports: random(3), lit: random(2) === 0, deep: { a: 1 } }
      const type = ['Meter', 'Project', 'Fleet'][random(3)]!
      made.push(writer.create({ type, properties }, { did: `did:web:${'ab'[random(2)]}.example` }))
    }
    const created = (await Promise.all(made)).map(({ entity }) => entity.did)
    const dids = (await pages({}, 200)).flat()
    expect(dids.toSorted()).toEqual(created.toSorted())
    clock.now += 1_000
    const middle = clock.now
    const changed = dids.filter(() => random(3) === 0)
    const before = await reader.findAll(changed)
    await Promise.all(
      changed.map((did, number) => {
        clock.now += number % 8 === 0 ? 1_000 : 0
        const by = { did: before.get(did)!.controller }
        if (number % 3 === 0) return writer.deactivate(did, by, 'any')
        const properties = { fuel: ['wood', null][random(2)]!, ports: String(random(3)) }
        return writer.update(did, { properties }, by, 'any')
      }),
    )
    const all = await reader.findAll(dids)
    const asked: readonly EntityFilters[] = [
      {},
      { type: 'Meter' },
      { domainClass: 'Cognitive Twins', status: 'active' },
      { controller: 'did:web:a.example', properties: { fuel: 'wood' } },
      { properties: { ports: '2', lit: 'true' } },
      { properties: { fuel: 'wood' }, updatedSince: middle },
      { updatedSince: middle + 5_000, status: 'deactivated' },
      { properties: { deep: '1' } },
      { properties: { constructor: 'x' } },
      { protocol: dids[0]! },
    ]
    for (const filters of asked) {
      const fitting = dids.filter(did => {
        const { properties = {}, updatedSince = 0, ...same } = filters
        const entity = all.get(did)!
        return (
          entity.updatedAt >= updatedSince &&
          Object.entries(same).every(([key, value]) => entity[key as keyof typeof entity] === value) &&
          Object.entries(properties).every(([key, value]) => `${entity.properties[key]}` === value)
        )
      })
      for (const limit of [9, 200]) {
        const found = await pages(filters, limit)
        expect(found.flat(), JSON.stringify(filters)).toEqual(fitting)
        expect(found.slice(0, -1).every(page => page.length === limit)).toBe(true)
      }
    }
  })

  const skipTo = (storage: Storage<EntitiesTables>, position: number) =>
    storage.write(tx =>
      name === 'sqlite'
        ? sql`update sqlite_sequence set seq = ${position - 1} where name = 'entities_listing'`.execute(tx)
        : sql`select setval('entities_listing_position_seq', ${position - 1})`.execute(tx),
    )

  test('lists go over the borders of windows, and end a page that would cost too much early', async () => {
    const all = await fixture()
    const { storage, index, pages, reader, clock, writer } = all
    const dids: string[] = []
    for (const position of [1, index.window - 1, index.window, 2 * index.window + 1, 9_000_000]) {
      if (position > 1) await skipTo(storage, position)
      dids.unshift((await create(all, { type: 'Meter', properties: { fuel: 'wood' } })).did)
    }
    clock.now += 1_000
    await writer.update(dids.at(-1)!, { properties: { ports: 1 } }, owner, 1)
    expect((await pages({ type: 'Meter', properties: { fuel: 'wood' } }, 2)).flat()).toEqual(dids)
    expect((await pages({ properties: { ports: '1' } }, 2)).flat()).toEqual([dids.at(-1)])
    const { entities, next } = await reader.list({ properties: { ports: '1' } }, 2)
    expect(entities).toEqual([])
    expect(next).toBeDefined()
  })

  test('if many were changed since, a list still has each match', async () => {
    const all = await fixture()
    const { clock, writer, pages } = all
    const old = await create(all, { type: 'Meter', properties: { number: -1 } })
    clock.now += 10_000
    const since = clock.now
    const dids = await Promise.all(
      Array.from({ length: 620 }, (_, number) =>
        writer
          .create({ type: 'Meter', properties: { third: number % 3 === 0 } }, owner)
          .then(({ entity }) => entity.did),
      ),
    )
    expect(new Set((await pages({ updatedSince: since }, 200)).flat())).toEqual(new Set(dids))
    expect((await pages({ updatedSince: since, properties: { third: 'true' } }, 50)).flat()).toHaveLength(207)
    await writer.update(old.did, { properties: { third: true } }, owner, 1)
    const found = (await pages({ updatedSince: since, properties: { third: 'true' } }, 200)).flat()
    expect([found.length, found.at(-1)]).toEqual([208, old.did])
  })

  test('a page of large entities ends early, and pages together have all of them', async () => {
    const all = await fixture()
    const made: string[] = []
    for (let number = 0; number < 16; number += 1) {
      all.clock.now += 1_000
      const properties = { text: 'x'.repeat(90_000), fuel: number % 2 === 0 ? 'wood' : 'gas' }
      made.unshift((await create(all, { type: 'Meter', properties })).did)
    }
    const since: readonly EntityFilters[] = [{}, { updatedSince: 0 }, { updatedSince: all.clock.now - 9_000 }]
    for (const filters of since) {
      const pages = await all.pages(filters, 200)
      const wanted = filters.updatedSince ? made.slice(0, 10) : made
      expect(pages.flat()).toEqual(wanted)
      expect(Math.max(...pages.map(page => page.length))).toBeLessThan(8)
    }
    const wood = await all.pages({ properties: { fuel: 'wood' } }, 3)
    expect(wood.flat()).toEqual(made.filter((_, index) => index % 2 === 1))
    expect((await all.reader.byIds(made.map(did => did.slice(-26)))).size).toBe(16)
  })

  test('no query of a read or a list scans a table', async () => {
    const storage = await open()
    const { index } = readingFixture(storage)
    await fill(storage, name, 5_000)
    const documents = (await storage.read.selectFrom('entities_entities').select('id').orderBy('id').execute()).map(
      ({ id }, number) => ({ id, terms: [1, 100 + (number % 100), 1_000 + number] }),
    )
    await storage.write(tx => index.add(documents, tx))
    await storage.write(tx => sql`analyze`.execute(tx))
    const ids = documents.slice(3_000, 3_050)
    const find = name === 'sqlite' ? sqliteStatement : postgresStatement
    const window = { from: 0, before: 4_000, limit: 51 }
    const statements = {
      'all entities': find({ ...window, terms: [] }),
      'a common term': find({ ...window, terms: [1] }),
      'a rare term': find({ ...window, terms: [1_500] }),
      'three terms': find({ ...window, terms: [1, 103, 4_003] }),
      'sizes of a page': sizesStatement(
        name,
        ids.map(({ id }) => id),
      ),
      'rows of a page': rowsStatement(
        name,
        ids.map(({ id }) => id),
      ),
      'changed since': sql`select id from entities_entities where updated_at >= ${4_900} order by updated_at limit 501`,
      'by id': sql`select * from entities_entities where id in (${ids[0]!.id}, ${ids[1]!.id})`,
      'its links': sql`
        select version from entities_events
        where entity_id = ${ids[0]!.id} and version > 0 and at <= 5 order by version limit 500`,
    }
    for (const [what, statement] of Object.entries(statements)) {
      const explain = sql.raw(name === 'sqlite' ? 'explain query plan' : 'explain')
      const { rows } = await sql<Record<string, unknown>>`${explain} ${statement}`.execute(storage.read)
      const steps = rows.map(row => String(row.detail ?? row['QUERY PLAN'])).join('\n')
      expect(steps, what).toMatch(/entities_(?:entities|listing|terms|events)|entity/)
      expect(steps, what).not.toMatch(/SCAN (?:entity|entities_(?!terms VIRTUAL TABLE INDEX \d+:M))/)
      expect(steps, what).not.toMatch(/Seq Scan on entities_/)
    }
  })
})

/** Rows of entities and events, made by the database itself. */
const fill = (storage: Storage<EntitiesTables>, engine: 'sqlite' | 'postgres', count: number): Promise<unknown> => {
  const numbers =
    engine === 'sqlite'
      ? sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`
      : sql`with numbers (n) as (select generate_series(1, ${sql.lit(count)}::int))`
  const id = engine === 'sqlite' ? sql`printf('%026d', n)` : sql`lpad(n::text, 26, '0')`
  const json = sql`'{"properties":{"fuel":"wood","serial":"a text that is as long as those of real ones are"}}'`
  const typed = engine === 'sqlite' ? json : sql`${json}::json`
  return storage.write(async tx => {
    await sql`
      insert into entities_entities
        (id, did, type, domain_class, controller, status, details, version, created_at, updated_at, hash)
      ${numbers} select ${id}, 'did:web:oracle.example:entities:' || ${id}, 'Meter', 'Physical Twins', 'did:web:a.example',
        'active', ${typed}, 1, n, n, ${'0'.repeat(64)} from numbers`.execute(tx)
    await sql`
      insert into entities_events
        (entity_id, version, kind, at, "by", change, previous_hash, hash, signature, signer)
      ${numbers} select ${id}, 1, 'created', n, 'did:web:a.example', ${typed}, '', '', '', '' from numbers`.execute(tx)
  })
}

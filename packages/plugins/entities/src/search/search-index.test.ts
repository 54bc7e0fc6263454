import { sql } from '@sibyl/plugin/storage'
import { expect, test } from 'vitest'
import type { EntityChange, StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { labelledQueries, programme } from './clean-cooking-programme.test.support.ts'
import { searchLocally } from './local-search.ts'
import { readQuery, type SearchQuery } from './read-query.ts'
import { createSearchIndex, searchProjection } from './search-projection.ts'
import { changeTo, readerOf, storedEntity } from './stored-entities.test.support.ts'

const stove = storedEntity({ type: 'CookStove', properties: { name: 'ACE One', location: { county: 'Kisumu' } } })
const hob = storedEntity({
  type: 'InductionHob',
  properties: { name: 'Volt Two', notes: ['for schools', 'in Kisumu'] },
})
const person = storedEntity({ type: 'Person', alsoKnownAs: ['Achieng Odhiambo'], properties: { age: 41 } })
const all = [stove, hob, person]

const apply = (storage: EntitiesStorage, changes: readonly EntityChange[]) =>
  storage.write(tx => searchProjection(createSearchIndex(storage)).apply(changes, tx))

const finder =
  (storage: EntitiesStorage, entities: readonly StoredEntity[] = all) =>
  async (query: string, narrowed: Partial<SearchQuery> = {}) => {
    const given = { query, limit: 20, ...narrowed }
    const found = await searchLocally(createSearchIndex(storage), readerOf(entities), given, readQuery(query))
    return found.map(({ id }) => id)
  }

await onEachEngine('the search index', engine => {
  const filled = async () => {
    const storage = await engine.open()
    await apply(
      storage,
      all.map(entity => changeTo(entity)),
    )
    return storage
  }

  test('an entity is found by what it says', async () => {
    const find = finder(await filled())
    for (const [by, query, ids] of [
      ['its type', 'cook stoves', [stove.id]],
      ['its name, begun', 'volt tw', [hob.id]],
      ['a name of before', 'odhiambo', [person.id]],
      ['a text inside of an object', 'KISUMU county', [stove.id, hob.id]],
      ['a text in a list', 'schools', [hob.id]],
      ['its DID', stove.did, [stove.id]],
      ['its id', stove.id, [stove.id]],
      ['nothing that it says', 'biogas', []],
    ] as const)
      expect(await find(query), by).toEqual(ids)
  })

  test('a search is narrowed by type and protocol, and with no word the newest come', async () => {
    const protocol = { did: person.did, version: 1 }
    const under = storedEntity({ type: 'CookStove', protocol, properties: { name: 'Mimi Moto' } })
    const storage = await filled()
    await apply(storage, [changeTo(under)])
    const find = finder(storage, [...all, under])
    expect(await find('', { type: 'cook stove' })).toEqual([under.id, stove.id])
    expect(await find('', { type: 'CookStove', limit: 1 })).toEqual([under.id])
    expect(await find('', { protocol: person.did })).toEqual([under.id])
    expect(await find('ace', { protocol: person.did })).toEqual([])
    expect(await find('kisumu', { type: 'InductionHob' })).toEqual([hob.id])
    expect(await find('')).toEqual([])
  })

  test('it follows the changes of entities, also several of one in one transaction', async () => {
    const storage = await filled()
    const renamed = { ...stove, properties: { name: 'Jikokoa' }, version: 2 }
    const lent = storedEntity({ type: 'Pot' })
    const named = { ...lent, properties: { name: 'Sufuria' }, version: 2 }
    await apply(storage, [changeTo(renamed, stove), changeTo(lent), changeTo(named, lent)])
    const find = finder(storage, [renamed, hob, person, named])
    expect(await find('ace')).toEqual([])
    expect(await find('jikokoa')).toEqual([stove.id])
    expect(await find('sufuria')).toEqual([lent.id])

    const gone = { ...renamed, status: 'deactivated' as const, version: 3 }
    await apply(storage, [changeTo(gone, renamed)])
    expect(await finder(storage, [renamed])('jikokoa')).toEqual([])
  })

  test('of labelled queries what was meant is among the first five', async () => {
    const entities = programme.map(storedEntity)
    const memberOf = new Map(entities.map(({ id }, place) => [id, programme[place]!]))
    const storage = await engine.open()
    await apply(
      storage,
      entities.map(entity => changeTo(entity)),
    )
    const find = finder(storage, entities)

    const missed: string[] = []
    let sum = 0
    for (const { query, type, relevant } of labelledQueries) {
      const wanted = Math.min(5, programme.filter(relevant).length)
      const found = await find(query, { limit: 5, type })
      const right = found.filter(id => relevant(memberOf.get(id)!)).length
      expect(wanted, query).toBeGreaterThan(0)
      sum += right / wanted
      if (right < wanted) missed.push(query)
    }
    expect(missed).toEqual(['thies biogas'])
    expect(sum / labelledQueries.length).toBeGreaterThanOrEqual(0.98)
  })

  test('a transaction that fails leaves no words behind', async () => {
    const storage = await engine.open()
    const failing = storage.write(async tx => {
      await searchProjection(createSearchIndex(storage)).apply([changeTo(stove)], tx)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await apply(storage, [changeTo(hob)])
    expect(await finder(storage)('kisumu')).toEqual([hob.id])
  })

  test('whatever is typed is read as words, and never as a query of the engine', async () => {
    const find = finder(await filled())
    for (const query of [
      `"ace" OR names:*`,
      'ace NEAR(one, 2) NOT -one',
      '{names words}: ace',
      `'ace':* & !one | <->`,
      `ace\\' :* \u0000 one`,
      'ace; drop table entities_search; --',
      'ace '.repeat(5_000),
      `${'"('.repeat(200)}ace`,
    ])
      expect(await find(query), query.slice(0, 60)).toContain(stove.id)
    const nothing = [
      '',
      ' ',
      '*',
      '"',
      '\u0000',
      '🔥🔥🔥',
      '\ud83d',
      '%%%',
      "''''",
      'x'.repeat(100_000),
      '\u202e',
      '清洁炉灶',
      '炉',
      'A',
    ]
    for (const query of nothing) expect(await find(query), query.slice(0, 60)).toEqual([])
  })

  test('scripts without spaces are found by a part, and texts without end to their limits', async () => {
    const chinese = storedEntity({ type: 'CookStove', properties: { name: '清洁炉灶一号' } })
    const large = storedEntity({
      type: 'Device',
      properties: {
        name: 'Limitless',
        story: 'word '.repeat(200_000),
        list: Array.from({ length: 5_000 }, (_, place) => `item${place}`),
        ['k'.repeat(60)]: 'é'.repeat(5_000),
      },
    })
    const storage = await engine.open()
    await apply(storage, [changeTo(chinese), changeTo(large)])
    const find = finder(storage, [chinese, large])
    for (const query of ['清洁炉灶', '炉灶', '一']) expect(await find(query), query).toEqual([chinese.id])
    expect(await find('limitless')).toEqual([large.id])
    expect(await find('item4999')).toEqual([])
  })

  test.runIf(engine.name === 'sqlite')('no query scans a table', async () => {
    const storage = await filled()
    const steps = await sql<{ detail: string }>`
      explain query plan
      select entity_id from (
        select rowid as found from entities_search where entities_search match '"ace"' order by rowid desc limit 50
      ) cross join entities_search_documents on document = found`.execute(storage.read)
    const plan = steps.rows.map(({ detail }) => detail).join('; ')
    expect(plan).toMatch(/SCAN entities_search VIRTUAL TABLE INDEX \d+:M/)
    expect(plan).toContain('SEARCH entities_search_documents USING INTEGER PRIMARY KEY')
  })
})

import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { factIdOf } from '../facts/fact.ts'
import { labelledFacts } from '../testing/labelled-facts.test.support.ts'
import { embeddedMemory } from './embedded-memory.ts'
import type { MemoryStorage, MemoryTables } from './memory-tables.ts'
import { memoryMigrations } from './memory-tables.ts'

const ada = 'did:key:ada'
const ben = 'did:key:ben'
const day = 86_400_000

const onEachEngine = onEachEngineWith<MemoryTables>('memory', memoryMigrations)

await onEachEngine('the embedded memory', engine => {
  const open = async (factsPerPerson = 100) => {
    const storage: MemoryStorage = await engine.open()
    let now = Date.parse('2026-11-21T12:00:00Z')
    let calls = 0
    const store = embeddedMemory({ storage, clock: { now: () => now }, factsPerPerson })
    return {
      storage,
      store,
      pass: (ms: number) => {
        now += ms
      },
      report: async (did: string, text: string, more: { tags?: string[]; importance?: number } = {}) =>
        store.remember({ did }, { text, tags: [], ...more }, `call-${++calls}`),
      find: async (did: string, text: string, limit = 5) =>
        (await store.recall(did, text, limit)).map(({ fact }) => fact.text),
    }
  }

  test('deletes all facts of a user with many, also after an interruption', { tags: 'long' }, async () => {
    const { storage, store, report } = await open(1_000)
    for (let number = 0; number < 260; number += 1) await report(ada, `Meter ${number} stands in house ${number}`)
    await report(ben, 'Ben reads meters on Mondays')
    let writes = 0
    const write: MemoryStorage['write'] = async (work, options) => {
      writes += 1
      if (writes > 2) throw new Error('ended')
      return storage.write(work, options)
    }
    const { engine: name, read } = storage
    const failing = { engine: name, read, write } as MemoryStorage
    const ended = embeddedMemory({ storage: failing, clock: { now: Date.now }, factsPerPerson: 1_000 })
    await expect(ended.forgetAll(ada)).rejects.toThrow('ended')
    await store.forgetAll(ada)
    expect((await store.list(ada, 10)).facts).toEqual([])
    expect((await store.list(ben, 10)).facts).toHaveLength(1)
    const { count } = await storage.read
      .selectFrom('memory_words')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBeLessThan(10)
    for (let number = 0; number < 260; number += 1) await report(ada, `Meter ${number} stands in house ${number}`)
    expect(await store.forgetAll(ada)).toBe(260)
  })

  test('finds facts whatever the forms and the order of the words', async () => {
    const { report, find } = await open()
    for (const text of [
      'Zawadi is allergic to peanuts',
      'Juma works in the harbour',
      'Les voisins préfèrent le café',
      'Mama anapenda chai ya tangawizi',
      '我住在北京',
      'The meeting with the beekeepers is on 3 March',
    ])
      await report(ada, text)
    for (const [question, answer] of [
      ['which allergies does Zawadi have?', 'Zawadi is allergic to peanuts'],
      ['peanut', 'Zawadi is allergic to peanuts'],
      ['Who is working at the harbours?', 'Juma works in the harbour'],
      ['le voisin et le cafe', 'Les voisins préfèrent le café'],
      ['chai', 'Mama anapenda chai ya tangawizi'],
      ['北京', '我住在北京'],
      ['beekeep', 'The meeting with the beekeepers is on 3 March'],
      ['3 march?', 'The meeting with the beekeepers is on 3 March'],
    ] as const)
      expect((await find(ada, question))[0], question).toBe(answer)
    expect(await find(ada, 'submarine')).toEqual([])
  })

  test('facts under fresh keys count for the holder of the right, and stay with whom they belong to', async () => {
    const { store, find } = await open(2)
    const report = (did: string, text: string) =>
      store.remember({ did, holder: 'did:key:holder' }, { text, tags: [] }, text)
    await report(ada, 'Ada keeps otters')
    await report(ben, 'Ben keeps badgers')
    await expect(report('did:key:fresh', 'Cleo keeps cats')).rejects.toThrow('the limit of 2 facts is reached')
    await expect(
      store.remember({ did: 'did:key:holder' }, { text: 'The holder keeps dogs', tags: [] }, 'x'),
    ).rejects.toThrow('2 facts')
    expect([await find(ada, 'otters'), await find(ada, 'badgers')]).toEqual([['Ada keeps otters'], []])
    await store.forgetAll(ben)
    await report('did:key:fresh', 'Cleo keeps cats')
    await store.remember({ did: 'did:key:other' }, { text: 'Another holder', tags: [] }, 'y')
  })

  test('rare words count more, then recency, then importance', async () => {
    const { report, find, pass } = await open()
    for (let place = 0; place < 20; place += 1) await report(ada, `Neighbour ${place} grows tomatoes`)
    await report(ada, 'The greenhouse has a leak and tomatoes')
    expect((await find(ada, 'tomatoes in the greenhouse'))[0]).toBe('The greenhouse has a leak and tomatoes')

    await report(ben, 'Ben lives in Paris')
    pass(400 * day)
    await report(ben, 'Ben lives in Berlin')
    expect(await find(ben, 'Where does Ben live?')).toEqual(['Ben lives in Berlin', 'Ben lives in Paris'])

    await report(ben, 'Ben drinks tea', { importance: 1 })
    await report(ben, 'Ben drinks milk', { importance: 5 })
    expect(await find(ben, 'what does Ben drink', 2)).toEqual(['Ben drinks milk', 'Ben drinks tea'])
    expect((await find(ben, 'what do you know about me?', 1))[0]).toBe('Ben drinks milk')
  })

  test('the same fact twice is one, refreshed; a call made again finds its own', async () => {
    const { store, report, pass, find } = await open()
    const { fact } = await report(ada, 'Ada likes tea.', { tags: ['food'], importance: 4 })
    pass(day)
    const again = await report(ada, 'ada  likes TEA', { tags: ['drinks'] })
    expect(again).toMatchObject({ isNew: false, fact: { id: fact.id, importance: 4, createdAt: fact.createdAt } })
    expect(again.fact).toMatchObject({ text: 'ada  likes TEA', tags: ['drinks', 'food'] })
    expect(again.fact.updatedAt - fact.updatedAt).toBe(day)
    expect(await find(ada, 'drinks')).toEqual(['ada  likes TEA'])

    const reported = { text: 'Ada has a cat', tags: [] }
    const results = await Promise.all([1, 2, 3].map(() => store.remember({ did: ada }, reported, 'one call')))
    expect(new Set(results.map(({ fact }) => fact.id))).toEqual(new Set([factIdOf(ada, 'one call')]))
    expect(results.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await store.list(ada, 10)).facts).toHaveLength(2)
  })

  test('an id that no fact can have forgets nothing', async () => {
    const { store, report } = await open()
    await report(ada, 'Ada likes tea')
    for (const id of ['\0', 'a\0b', '\ud800', '%']) expect(await store.forget(ada, id)).toBe(false)
  })

  test('a person has so many facts and no more', async () => {
    const { store, report } = await open(2)
    await report(ada, 'one fact')
    const { fact } = await report(ada, 'two facts')
    await expect(report(ada, 'three facts')).rejects.toThrow('the limit of 2 facts is reached')
    expect(await report(ada, 'One fact')).toMatchObject({ isNew: false })
    await report(ben, 'another person')
    await store.forget(ada, fact.id)
    await report(ada, 'three facts')
  })

  test('two people never see each other', async () => {
    const { store, report, find } = await open()
    const { fact } = await report(ada, 'The safe is behind the picture')
    await report(ben, 'The picture shows a ship')
    expect(await find(ben, 'safe behind the picture')).toEqual(['The picture shows a ship'])
    expect((await store.list(ben, 10)).facts.map(({ text }) => text)).toEqual(['The picture shows a ship'])
    expect(await store.forget(ben, fact.id)).toBe(false)
    expect(await store.forgetAll(ben)).toBe(1)
    expect(await store.forgetAll(ben)).toBe(0)
    expect(await find(ada, 'safe')).toEqual(['The safe is behind the picture'])
    expect(await find('did:key:nobody', 'safe')).toEqual([])
  })

  test('deleted facts are in no table', async () => {
    const { storage, store, report, find } = await open()
    const { fact } = await report(ada, 'Ada has a tattoo', { tags: ['private'] })
    await report(ada, 'Ada has a boat')
    expect(await store.forget(ada, fact.id)).toBe(true)
    expect(await store.forget(ada, fact.id)).toBe(false)
    const rows = async () => ({
      people: await storage.read.selectFrom('memory_people').selectAll().execute(),
      facts: await storage.read.selectFrom('memory_facts').selectAll().execute(),
      words: await storage.read.selectFrom('memory_words').selectAll().execute(),
    })
    expect(JSON.stringify(await rows())).not.toMatch(/tat+o|privat/)
    expect(await find(ada, 'boat')).toEqual(['Ada has a boat'])
    await store.forgetAll(ada)
    expect(await rows()).toEqual({ people: [], facts: [], words: [] })
  })

  test('pages have every fact once, also of one moment', async () => {
    const { store, report, pass } = await open()
    for (let place = 0; place < 25; place += 1) {
      await report(ada, `fact ${place}`)
      if (place % 10 === 0) pass(day)
    }
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { facts, next } = await store.list(ada, 7, cursor)
      seen.push(...facts.map(({ text }) => text))
      if (next === undefined) break
      cursor = next
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, place) => `fact ${24 - place}`))
    for (const cursor of ['x', 'MS4', '1.2', Buffer.from('1.x').toString('base64url')])
      await expect(store.list(ada, 7, cursor)).rejects.toMatchObject({ code: 'cursor_invalid' })
  })

  test('whatever is asked is read as words', async () => {
    const { report, find } = await open()
    await report(ada, `Ada's 'quoted' fact; drop table memory_words; --`)
    for (const question of [`' or 1=1 --`, '%', '*', '"', '\u0000', '\ud83d', '🔥', ')', `${'a" OR '.repeat(3_000)}`])
      expect(await find(ada, question), question.slice(0, 20)).toEqual(expect.any(Array))
    expect(await find(ada, `quoted') union select`)).toHaveLength(1)
    expect(await find(ada, `${'filler '.repeat(5_000)} quoted`)).toHaveLength(1)
  })

  test('a long fact of strange words is kept and found', async () => {
    const { store, report, find } = await open()
    const { fact } = await report(ada, Array.from({ length: 400 }, (_, place) => `w${place}`).join(' '))
    expect(await find(ada, 'w7')).toHaveLength(1)
    await report(ada, '🔥🔥')
    expect(await store.forget(ada, fact.id)).toBe(true)
    expect(await find(ada, 'w7')).toEqual([])
  })

  test('of labelled questions the answer is among the first five, and small talk brings nothing', async () => {
    const { facts, questions, smallTalk } = labelledFacts(400)
    const { storage } = await open()
    const store = embeddedMemory({ storage, clock: { now: () => day * 800 }, factsPerPerson: 1_000 })
    for (const [place, fact] of facts.entries()) await store.remember({ did: ada }, fact, `key-${place}`)
    const missed: string[] = []
    for (const { text, answer, wording } of questions) {
      const found = await store.recall(ada, text, 5)
      if (!found.some(({ fact }) => fact.text === facts[answer]!.text) && wording !== 'other words') missed.push(text)
    }
    expect(questions.length).toBeGreaterThan(20)
    expect(missed).toEqual([])
    for (const text of smallTalk)
      expect(
        (await store.recall(ada, text, 8)).filter(({ isRelevant }) => isRelevant),
        text,
      ).toEqual([])
  })
})

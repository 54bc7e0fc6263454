import { onEachEngineWith } from '@sibyl/storage/testing/engines'
import { expect, test } from 'vitest'
import { createPreferencesStore } from './preferences-store.ts'
import { type PreferencesTables, preferencesMigrations } from './preferences-tables.ts'

const ada = 'did:key:z6MkAda'
const ben = 'did:key:z6MkBen'

const onEachEngine = onEachEngineWith<PreferencesTables>('user-preferences', preferencesMigrations)

await onEachEngine('preferences', engine => {
  const open = async (url?: string) => {
    const storage = await engine.open(url === undefined ? {} : { url })
    const rows = async () => (await storage.read.selectFrom('user_preferences_people').select('did').execute()).length
    return { rows, store: createPreferencesStore(storage) }
  }

  test('a patch sets what it names, drops what is null and leaves the rest, each person for themselves', async () => {
    const { store, rows } = await open()
    expect(await store.get(ada)).toEqual({})
    expect(await store.change(ada, { language: 'SW-tz', units: 'imperial', name: 'Ada' })).toEqual({
      language: 'sw-TZ',
      units: 'imperial',
      name: 'Ada',
    })
    expect(await store.get(ben)).toEqual({})
    await store.set(ben, { tone: 'formal', timeZone: 'africa/lusaka' })
    expect(await store.change(ada, { units: null, tone: 'short', timeZone: null })).toEqual({
      language: 'sw-TZ',
      tone: 'short',
      name: 'Ada',
    })
    expect(await store.change(ada, {})).toEqual(await store.get(ada))
    expect(await store.get(ben)).toEqual({ tone: 'formal', timeZone: 'Africa/Lusaka' })
    expect(await store.change(ada, { language: null, tone: null, name: null })).toEqual({})
    expect(await store.change('did:key:z6MkNobody', { name: null })).toEqual({})
    expect(await rows()).toBe(1)
    await store.erase(ben)
    await store.erase(ben)
    expect([await store.get(ben), await rows()]).toEqual([{}, 0])
  })

  test('the names of people are read by DID and in order', async () => {
    const { store } = await open()
    await store.set(ben, { name: 'Ben' })
    await store.set(ada, { name: 'Ada' })
    await store.set('did:key:z6MkQuiet', { tone: 'short' })
    expect(await store.names.of([ben, 'did:key:z6MkQuiet'])).toEqual(new Map([[ben, 'Ben']]))
    const all = []
    for await (const one of store.names.all()) all.push(one)
    expect(all).toEqual([
      { did: ada, name: 'Ada' },
      { did: ben, name: 'Ben' },
    ])
  })

  test('concurrent changes all take effect, also of two processes', async () => {
    const url = await engine.emptyDatabase()
    const { store } = await open(url)
    const { store: other } = engine.name === 'postgres' ? await open(url) : { store }
    await Promise.all([
      store.set(ada, { name: 'Ada' }),
      other.set(ada, { language: 'ny' }),
      store.set(ada, { units: 'metric' }),
      other.set(ada, { tone: 'short', timeZone: 'Africa/Lusaka' }),
    ])
    expect(await store.get(ada)).toEqual({
      name: 'Ada',
      language: 'ny',
      units: 'metric',
      tone: 'short',
      timeZone: 'Africa/Lusaka',
    })
  })

  test('an invalid preference rejects the whole change', async () => {
    const { store } = await open()
    const change = store.change(ada, { name: 'Ada', units: 'kelvin', colour: 'red' })
    await expect(change).rejects.toMatchObject({
      code: 'preferences_invalid',
      status: 400,
      issues: expect.arrayContaining([
        expect.objectContaining({ path: '/units' }),
        { path: '/colour', message: 'is not a preference' },
      ]),
    })
    expect(await store.get(ada)).toEqual({})
  })
})

import { expect, test } from 'vitest'
import type { CryptoRecord, RecordChange } from './crypto-messages.ts'
import { IndexedRecords } from './indexed-records.ts'

const done = <Value>(request: IDBRequest<Value>): Promise<Value> => {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
  return promise
}

/** Opens a database as the crypto library does. */
const open = (version: number, upgrade: (database: IDBDatabase) => void): Promise<IDBDatabase> => {
  const request = indexedDB.open('keys', version)
  request.onupgradeneeded = () => upgrade(request.result)
  return done(request)
}

const stored = new Map<string, Uint8Array>()

const keep = (changes: readonly RecordChange[]): string[] => {
  for (const { place, value } of changes) {
    if (value === null) stored.delete(place)
    else stored.set(place, value)
  }
  return changes.map(({ place, value }) => `${value === null ? '-' : '+'}${place}`)
}

test('reports what changed, and restores it, also for a later version of the library with other stores', async () => {
  const first = new IndexedRecords()
  const database = await open(1, created => {
    created.createObjectStore('sessions').createIndex('by-user', 'user')
    created.createObjectStore('counters', { autoIncrement: true })
    created.createObjectStore('old')
  })
  expect(keep(await first.takeChanges())).toEqual(['+layout'])
  const store = (name: string) => database.transaction(name, 'readwrite').objectStore(name)
  await done(store('sessions').put({ user: 'ada', ratchet: new Uint8Array([1, 2]) }, 'a'))
  await done(store('sessions').put({ user: 'ben' }, 'b'))
  await done(store('sessions').put({ user: 'eve' }, ['e', 1]))
  await done(store('counters').add('one'))
  await done(store('old').put(1, 'x'))
  expect(keep(await first.takeChanges()).sort()).toEqual([
    '+["keys","counters",1]',
    '+["keys","old","x"]',
    '+["keys","sessions","a"]',
    '+["keys","sessions","b"]',
    '+["keys","sessions",["e",1]]',
  ])
  expect(await first.takeChanges()).toEqual([])
  await done(store('sessions').delete(IDBKeyRange.only('b')))
  const cursor = await done(store('sessions').index('by-user').openCursor('ada'))
  await done(cursor!.update({ user: 'ada', ratchet: new Uint8Array([3]) }))
  await done(store('counters').clear())
  const changes = keep(await first.takeChanges())
  expect(changes.filter(change => change.startsWith('-')).sort()).toEqual([
    '-["keys","counters",1]',
    '-["keys","sessions","b"]',
  ])
  expect(changes).toContain('+["keys","sessions","a"]')
  database.close()
  first.close()
  await done(indexedDB.deleteDatabase('keys'))

  const records: CryptoRecord[] = [...stored].map(([place, value]) => ({ place, value }))
  const second = new IndexedRecords()
  await second.restore(records)
  const upgraded = await open(2, old => {
    old.deleteObjectStore('old')
    old.createObjectStore('new')
  })
  expect(keep(await second.takeChanges()).sort()).toEqual(['+layout', '-["keys","old","x"]'])
  const restored = await done(upgraded.transaction('sessions').objectStore('sessions').index('by-user').get('ada'))
  expect(restored).toEqual({ user: 'ada', ratchet: new Uint8Array([3]) })
  upgraded.close()
  second.close()
})

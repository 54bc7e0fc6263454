import 'fake-indexeddb/auto'
import { deserialize, serialize } from 'node:v8'
import type { CryptoRecord, RecordChange } from './crypto-messages.ts'

/** Place of the record that describes the databases, their object stores and versions. */
const layoutPlace = 'layout'

interface StoreLayout {
  readonly name: string
  readonly keyPath: string | string[] | null
  readonly autoIncrement: boolean
  readonly indexes: readonly {
    readonly name: string
    readonly keyPath: string | string[]
    readonly unique: boolean
    readonly multiEntry: boolean
  }[]
}

interface DatabaseLayout {
  readonly name: string
  readonly version: number
  readonly stores: readonly StoreLayout[]
}

type Mutation = 'put' | 'add' | 'delete' | 'clear'

/** Records of the IndexedDB databases of this thread, which are in memory: reads them back, and reports changes. */
export class IndexedRecords {
  /** All records, by place. */
  readonly #known = new Set<string>()
  readonly #touched = new Set<string>()
  readonly #databases = new Map<string, IDBDatabase>()
  #layout = ''
  #isPaused = false

  constructor() {
    this.#watchStores()
    this.#watchCursors()
  }

  close(): void {
    for (const database of this.#databases.values()) database.close()
    this.#databases.clear()
  }

  /** Creates the databases with stored records, before the crypto store opens them. */
  async restore(records: readonly CryptoRecord[]): Promise<void> {
    const byPlace = new Map(records.map(({ place, value }) => [place, value]))
    const layout = byPlace.get(layoutPlace)
    if (!layout) return
    byPlace.delete(layoutPlace)
    this.#layout = Buffer.from(layout).toString()
    this.#isPaused = true
    const entries = [...byPlace].map(([place, value]) => ({ ...readPlace(place), place, value }))
    const byDatabase = Map.groupBy(entries, ({ database }) => database)
    for (const database of JSON.parse(this.#layout) as DatabaseLayout[]) {
      const opened = await openDatabase(database)
      for (const [store, own] of Map.groupBy(byDatabase.get(database.name) ?? [], one => one.store)) {
        const transaction = opened.transaction(store, 'readwrite')
        for (const { key, place, value } of own) {
          transaction.objectStore(store).put(deserialize(value), key)
          this.#known.add(place)
        }
        await ended(transaction)
      }
      opened.close()
    }
    this.#isPaused = false
  }

  /** Returns the records that changed since the last call. */
  async takeChanges(): Promise<RecordChange[]> {
    const changes: RecordChange[] = []
    if (this.#databases.size === 0) changes.push(...(await this.#openAll()))
    const places = [...this.#touched].map(place => ({ place, ...readPlace(place) }))
    this.#touched.clear()
    for (const [name, own] of Map.groupBy(places, ({ database }) => database)) {
      const database = this.#databases.get(name)
      for (const [store, some] of Map.groupBy(own, one => one.store)) {
        if (!database?.objectStoreNames.contains(store)) {
          changes.push(...some.map(({ place }) => ({ place, value: null })))
          continue
        }
        const records = database.transaction(store).objectStore(store)
        changes.push(
          ...(await Promise.all(
            some.map(async ({ place, key }) => {
              const value: unknown = await result(records.get(key))
              return { place, value: value === undefined ? null : new Uint8Array(serialize(value)) }
            }),
          )),
        )
      }
    }
    for (const { place, value } of changes) {
      if (value === null) this.#known.delete(place)
      else if (place !== layoutPlace) this.#known.add(place)
    }
    return changes
  }

  /** Opens the databases, once the crypto store has created or upgraded them. @returns their layout, if it changed */
  async #openAll(): Promise<RecordChange[]> {
    const layouts: DatabaseLayout[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const opened = await result(indexedDB.open(name))
      this.#databases.set(name, opened)
      layouts.push(layoutOf(opened))
    }
    const layout = JSON.stringify(layouts)
    if (layout === this.#layout) return []
    this.#layout = layout
    for (const place of this.#known) {
      const { database, store } = readPlace(place)
      if (!this.#databases.get(database)?.objectStoreNames.contains(store)) this.#touched.add(place)
    }
    return [{ place: layoutPlace, value: new Uint8Array(Buffer.from(layout)) }]
  }

  #touch(store: IDBObjectStore, key: unknown): void {
    if (!this.#isPaused) this.#touched.add(placeOf(store.transaction.db.name, store.name, key))
  }

  /** Marks all records of a store. */
  #touchAll({ name, transaction }: IDBObjectStore): void {
    if (this.#isPaused) return
    for (const place of new Set([...this.#known, ...this.#touched])) {
      const { database, store } = readPlace(place)
      if (database === transaction.db.name && store === name) this.#touched.add(place)
    }
  }

  #watchStores(): void {
    const prototype = IDBObjectStore.prototype as unknown as Record<Mutation, (...args: unknown[]) => IDBRequest>
    const touch = (store: IDBObjectStore, key: unknown) => this.#touch(store, key)
    const touchAll = (store: IDBObjectStore) => this.#touchAll(store)
    for (const name of ['put', 'add', 'delete', 'clear'] as const) {
      const original = prototype[name]
      prototype[name] = function (this: IDBObjectStore, ...args: unknown[]) {
        const request = original.apply(this, args)
        const [first, second] = args
        const key = name === 'delete' ? first : second
        if (name === 'clear' || key instanceof IDBKeyRange) touchAll(this)
        else if (key !== undefined) touch(this, key)
        else request.addEventListener('success', () => touch(this, request.result))
        return request
      }
    }
  }

  #watchCursors(): void {
    const prototype = IDBCursor.prototype as unknown as Record<'update' | 'delete', (...args: unknown[]) => IDBRequest>
    const touch = (store: IDBObjectStore, key: unknown) => this.#touch(store, key)
    for (const name of ['update', 'delete'] as const) {
      const original = prototype[name]
      prototype[name] = function (this: IDBCursor, ...args: unknown[]) {
        const store = 'objectStore' in this.source ? this.source.objectStore : this.source
        touch(store, this.primaryKey)
        return original.apply(this, args)
      }
    }
  }
}

const placeOf = (database: string, store: string, key: unknown): string => JSON.stringify([database, store, key])

const readPlace = (place: string) => {
  const [database, store, key] = JSON.parse(place) as [string, string, IDBValidKey]
  return { database, store, key }
}

const result = <Value>(request: IDBRequest<Value>): Promise<Value> => {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
  return promise
}

const ended = (transaction: IDBTransaction): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  transaction.oncomplete = () => resolve()
  transaction.onabort = () => reject(transaction.error)
  return promise
}

const openDatabase = ({ name, version, stores }: DatabaseLayout): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, version)
  request.onupgradeneeded = () => {
    for (const { name: storeName, keyPath, autoIncrement, indexes } of stores) {
      const store = request.result.createObjectStore(storeName, { keyPath, autoIncrement })
      for (const index of indexes) store.createIndex(index.name, index.keyPath, index)
    }
  }
  return result(request)
}

const layoutOf = (database: IDBDatabase): DatabaseLayout => {
  const stores = [...database.objectStoreNames].map(name => {
    const store = database.transaction(name).objectStore(name)
    const indexes = [...store.indexNames].map(indexName => {
      const { keyPath, unique, multiEntry } = store.index(indexName)
      return { name: indexName, keyPath, unique, multiEntry }
    })
    return { name, keyPath: store.keyPath, autoIncrement: store.autoIncrement, indexes }
  })
  return { name: database.name, version: database.version, stores }
}

import { KeyStoreError } from '../errors/key-errors.ts'
import { asKeyRecord, type KeyRecord } from './key-record.ts'

const database = 'sibyl-keys'
const table = 'keys'

/** Reads the key of a name. */
export const readRecord = async (name: string): Promise<KeyRecord | undefined> =>
  asKeyRecord(await inTable('readonly', keys => keys.get(name)))

/** Stores a key, in place of any other. */
export const putRecord = (name: string, record: KeyRecord): Promise<unknown> =>
  inTable('readwrite', keys => keys.put(record, name))

/** Stores a key unless the name has a valid one; returns the one that is stored then. */
export const addRecord = async (name: string, record: KeyRecord): Promise<KeyRecord> => {
  let stored = record
  await inTable('readwrite', keys => {
    const reading = keys.get(name)
    reading.onsuccess = () => {
      const found = asKeyRecord(reading.result)
      if (found) stored = found
      else keys.put(record, name)
    }
    return reading
  })
  return stored
}

/** Removes the key of a name. */
export const removeRecord = (name: string): Promise<unknown> => inTable('readwrite', keys => keys.delete(name))

/** Runs one transaction on a connection of its own: an open connection would block other tabs from clearing the data. */
const inTable = async <Value>(
  mode: IDBTransactionMode,
  work: (keys: IDBObjectStore) => IDBRequest<Value>,
): Promise<Value> => {
  let connection: IDBDatabase | undefined
  try {
    connection = await connect()
    const transaction = connection.transaction(table, mode)
    const request = work(transaction.objectStore(table))
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
    })
    return request.result
  } catch (error) {
    throw new KeyStoreError({ cause: error })
  } finally {
    connection?.close()
  }
}

const connect = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(table)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

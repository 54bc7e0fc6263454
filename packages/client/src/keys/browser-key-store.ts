import { KeyLostError } from '../errors/key-errors.ts'
import { addRecord, putRecord, readRecord, removeRecord } from './key-database.ts'
import { generateKeyRecord, type KeyRecord, signWithRecord } from './key-record.ts'
import type { KeyStore, StoredKey } from './key-store.ts'

/**
 * Keeps a user's signing key in IndexedDB, where it survives reloads. Where the browser offers Ed25519, no script can read
 * the secret; a script of the page can still sign with it.
 *
 * Each signature reads the stored key, so that a key which another tab removed or replaced is never used.
 *
 * @param options.name Distinguishes several keys of one origin. @default 'default'
 *
 * @example
 * const keys = browserKeyStore()
 * const client = createClient({ url: location.origin, signer: await keys.open() })
 */
export const browserKeyStore = ({ name = 'default' }: { readonly name?: string } = {}): KeyStore => {
  const mark = keyMark(name)

  const keyOf = ({ did, secret }: KeyRecord): StoredKey => {
    mark.set(did)
    return {
      did,
      protection: secret instanceof Uint8Array ? 'extractable' : 'non-extractable',
      async sign(bytes) {
        const record = await readRecord(name)
        if (record?.did !== did) throw new KeyLostError(did)
        return signWithRecord(record, bytes)
      },
    }
  }

  return {
    async open() {
      // Read first: a mark that is set now belongs to a key that was stored before it.
      const created = mark.get()
      const record = await readRecord(name)
      if (record) return keyOf(record)
      if (created !== undefined) throw new KeyLostError(created)
      return keyOf(await addRecord(name, await generateKeyRecord()))
    },
    async replace() {
      const record = await generateKeyRecord()
      await putRecord(name, record)
      return keyOf(record)
    },
    async forget() {
      mark.clear()
      await removeRecord(name)
    },
  }
}

/** The DID of the created key, outside IndexedDB, which distinguishes a lost key from a first visit. */
const keyMark = (name: string) => {
  const item = `sibyl-key:${name}`
  const inStorage = <Value>(work: () => Value): Value | undefined => {
    try {
      return work()
    } catch {
      // Blocked or full: a lost key is then replaced without an error.
      return undefined
    }
  }
  return {
    get: () => inStorage(() => localStorage.getItem(item) ?? undefined),
    set: (did: string) => inStorage(() => localStorage.setItem(item, did)),
    clear: () => inStorage(() => localStorage.removeItem(item)),
  }
}

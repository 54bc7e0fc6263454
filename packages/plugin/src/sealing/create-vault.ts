import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'
import { SealBrokenError } from './seal-broken-error.ts'

/** Encrypts stored values, with keys derived from `PIN_ENCRYPTION_KEY` and previous keys. */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM under a fresh nonce, bound to `place`.
   *
   * @param place Where it is stored: table, column, a colon and the row. A value sealed for one place does not open in
   * another.
   * @returns text with the id of the key
   */
  seal(plain: string, place: string): string
  /** Decrypts. Throws `seal_broken` for a value that was changed or moved, or whose key is missing. */
  open(sealed: string, place: string): string
  /**
   * Returns keyed hashes (HMAC-SHA-256) for lookups of encrypted values: the first under the current key, for new rows,
   * the others under previous keys, for old rows. Each starts with the id of its key.
   *
   * @param purpose Separates hashes of one value in two tables: `phone`.
   */
  lookupHashes(value: string, purpose: string): readonly [string, ...string[]]
  /** The ids of all keys, which are public fingerprints, the current one first. */
  readonly keyIds: readonly [string, ...string[]]
  /** Returns whether a sealed text or a lookup hash uses the current key. */
  isCurrent(text: string): boolean
}

/** The keys of a vault, as bytes of `readSealingKey`. */
export interface VaultKeys {
  /** Seals and opens. */
  readonly current: Uint8Array
  /** Open only. */
  readonly old?: readonly Uint8Array[]
}

const cipher = 'aes-256-gcm'
const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/**
 * The number of sealing keys derived from one key; a place always has the same one. NIST SP 800-38D, section 8.3,
 * allows 2^32 messages with random nonces under one key, so that 2^44 messages stay within the limit.
 */
const sealingKeys = 4096

/**
 * Creates a vault. Everything is derived by HKDF-SHA-256 (RFC 5869): sealing keys, the key of lookup hashes and the id
 * of the key. A sealed text is `v1.<key id>.<base64url of nonce, ciphertext and tag>`, with the place as additional
 * data.
 *
 * @example const vault = createVault({ current: readSealingKey(text).bytes }) vault.open(vault.seal('2580',
 * 'ussd_customers.pin:123456782'), 'ussd_customers.pin:123456782')
 */
export const createVault = ({ current, old = [] }: VaultKeys): Vault => {
  const now = deriveKeys(current)
  const earlier = old.map(deriveKeys).filter(({ id }) => id !== now.id)
  const keys = new Map([now, ...earlier].map(each => [each.id, each]))
  const nonces = nonceSource()
  const head = `${version}.${now.id}.`

  return {
    seal(plain, place) {
      const nonce = nonces()
      const sealing = createCipheriv(cipher, now.sealing(place), nonce)
      sealing.setAAD(Buffer.from(place, 'utf8'))
      const ciphertext = sealing.update(plain, 'utf8')
      sealing.final()
      return head + Buffer.concat([nonce, ciphertext, sealing.getAuthTag()]).toString('base64url')
    },
    open(sealed, place) {
      const broken = (violation: ConstructorParameters<typeof SealBrokenError>[0], keyId?: string) =>
        new SealBrokenError(violation, place.split(':')[0] ?? '', keyId)
      const [form, keyId, text, ...rest] = sealed.split('.')
      if (form !== version || !keyId || !text || rest.length > 0) throw broken('not-sealed')
      const key = keys.get(keyId)
      if (!key) throw broken('unknown-key', keyId)
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) throw broken('not-sealed')
      const opening = createDecipheriv(cipher, key.sealing(place), bytes.subarray(0, nonceBytes))
      opening.setAAD(Buffer.from(place, 'utf8'))
      opening.setAuthTag(bytes.subarray(-tagBytes))
      const plain = opening.update(bytes.subarray(nonceBytes, -tagBytes))
      try {
        opening.final()
      } catch {
        throw broken('changed-or-moved', keyId)
      }
      return plain.toString('utf8')
    },
    lookupHashes(value, purpose) {
      const [first, ...others] = [...keys.values()].map(key => key.lookup(`${purpose}\0${value}`))
      return [first as string, ...others]
    },
    keyIds: [now.id, ...[...keys.keys()].slice(1)],
    isCurrent: text => text.startsWith(head) || text.startsWith(`${now.id}.`),
  }
}

/** Keys derived from one key. */
interface DerivedKeys {
  readonly id: string
  sealing(place: string): KeyObject
  lookup(text: string): string
}

const deriveKeys = (bytes: Uint8Array): DerivedKeys => {
  const derive = (info: string, length: number) => Buffer.from(hkdfSync('sha256', bytes, 'sibyl ussd', info, length))
  const id = derive('key id', 4).toString('hex')
  const lookupKey = createSecretKey(derive('lookup', 32))
  const master = createSecretKey(derive('sealing', 32))
  const made: (KeyObject | undefined)[] = Array.from({ length: sealingKeys })
  return {
    id,
    sealing(place) {
      const number = Number.parseInt(hash('sha256', place, 'hex').slice(0, 8), 16) % sealingKeys
      made[number] ??= createSecretKey(createHmac('sha256', master).update(`sealing ${number}`).digest())
      return made[number]
    },
    lookup: text => `${id}.${createHmac('sha256', lookupKey).update(text).digest('base64url')}`,
  }
}

/** Creates a source of random nonces, generated in batches and used once. */
const nonceSource = (): (() => Buffer) => {
  const pool = Buffer.alloc(nonceBytes * 256)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    used += nonceBytes
    return pool.subarray(used - nonceBytes, used)
  }
}

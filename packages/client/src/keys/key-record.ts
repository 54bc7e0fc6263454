import { didFromPublicKey, type SigningKey } from '@sibyl/identity/browser'

/** A key as IndexedDB stores it. */
export interface KeyRecord {
  readonly did: string
  /** A non-extractable key, or the 32 bytes where the browser offers no Ed25519. */
  readonly secret: CryptoKey | Uint8Array
}

/** Generates a key: non-extractable where the browser offers Ed25519. */
export const generateKeyRecord = async (): Promise<KeyRecord> => {
  const pair = await generatePair()
  if (!pair) {
    const secret = crypto.getRandomValues(new Uint8Array(32))
    return { did: (await extractableKey(secret)).did, secret }
  }
  const publicKey = await crypto.subtle.exportKey('raw', pair.publicKey)
  return { did: didFromPublicKey(new Uint8Array(publicKey)), secret: pair.privateKey }
}

const generatePair = async (): Promise<CryptoKeyPair | undefined> => {
  // Missing on plain http, whatever the types say.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  try {
    return (await subtle?.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair | undefined
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotSupportedError') return undefined
    throw error
  }
}

/** Returns the record if a stored value is one. */
export const asKeyRecord = (value: unknown): KeyRecord | undefined => {
  const { did, secret } = (value ?? {}) as Partial<KeyRecord>
  const hasSecret = secret instanceof Uint8Array || (typeof CryptoKey === 'function' && secret instanceof CryptoKey)
  return typeof did === 'string' && hasSecret ? { did, secret } : undefined
}

/** Signs with Ed25519. */
export const signWithRecord = async ({ secret }: KeyRecord, bytes: Uint8Array): Promise<Uint8Array> => {
  if (secret instanceof Uint8Array) return (await extractableKey(secret)).sign(bytes)
  return new Uint8Array(await crypto.subtle.sign('Ed25519', secret, Uint8Array.from(bytes)))
}

/** Loaded when needed: pages in browsers with Ed25519 do without its 8 kB. */
const extractableKey = async (secret: Uint8Array): Promise<SigningKey> =>
  (await import('./extractable-key.ts')).signingKeyFromSecret(secret)

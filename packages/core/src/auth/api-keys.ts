import { createHash, timingSafeEqual } from 'node:crypto'

/** One key of a list such as `ENTITIES_API_KEYS`. */
export interface ApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whom the key's holder acts as; the oracle's own DID when missing. */
  readonly did: string | undefined
}

/** A parsed list of keys. */
export interface ApiKeyList {
  /** The key that was presented, compared in constant time with all of them. */
  find(presented: string): ApiKey | undefined
  /** Entries that are not `name:key[:scopes[:did]]`, by their place from 1. */
  readonly faults: readonly number[]
}

/** The fewest characters of a key. */
const minKeyLength = 16

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Reads a list of API keys: `name:key[:scopes[:did]]`, separated by commas, scopes joined by `+`.
 *
 * @param defaultScopes What a key may do that names no scopes.
 */
export const parseApiKeys = (text: string | undefined, defaultScopes: readonly string[]): ApiKeyList => {
  const keys: { readonly digest: Buffer; readonly key: ApiKey }[] = []
  const faults: number[] = []
  const entries = (text ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')
  for (const [index, entry] of entries.entries()) {
    const [name = '', secret = '', scopes = '', ...did] = entry.split(':')
    if (name === '' || secret.length < minKeyLength) {
      faults.push(index + 1)
      continue
    }
    keys.push({
      digest: digest(secret),
      key: {
        name,
        scopes: scopes === '' ? defaultScopes : scopes.split('+'),
        did: did.length > 0 ? did.join(':') : undefined,
      },
    })
  }
  return {
    faults,
    find(presented) {
      const wanted = digest(presented)
      let found: ApiKey | undefined
      for (const { digest: known, key } of keys) if (timingSafeEqual(known, wanted)) found = key
      return found
    },
  }
}

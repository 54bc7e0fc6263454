import { createHash, timingSafeEqual } from 'node:crypto'

/** One key of a list such as `ORACLE_API_KEYS`. */
export interface ApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** Whom the key's holder acts as, where the list says so. */
  readonly did: string | undefined
}

/** A parsed list of keys. */
export interface ApiKeyList {
  /** How many keys can be presented. */
  readonly size: number
  /** The key that was presented, compared in constant time with all of them. */
  find(presented: string): ApiKey | undefined
  /** The keys of a name. */
  named(name: string): readonly ApiKey[]
  /** Entries that are not `name:key[:scopes[:did]]`, by their place from 1. */
  readonly faults: readonly number[]
}

/** How a list is read. */
export interface ApiKeyRules {
  /** What a key may do that names no scopes. */
  readonly defaultScopes: readonly string[]
  /** @default every scope that is not empty */
  readonly isScope?: (scope: string) => boolean
}

/** The fewest characters of a key. */
const minKeyLength = 16

/** The most characters of a key. */
export const maxKeyLength = 500

const nameForm = /^[\w.-]{1,64}$/
/** What can stand in an `Authorization: Bearer` header (RFC 6750). */
const keyForm = /^[\w.~+/=-]+$/
const didForm = /^did:[a-z0-9]+:[^\s,]+$/

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const entriesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/**
 * Reads a list of API keys: `name:key[:scopes[:did]]`, separated by commas, scopes joined by `+`. Two keys may have one
 * name, so that one can take the place of the other without a gap; one key cannot stand twice.
 */
export const parseApiKeys = (text: string | undefined, rules: ApiKeyRules): ApiKeyList => {
  const keys: { readonly digest: Buffer; readonly key: ApiKey }[] = []
  const faults: number[] = []
  const find = (presented: string): ApiKey | undefined => {
    if (keys.length === 0 || presented.length > maxKeyLength) return undefined
    const wanted = digest(presented)
    let found: ApiKey | undefined
    for (const { digest: known, key } of keys) if (timingSafeEqual(known, wanted)) found = key
    return found
  }
  for (const [index, entry] of entriesOf(text).entries()) {
    const read = readEntry(entry, rules)
    if (read && !find(read.secret)) keys.push({ digest: digest(read.secret), key: read.key })
    else faults.push(index + 1)
  }
  const named = (name: string) => keys.flatMap(({ key }) => (key.name === name ? [key] : []))
  return { size: keys.length, find, named, faults }
}

/** Every text of a list that may be somebody's key, for redaction: also of entries that are faulty. */
export const secretsInApiKeys = (text: string): string[] =>
  entriesOf(text).flatMap(entry => {
    const [name = '', secret] = entry.split(':')
    return [entry, secret ?? name].filter(part => part !== '')
  })

const readEntry = (
  entry: string,
  { defaultScopes, isScope = scope => scope !== '' }: ApiKeyRules,
): { readonly secret: string; readonly key: ApiKey } | undefined => {
  const [name = '', secret = '', scopeText = '', ...didParts] = entry.split(':')
  if (!nameForm.test(name) || !keyForm.test(secret)) return undefined
  if (secret.length < minKeyLength || secret.length > maxKeyLength) return undefined
  const scopes = scopeText === '' ? defaultScopes : scopeText.split('+')
  const did = didParts.length > 0 ? didParts.join(':') : undefined
  if (!scopes.every(isScope) || (did !== undefined && !didForm.test(did))) return undefined
  return { secret, key: { name, scopes, did } }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { normalDid } from '@sibyl/protocol'

/** One key of a list such as `ORACLE_API_KEYS`. */
export interface ApiKey {
  readonly name: string
  readonly scopes: readonly string[]
  /** The DID of the holder, if the list has one. */
  readonly did: string | undefined
}

/** A parsed list of keys. */
export interface ApiKeyList {
  /** The number of usable keys. */
  readonly size: number
  /** Returns the matching key, compared in constant time with all of them. */
  find(presented: string): ApiKey | undefined
  /** All keys, without their secrets. */
  readonly keys: readonly ApiKey[]
  named(name: string): readonly ApiKey[]
  /** Positions, from 1, of entries that are not `name:key[:scopes[:did]]`. */
  readonly faults: readonly number[]
}

/** Rules for parsing a list. */
export interface ApiKeyRules {
  /** The scopes of a key that has none. */
  readonly defaultScopes: readonly string[]
  /** @default every non-empty scope */
  readonly isScope?: (scope: string) => boolean
}

/** Minimum length of a key. */
const minKeyLength = 16

/** Maximum length of a key. */
export const maxKeyLength = 500

const nameForm = /^[\w.-]{1,64}$/
/** The characters of an `Authorization: Bearer` header (RFC 6750). */
const keyForm = /^[\w.~+/=-]+$/
const didForm = /^did:[a-z0-9]+:[^\s,]+$/

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const entriesOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/**
 * Parses a list of API keys: `name:key[:scopes[:did]]`, separated by commas, scopes joined by `+`. Two keys may have
 * one name, for a rotation without a gap; a key may occur only once.
 */
export const parseApiKeys = (text: string | undefined, rules: ApiKeyRules): ApiKeyList => {
  const keys: { readonly digest: Buffer; readonly key: ApiKey }[] = []
  const violations: number[] = []
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
    else violations.push(index + 1)
  }
  const named = (name: string) => keys.flatMap(({ key }) => (key.name === name ? [key] : []))
  return { size: keys.length, keys: keys.map(({ key }) => key), find, named, faults: violations }
}

/** Returns every text of a list that may be a key, for redaction, including those of invalid entries. */
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
  const did = didParts.length > 0 ? normalDid(didParts.join(':')) : undefined
  if (!scopes.every(isScope) || (did !== undefined && !didForm.test(did))) return undefined
  return { secret, key: { name, scopes, did } }
}

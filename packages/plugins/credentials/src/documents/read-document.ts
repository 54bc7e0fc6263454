import { isObject, type JsonValue, parseJson } from '@sibyl/protocol'
import type { JsonObject } from '../definitions/json-object.ts'
import { isJwt, type JwtProof, readJwt } from './read-jwt.ts'

/**
 * Returns whether every reader parses a number of a JSON text the same way, as a double does (RFC 8785 §3.2.2.3).
 * `9007199254740993` is rejected because some readers parse it as `9007199254740992`; `1.0` and `1e21` are accepted.
 *
 * @param text a number in JSON
 */
const isExactNumber = (text: string): boolean => {
  if (text.length <= surelyExact && !/[eE]/.test(text)) return true
  const value = Number(text)
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value))
}

/** Up to this length, a number has no more digits than a double can represent. */
const surelyExact = 15

/** Returns the normal form of a number: its digits without surrounding zeros, and the exponent of its last digit. */
const decimalOf = (text: string): string => {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`
}

/** Maximum length of a document's JSON, in characters. */
export const maxDocumentCharacters = 200_000

/** Maximum nesting depth of the objects and lists of a document. */
export const maxDocumentDepth = 24

/** Members of a request that may contain the credential, as in our own records and in the W3C VC API. */
export const credentialMembers = ['credential', 'verifiableCredential'] as const

/** A document, or the reason why it is invalid, safe to show. */
export type ReadDocument =
  | { readonly ok: true; readonly document: JsonObject; readonly jwt?: JwtProof }
  | { readonly ok: false; readonly detail: string }

/**
 * Reads JSON from a client so that all readers interpret it the same way. Rejects duplicate names, `__proto__`, and
 * numbers with more digits than a double can represent.
 *
 * @param text JSON of one object
 * @param members members that may contain the document; an object with a context or a proof is a document itself
 */
export const readDocument = (text: string, ...members: readonly string[]): ReadDocument => {
  if (text.length > maxDocumentCharacters) {
    return refused(`it has ${text.length} characters; the maximum is ${maxDocumentCharacters}`)
  }
  if (isJwt(text.trim())) return readJwt(text.trim(), readDocument)
  const { depth, members: written, numbers } = shapeOf(text)
  if (depth > maxDocumentDepth) return refused(`it is nested ${depth} levels deep; the maximum is ${maxDocumentDepth}`)
  const parsed = parseJson(text) as JsonValue | undefined
  if (parsed === undefined) return refused('it is not valid JSON')
  const violation = violationOf(parsed, written)
  if (violation !== undefined) return refused(violation)
  if (!numbers.every(isExactNumber)) return refused('it has a number with more digits than a double can represent')
  let document: JsonValue | undefined = parsed
  if (isObject(parsed) && !isDocument(parsed)) {
    const [given, other] = members.filter(name => Object.hasOwn(parsed, name))
    if (other !== undefined) return refused(`it has both ${given} and ${other}`)
    if (given !== undefined) document = parsed[given]
  }
  const jwt = enveloped(document)
  if (jwt !== undefined) return readJwt(jwt, readDocument)
  return isObject(document) ? { ok: true, document } : refused('it is not a JSON object')
}

/** Returns the JWT that is the credential, or that an EnvelopedVerifiableCredential has (Data Model 2.0 §4.13). */
const enveloped = (document: JsonValue | undefined): string | undefined => {
  const [, inner] = /^data:application\/vc(?:\+ld)?\+jwt,(.+)$/.exec(String(isObject(document) && document.id)) ?? []
  const jwt = typeof document === 'string' ? document : inner
  return jwt !== undefined && isJwt(jwt) ? jwt : undefined
}

const isDocument = (value: JsonObject): boolean => Object.hasOwn(value, '@context') || Object.hasOwn(value, 'proof')

const refused = (detail: string) => ({ ok: false as const, detail })

/**
 * Returns the nesting depth of a JSON text, the number of members of its objects, and its numbers as written, without
 * parsing it.
 */
const shapeOf = (
  text: string,
): { readonly depth: number; readonly members: number; readonly numbers: readonly string[] } => {
  let [depth, deepest, members, inString] = [0, 0, 0, false]
  const numbers: string[] = []
  const number = /-?\d[\d.eE+-]*/y
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place]
    if (inString) {
      if (character === '\\') place += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === ':') members += 1
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '-' || (character! >= '0' && character! <= '9')) {
      number.lastIndex = place
      const [written = character!] = number.exec(text) ?? []
      numbers.push(written)
      place += written.length - 1
    }
  }
  return { depth: deepest, members, numbers }
}

/** A parsed object has each name once: fewer members than colons in the text means that a name is duplicated. */
const violationOf = (value: unknown, members: number): string | undefined => {
  let count = 0
  let violation: string | undefined
  const visit = (item: unknown): void => {
    if (typeof item === 'string' && !item.isWellFormed()) violation ??= 'it has text that is not valid Unicode'
    if (typeof item === 'number' && !Number.isFinite(item)) violation ??= 'it has a number that is too large'
    if (typeof item !== 'object' || item === null) return
    for (const [name, inner] of Object.entries(item)) {
      visit(inner)
      if (Array.isArray(item)) continue
      count += 1
      if (name === '__proto__') violation ??= 'it has a member __proto__'
      visit(name)
    }
  }
  visit(value)
  return violation ?? (count === members ? undefined : 'an object has a duplicate name')
}

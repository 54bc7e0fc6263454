import { isObject, type JsonObject } from '../definitions/json-object.ts'

/**
 * Whether a number of a JSON text is one that everybody reads as the same: what it says is what a double says of itself
 * (RFC 8785 §3.2.2.3). `9007199254740993` is not, for some read it as `9007199254740992`; `1.0` is, and `1e21`.
 *
 * @param text a number as JSON writes it
 */
export const isExactNumber = (text: string): boolean => {
  if (text.length <= surelyExact && !/[eE]/.test(text)) return true
  const value = Number(text)
  return Number.isFinite(value) && decimalOf(text) === decimalOf(String(value))
}

/** A text of no more characters has no more digits than a double keeps. */
const surelyExact = 15

/** A number in one spelling: its digits without zeros around them, and the power of ten of the last one. */
const decimalOf = (text: string): string => {
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  return `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`
}

/** Characters that a document's JSON may have. */
export const maxDocumentCharacters = 200_000

/** How deep the objects and lists of a document may be nested. */
export const maxDocumentDepth = 24

/** The members under which a request may have a credential: our own records, and requests of the W3C VC API. */
export const credentialMembers = ['credential', 'verifiableCredential'] as const

/** A document, or why it is none, safe to show. */
export type ReadDocument =
  | { readonly ok: true; readonly document: JsonObject }
  | { readonly ok: false; readonly detail: string }

/**
 * Reads JSON that somebody sent, so that everybody who reads it reads the same: names that stand twice in one object,
 * `__proto__`, and numbers with more digits than a double keeps are refused.
 *
 * @param text JSON of one object
 * @param members the members that the document may stand under, if it is not the whole; an object with a context or a proof
 * is a document itself, whatever it contains
 */
export const readDocument = (text: string, ...members: readonly string[]): ReadDocument => {
  if (text.length > maxDocumentCharacters) {
    return refused(`it has ${text.length} characters, at most ${maxDocumentCharacters} are read`)
  }
  const { depth, members: written, numbers } = shapeOf(text)
  if (depth > maxDocumentDepth)
    return refused(`it is nested ${depth} levels deep, at most ${maxDocumentDepth} are read`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return refused('it is not valid JSON')
  }
  const fault = faultOf(parsed, written)
  if (fault !== undefined) return refused(fault)
  if (!numbers.every(isExactNumber)) return refused('it has a number with more digits than everybody keeps')
  let document = parsed
  if (isObject(parsed) && !isDocument(parsed)) {
    const [given, other] = members.filter(name => Object.hasOwn(parsed, name))
    if (other !== undefined) return refused(`it has both ${given} and ${other}`)
    if (given !== undefined) document = parsed[given]
  }
  return isObject(document) ? { ok: true, document } : refused('it is not a JSON object')
}

const isDocument = (value: JsonObject): boolean => Object.hasOwn(value, '@context') || Object.hasOwn(value, 'proof')

const refused = (detail: string) => ({ ok: false as const, detail })

/** How deep a JSON text nests, how many members its objects have, and its numbers as written, found without parsing it. */
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

/** A parsed object has each name once: fewer members than the text has colons means that a name stood twice. */
const faultOf = (value: unknown, members: number): string | undefined => {
  let count = 0
  let fault: string | undefined
  const visit = (item: unknown): void => {
    if (typeof item === 'string' && !item.isWellFormed()) fault ??= 'it has text that is no Unicode'
    if (typeof item === 'number' && !Number.isFinite(item)) fault ??= 'it has a number that is too large'
    if (typeof item !== 'object' || item === null) return
    for (const [name, inner] of Object.entries(item)) {
      visit(inner)
      if (Array.isArray(item)) continue
      count += 1
      if (name === '__proto__') fault ??= 'it has a member __proto__'
      visit(name)
    }
  }
  visit(value)
  return fault ?? (count === members ? undefined : 'a name stands twice in one object')
}

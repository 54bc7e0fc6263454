import type { McpQuestion } from '@sibyl/mcp-client'
import { cleanText } from '@sibyl/plugin'
import type { PersonQuestion } from '@sibyl/plugin/host'
import { isObject, type JsonObject, type JsonValue } from '@sibyl/protocol'

/** Maximum lengths of a question, of a URL in it, and of its schema as JSON, in characters. */
const maxText = 1_000
const maxUrl = 600
const maxSchema = 8_000

const secretWords =
  /pass[\s_-]?(word|phrase|code)|secret|token|(api|private|secret)[\s_-]?key|mnemonic|seed[\s_-]?phrase|credential/i
const shortSecrets = /(^|[^a-z])(pin|cvv|cvc)([^a-z]|$)/i

/** A question for a user, or the reason why it is not asked. */
export type WordedQuestion =
  | { readonly ask: PersonQuestion }
  /** It asks for a password, a token or the like, which no server gets. */
  | { readonly refuse: 'secret' }
  | { readonly refuse: 'unusable' }

/** Converts a server's question for core. The text names the server. */
export const wordQuestion = (
  { text, schema, url }: Pick<McpQuestion, 'text' | 'schema' | 'url'>,
  redact: (text: string) => string,
): WordedQuestion => {
  const asked = cleanText(redact(text), { maxLength: maxText - maxUrl - 100 })
  if (url !== undefined) {
    if (url.length > maxUrl) return { refuse: 'unusable' }
    return { ask: { text: `${asked}\nIt asks you to open ${redact(url)}\nAnswer yes when you are done there.` } }
  }
  if (schema === undefined) return { ask: { text: asked } }
  if (asksForSecret(schema)) return { refuse: 'secret' }
  const shown = mapTexts(schema, one => cleanText(redact(one), { maxLength: 300 })) as JsonObject
  if (JSON.stringify(shown).length > maxSchema) return { refuse: 'unusable' }
  const warning = isAboutSecrets(`${asked} ${JSON.stringify(shown)}`)
    ? '\nNever enter a password, a token or a PIN.'
    : ''
  return { ask: { text: `${asked}${warning}`, schema: shown } }
}

const isAboutSecrets = (text: string): boolean => secretWords.test(text) || shortSecrets.test(text)

const asksForSecret = ({ properties }: JsonObject): boolean =>
  Object.entries(isObject(properties) ? properties : {}).some(([name, member]) => {
    const { title, type, enum: choices, oneOf } = isObject(member) ? member : {}
    if (type === 'boolean' || choices !== undefined || oneOf !== undefined) return false
    return [name, title].some(text => typeof text === 'string' && isAboutSecrets(text))
  })

/** Applies a function to every string of a JSON value, including names of members. */
export const mapTexts = (value: JsonValue, change: (text: string) => string): JsonValue => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapTexts(item, change)]))
}

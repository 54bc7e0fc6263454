import { searchWords } from '@sibyl/plugin/storage'
import type { JsonValue } from '@sibyl/protocol'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { SoughtText } from './read-query.ts'

const maxLength = 120
const maxTexts = 60

/** Returns a few words around the match: `county: Kisumu`, from the entity's text with the most matching words. */
export const excerptOf = (entity: StoredEntity, { words, joined }: SoughtText): string | undefined => {
  const texts = [...textsOf(entity.properties, '', 0), ...entity.alsoKnownAs.map(text => ({ name: '', text }))]
  const fits = (spoken: string) =>
    words.some(({ word, prefix }) => spoken === word || (prefix && spoken.startsWith(word))) ||
    joined.some(({ word }) => spoken === word)
  let best: { readonly text: string; readonly found: number } | undefined
  for (const { name, text } of texts.slice(0, maxTexts)) {
    const found = new Set(searchWords(text.slice(0, 1_000)).filter(fits)).size
    if (found > (best?.found ?? 0)) best = { text: labelled(name, around(text, fits)), found }
  }
  return best?.text
}

const labelled = (name: string, text: string): string => (name === '' ? text : `${name}: ${text}`)

/** Returns the text, or the part of a long text from shortly before the first matching word. */
const around = (text: string, fits: (word: string) => boolean): string => {
  const plain = text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  if (plain.length <= maxLength) return plain
  let start = 0
  for (const { 0: chunk, index } of plain.matchAll(/\S+/g)) {
    if (!searchWords(chunk).some(fits)) continue
    start = Math.max(0, Math.min(index - 30, plain.length - maxLength))
    break
  }
  const from = start === 0 ? 0 : plain.indexOf(' ', start) + 1
  return `${from > 0 ? '…' : ''}${plain.slice(from, from + maxLength)}${from + maxLength < plain.length ? '…' : ''}`
}

function* textsOf(value: JsonValue, name: string, depth: number): Generator<{ name: string; text: string }> {
  if (typeof value === 'string') yield { name, text: value }
  else if (depth < 6 && Array.isArray(value)) for (const item of value) yield* textsOf(item, name, depth + 1)
  else if (depth < 6 && typeof value === 'object' && value !== null)
    for (const [member, inner] of Object.entries(value)) yield* textsOf(inner, member, depth + 1)
}

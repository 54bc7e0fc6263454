import { cleanValue } from './clean-value.ts'
import { type ReadText, readWords, type Word } from './read-words.ts'

type Element =
  | { readonly literal: string }
  | { readonly placeholder: string; readonly prefix: string; readonly suffix: string }

/** A wording such as 'Forecast for {city} for {days} days', ready to be compared with texts. */
export interface Template {
  readonly source: string
  readonly elements: readonly Element[]
  readonly literals: readonly string[]
}

/** Reads a wording. What is glued to a placeholder, such as the `#` of '#{tag}', is taken off the value. */
export const parseTemplate = (source: string): Template => {
  const elements: Element[] = []
  const pieces = source.split(/\{([A-Za-z_]\w*)\}/)
  pieces.forEach((piece, index) => {
    if (index % 2 === 0) {
      const free = withoutGlue(piece, index > 0, index < pieces.length - 1)
      elements.push(...readWords(free).words.map(word => ({ literal: word.norm })))
      return
    }
    const prefix = /\S*$/.exec(pieces[index - 1] ?? '')?.[0] ?? ''
    const suffix = /^\S*/.exec(pieces[index + 1] ?? '')?.[0] ?? ''
    elements.push({ placeholder: piece, prefix, suffix: isPossessive(suffix) ? '' : suffix })
  })
  return { source, elements, literals: elements.flatMap(element => ('literal' in element ? [element.literal] : [])) }
}

const isPossessive = (text: string): boolean => /^['\u2019]s\b/i.test(text)

const withoutGlue = (piece: string, afterPlaceholder: boolean, beforePlaceholder: boolean): string => {
  const start = afterPlaceholder && !isPossessive(piece) ? piece.replace(/^\S+/, '') : piece
  return beforePlaceholder ? start.replace(/\S+$/, '') : start
}

/** Maximum attempts of one comparison before it counts as no match. */
const maxAttempts = 20_000

/** Maximum assignments of words to placeholders that are compared. */
const maxAssignments = 50

/**
 * Every way in which the whole text fits the template, the longest values for the first placeholders first.
 *
 * @returns The placeholders' values as they were written, without quotes and closing punctuation.
 */
export const matchTemplate = (template: Template, { text, words }: ReadText): readonly Record<string, string>[] => {
  const { elements } = template
  const found: Record<string, string>[] = []
  const spans: { start: number; end: number }[] = []
  let attempts = 0

  const walk = (element: number, word: number): void => {
    attempts += 1
    if (attempts > maxAttempts || found.length >= maxAssignments) return
    const current = elements[element]
    if (current === undefined) {
      if (word === words.length) collect()
      return
    }
    if ('literal' in current) {
      if (words[word]?.norm === current.literal) walk(element + 1, word + 1)
      return
    }
    const rest = elements.length - element - 1
    const colon = current.suffix === ':' ? firstColon(text, words, word) : -1
    const least = rest === 0 ? words.length : colon < 0 ? word + 1 : colon
    for (let end = colon < 0 ? words.length - rest : colon; end >= least && end > word; end -= 1) {
      spans.push({ start: word, end })
      walk(element + 1, end)
      spans.pop()
    }
  }

  const collect = () => {
    const values: Record<string, string> = {}
    let index = 0
    for (const element of elements) {
      if ('literal' in element) continue
      const span = spans[index++]!
      const value = cleanValue(unglue(rawText(text, words, span), element), element.placeholder)
      if (value === '') return
      values[element.placeholder] = value
    }
    found.push(values)
  }

  walk(0, 0)
  return found
}

/** Behind which word from a place on a colon ends what was named, as in 'notes.txt: the text'; -1 where none does. */
const firstColon = (text: string, words: readonly Word[], from: number): number => {
  const place = words.findIndex(
    ({ start }, index) => index >= from && text.slice(start, words[index + 1]?.start ?? start).includes(': '),
  )
  return place < 0 ? -1 : place + 1
}

/** The words of a span with the signs that stand alone around them, such as the bracket on a program's last line. */
const rawText = (text: string, words: readonly Word[], { start, end }: { start: number; end: number }): string =>
  text.slice(words[start - 1]?.end ?? words[start]!.start, words[end]?.start ?? text.length).trim()

const unglue = (raw: string, { prefix, suffix }: { prefix: string; suffix: string }): string => {
  const start = prefix !== '' && raw.toLowerCase().startsWith(prefix.toLowerCase()) ? prefix.length : 0
  const end = suffix !== '' && raw.toLowerCase().endsWith(suffix.toLowerCase()) ? suffix.length : 0
  return raw.slice(start, raw.length - end)
}

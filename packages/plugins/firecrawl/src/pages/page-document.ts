import { escapeMarkdown } from '../reading/markdown-text.ts'
import type { Page } from './page-library.ts'

/** A page as one text: title, author and date, then what it says. All of it is the page's own word. */
export const pageDocument = ({ title, byline, published, markdown }: Page): string => {
  const heading = title === '' ? '' : `# ${escapeMarkdown(title)}`
  const beginning = markdown.slice(0, 1_000).split('\n')
  const isInText = ['', '#', '##'].some(more => beginning.includes(`${more}${heading}`))
  const facts = [byline, published].filter(fact => fact !== undefined).join(', ')
  return [isInText ? '' : heading, escapeMarkdown(facts), markdown].filter(text => text !== '').join('\n\n')
}

export interface TextPiece {
  readonly text: string
  /** Where the rest begins; undefined where there is none. */
  readonly nextOffset: number | undefined
}

/** How far back an end of a line or word is looked for, in characters. */
const slack = 200

/** Cuts a piece out of a text, at the end of a line or a word where there is one near. */
export const cutText = (text: string, offset: number, max: number): TextPiece => {
  const end = offset + max
  if (end >= text.length) return { text: text.slice(offset), nextOffset: undefined }
  const tail = text.slice(Math.max(offset + 1, end - slack), end)
  const at = Math.max(tail.lastIndexOf('\n'), tail.lastIndexOf(' '))
  const cut = at >= 0 ? end - tail.length + at + 1 : end - Number(/[\uD800-\uDBFF]$/.test(tail))
  const nextOffset = cut > offset ? cut : end
  return { text: text.slice(offset, nextOffset), nextOffset }
}

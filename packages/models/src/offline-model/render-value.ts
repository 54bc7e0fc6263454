import { readableName } from './word-question.ts'

const maxItems = 10
const maxDepth = 4
const maxCharacters = 2_000

/** Control characters that could drive a terminal. */
const controls = /[^\P{Cc}\n\t]/gu

/** A text without control characters, at most 2,000 characters of it. */
export const plainText = (text: string): string => {
  const plain = text.slice(0, maxCharacters).replace(controls, '')
  return text.length > maxCharacters ? `${plain}…` : plain
}

/** A single value in a sentence: yes and no for booleans, a list of plain values joined by commas. */
export const renderInline = (value: unknown, depth = 0): string => {
  if (value === null || value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object') return plainText(String(value))
  if (depth >= maxDepth) return '…'
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxItems).map(item => renderInline(item, depth + 1))
    return plainText(shown.join(', ') + more(value.length)) || 'nothing'
  }
  const fields = entriesOf(value)
  const shown = fields
    .slice(0, maxItems)
    .map(([name, item]) => `${readableName(name)} ${renderInline(item, depth + 1)}`)
  return plainText(shown.join(', ') + more(fields.length)) || 'nothing'
}

const more = (count: number): string => (count > maxItems ? ` and ${count - maxItems} more` : '')

const entriesOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(([, item]) => item !== null && item !== undefined)

const capitalized = (text: string): string => (text[0] ?? '').toUpperCase() + text.slice(1)

/** A tool's whole result as plain lines: fields one a line, lists as bullets, at most ten of each. */
export const renderResult = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return 'Done.'
  if (typeof value !== 'object') return capitalized(renderInline(value))
  if (Array.isArray(value)) return value.length === 0 ? 'Nothing was found.' : bullets(value)
  const fields = entriesOf(value)
  if (fields.length === 0) return 'Done.'
  const lines = fields.slice(0, maxItems).map(([name, item]) => {
    const label = capitalized(readableName(name))
    if (Array.isArray(item) && item.length === 0) return `${label}: none`
    const isList = Array.isArray(item) && item.some(one => typeof one === 'object')
    return isList ? `${label}:\n${bullets(item)}` : `${label}: ${renderInline(item)}`
  })
  return [...lines, ...(fields.length > maxItems ? [`… and ${fields.length - maxItems} more`] : [])].join('\n')
}

const bullets = (items: readonly unknown[]): string => {
  const lines = items.slice(0, maxItems).map(item => `- ${renderInline(item)}`)
  return [...lines, ...(items.length > maxItems ? [`… and ${items.length - maxItems} more`] : [])].join('\n')
}

/** Options of `cleanText`. */
export interface CleanTextOptions {
  /** Keeps line breaks, tabs and indentation. @default false: one line, with single spaces and none around it */
  readonly lines?: boolean
  /** Most characters (code points), the ellipsis included. A longer text is cut between two characters as a reader sees them. */
  readonly maxLength?: number
  /** End of a text that was cut. @default '…' */
  readonly ellipsis?: string
}

/**
 * Removes from text from outside what no reader sees: control and format characters, marks that turn the direction of
 * text, characters that are drawn as nothing, noncharacters. Single joiners and variation selectors stay, since letters and
 * emoji need them; half of a surrogate pair becomes U+FFFD.
 *
 * @example cleanText('  Jikokoa\u202e \n Pro\u200b', { maxLength: 9 })   // 'Jikokoa …'
 */
export const cleanText = (
  text: string,
  { lines = false, maxLength = Number.POSITIVE_INFINITY, ellipsis = '…' }: CleanTextOptions = {},
): string => {
  if (!lines && text.length <= maxLength && plainLine.test(text)) return text
  const visible = text.toWellFormed().replace(lineBreak, '\n').replace(unsafe, '').replace(joinerRun, '')
  return truncated(lines ? visible : visible.replace(/\s+/g, ' ').trim(), maxLength, ellipsis)
}

/** Returns whether text has characters that `cleanText` removes or replaces; with `lines`, line breaks and tabs are allowed. */
export const hasUnsafeText = (text: string, { lines = false }: Pick<CleanTextOptions, 'lines'> = {}): boolean => {
  if (!text.isWellFormed() || new RegExp(joinerRun).test(text)) return true
  const rest = lines ? text.replace(lineBreak, '') : text
  return new RegExp(unsafe).test(rest) || (!lines && /[\n\t\u2028\u2029]/.test(rest))
}

/** Writes what `cleanText` removes, and line breaks, as visible escapes such as `\u202e`: nothing of the text is hidden. */
export const escapeUnsafe = (text: string): string =>
  text
    .toWellFormed()
    .replace(hidden, found => Array.from(found, one => escapeOf(one.codePointAt(0)!.toString(16))).join(''))

const escapeOf = (hex: string): string => (hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`)

/** Text that needs nothing done: single spaces between visible ASCII. */
const plainLine = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/

const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g

/** Without line breaks and tabs, joiners inside words and emoji, and the selectors of text and emoji. */
const unsafe =
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/** One joins letters; several hide something. */
const joinerRun = /(?:\u200c|\u200d){2,}|(?:\ufe0e|\ufe0f){2,}/g

const hidden = new RegExp([lineBreak, /[\n\t]/, unsafe, joinerRun].map(({ source }) => source).join('|'), 'gu')

const truncated = (text: string, maxLength: number, ellipsis: string): string => {
  if (text.length <= maxLength) return text
  if (text.length <= 2 * maxLength && [...text].length <= maxLength) return text
  const room = maxLength - [...ellipsis].length
  let kept = ''
  let length = 0
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    length += [...segment].length
    if (length > room) break
    kept += segment
  }
  return `${kept.trimEnd()}${ellipsis}`
}

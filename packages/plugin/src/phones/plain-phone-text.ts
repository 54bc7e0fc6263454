import { type PhoneTextLength, phoneTextLength } from './phone-text.ts'

/** Characters that GSM-7 lacks, and their replacements on a phone. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛‹›′]/g, "'"],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  [/[•‣·∙]/g, '-'],
  [/\s*°\s?(?=[CF]\b)/g, ' '],
  [/\s*°/g, ' deg'],
  [/×/g, 'x'],
  [/→/g, '->'],
  [/≤/g, '<='],
  [/≥/g, '>='],
  [/≈/g, '~'],
  [/½/g, '1/2'],
]

/** Maximum processed length of an answer; the rest would be truncated anyway. */
const longestProcessed = 10_000

/**
 * Converts an answer of the agent to plain text for a phone: without Markdown, HTML tags, pictographs, control and
 * direction characters and lines without words, and with replacements for signs that GSM-7 lacks.
 *
 * @example plainPhoneText('# Rain\n* **Berlin**: [slight](https://example.org)')  // 'Rain\n- Berlin: slight'
 */
export const plainPhoneText = (markdown: string): string =>
  signs.reduce((text, [sign, plainSign]) => text.replace(sign, plainSign), withoutMarkdown(markdown))

const withoutMarkdown = (markdown: string): string =>
  markdown
    .slice(0, longestProcessed)
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(
      /\p{Extended_Pictographic}\p{Emoji_Modifier}?\u200D?|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u20E3/gu,
      '',
    )
    .replace(/[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu, '')
    .split('\n')
    .map(plainLine)
    .filter(line => line !== undefined && line !== '')
    .join('\n')

/** Returns a line without its Markdown; undefined for a line of markup only. */
const plainLine = (line: string): string | undefined => {
  if (/^\s*(`{3,}|~{3,})/.test(line) || /^[\s|:=*_-]*$/.test(line)) return undefined
  const cells = /^\s*\|(.*)\|\s*$/.exec(line)?.[1]
  const marked =
    cells === undefined
      ? line
      : cells
          .split('|')
          .map(cell => cell.trim())
          .join(', ')
  return plainWords(
    marked
      .replace(/^\s*(?:>\s?)+/, '')
      .replace(/^\s*#{1,6}\s+/, '')
      .replace(/\s+#{1,6}\s*$/, '')
      .replace(/^\s*[-*+•]\s+(?:\[[ xX]\]\s+)?/, '- '),
  )
}

const plainWords = (line: string): string =>
  line
    .replace(/<br\s{0,5}\/?>/gi, ' ')
    .replace(/<\/?[a-z][a-z0-9]{0,20}(?:\s[^<>]{0,500})?>/gi, '')
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,1000}(?:\s"[^"]{0,200}")?\)/g, '$1')
    .replace(/<(https?:\/\/[^\s<>]{1,1000})>/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .replace(/(\*\*\*|\*\*|__|~~)(?=\S)(.{1,1000}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]{1,1000}?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,1000}?)(?<=\S)_(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/(`+)([^`]{1,1000})\1/g, '$2')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .replace(/[\s\u00A0\u2000-\u200A\u202F\u205F\u3000]+/g, ' ')
    .trim()

/** Shortens a text to a length in its encoding: after the last sentence that fits, or else before a word, with dots. */
export const shortenPhoneText = (
  text: string,
  longest: Readonly<Record<PhoneTextLength['encoding'], number>>,
): string => {
  const { encoding, length } = phoneTextLength(text)
  if (length <= longest[encoding]) return text
  const fits = beginning(text, longest[encoding] - 3, encoding)
  const sentence = fits.search(/[.!?。؟](?=\s[^.!?。؟]*$)/)
  if (sentence > fits.length / 2) return `${fits.slice(0, sentence + 1)}..`
  const word = fits.search(/\s\S*$/)
  return `${word > fits.length / 2 ? fits.slice(0, word) : fits}...`
}

const beginning = (text: string, room: number, encoding: 'gsm7' | 'ucs2'): string => {
  let kept = ''
  let used = 0
  for (const character of text) {
    used += encoding === 'gsm7' ? phoneTextLength(character).length : character.length
    if (used > room) break
    kept += character
  }
  return kept
}

import { phoneTextLength } from '@sibyl/protocol'

/** Maximum length of an answer on a phone: four or five pages. */
const longest = { gsm7: 600, ucs2: 240 } as const

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

/** The accented letters of ISO 8859-1, and the French ligatures; those in GSM-7 are kept. */
const westernLetters = /[À-ÖØ-öø-ÿŒœ]/g

/**
 * Returns an answer of the agent for a phone: without Markdown, with GSM-7 characters if that changes no meaning, and
 * truncated at a sentence or a word to about five pages.
 */
export const phoneText = (text: string): string => {
  const plain = signs.reduce((result, [sign, plainSign]) => result.replace(sign, plainSign), plainText(text))
  const western = plain.replace(westernLetters, letter =>
    phoneTextLength(letter).encoding === 'gsm7' ? letter : withoutAccent(letter),
  )
  const { encoding } = phoneTextLength(western)
  return shortened(encoding === 'gsm7' ? western : plain, longest[encoding])
}

const withoutAccent = (letter: string): string => {
  if (letter === 'œ') return 'oe'
  return letter === 'Œ' ? 'OE' : letter.normalize('NFD').replace(/\p{M}/gu, '')
}

/** Truncates after the last sentence that fits, or else before a word, with dots. */
const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text
  const fits = text.slice(0, length - 3)
  const sentence = fits.search(/[.!?。؟](?=\s[^.!?。؟]*$)/)
  if (sentence > length / 2) return `${fits.slice(0, sentence + 1)}..`
  const word = fits.search(/\s\S*$/)
  return `${fits.slice(0, word > length / 2 ? word : wholeCharacters(fits))}...`
}

const wholeCharacters = (text: string): number => (/[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length)

/** Maximum processed length of an answer; the rest would be truncated anyway. */
const longestProcessed = 10_000

/**
 * Removes Markdown, HTML tags, pictographs, control and direction characters, and lines without words.
 *
 * @example plainText('# Rain\n* **Berlin**: [slight](https://example.org)')  // 'Rain\n- Berlin: slight'
 */
export const plainText = (markdown: string): string =>
  markdown
    .slice(0, longestProcessed)
    .replace(/\r\n?/g, '\n')
    .replace(
      /\p{Extended_Pictographic}\p{Emoji_Modifier}?\u200D?|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u20E3/gu,
      '',
    )
    .replace(/[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')
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

import { phoneTextLength } from '@sibyl/protocol'

/** Maximum length of answers: three parts of an SMS, two of them one short if a character cannot be split. */
const longest = { gsm7: 457, ucs2: 199 } as const

/**
 * Converts an answer of the agent to SMS text: plain, at most three parts, truncated after a sentence or a word. Blank
 * if nothing is left.
 */
export const answerText = (text: string): string => {
  const plain = plainText(text)
  const { encoding, length } = phoneTextLength(plain)
  if (length <= longest[encoding]) return plain
  const fits = beginning(plain, longest[encoding] - 3, encoding)
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

/** Maximum length of an answer that is processed; the rest would be truncated anyway. */
const maxSearchedLength = 10_000

/** Characters that GSM-7 lacks, and their replacements. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/[“”„‟«»″]/g, '"'],
  [/[‘’‚‛‹›′]/g, "'"],
  [/[‐‑‒–—―−]/g, '-'],
  [/…/g, '...'],
  [/[•‣·∙]/g, '-'],
  [/\s{0,3}°\s?(?=[CF]\b)/g, ' '],
  [/×/g, 'x'],
  [/→/g, '->'],
]

/**
 * Converts an answer of the agent to plain text for a phone: without Markdown, pictographs, control and direction
 * characters, and with replacements for characters that GSM-7 lacks.
 *
 * @example plainText('# Rain\n* **Berlin**: [slight](https://example.org)')  // 'Rain\n- Berlin: slight'
 */
export const plainText = (markdown: string): string =>
  signs
    .reduce((text, [sign, plain]) => text.replace(sign, plain), markdown.slice(0, maxSearchedLength).toWellFormed())
    .replace(/\r\n?/g, '\n')
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\uFE0F|\u20E3/gu, '')
    .replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ')
    .split('\n')
    .map(plainLine)
    .filter(line => line !== '')
    .join('\n')

const plainLine = (line: string): string => {
  if (/^\s*(`{3,}|~{3,})/.test(line) || /^[\s|:=*_-]*$/.test(line)) return ''
  return line
    .replace(/^\s*(?:>\s?)+/, '')
    .replace(/^\s*#{1,6}\s+/, '')
    .replace(/^\s*[-*+]\s+/, '- ')
    .replace(/<\/?[a-z][a-z0-9]{0,20}(?:\s[^<>]{0,500})?>/gi, '')
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,1000}\)/g, '$1')
    .replace(/(\*\*|__|~~)(?=\S)(.{1,1000}?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*]{1,1000}?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/`([^`]{1,1000})`/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

import { phoneTextLength } from '@sibyl/protocol'

/** The longest answers: three parts of an SMS, two of them one short where a character cannot be parted. */
const longest = { gsm7: 457, ucs2: 199 } as const

/** An answer of the agent as an SMS: plain, of three parts at most, cut behind a sentence or a word. Blank where nothing is left. */
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

/** How much of an answer is looked at; the rest would be cut anyway. */
const longestLooked = 10_000

/** Signs that GSM-7 lacks, and what stands for them on a phone. */
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
 * An answer of the agent as a phone shows it: without Markdown, pictographs, control and direction characters, with plain
 * signs where GSM-7 has no others.
 *
 * @example plainText('# Rain\n* **Berlin**: [slight](https://example.org)')  // 'Rain\n- Berlin: slight'
 */
export const plainText = (markdown: string): string =>
  signs
    .reduce((text, [sign, plain]) => text.replace(sign, plain), markdown.slice(0, longestLooked).toWellFormed())
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

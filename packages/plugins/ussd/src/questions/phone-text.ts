import { phoneTextLength } from '@sibyl/protocol'
import { plainText } from './plain-text.ts'

/** The longest answers that are read on a phone: four or five pages. */
const longest = { gsm7: 600, ucs2: 240 } as const

/** Signs that GSM-7 lacks, and what stands for them on a phone. */
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

/** The accented letters of ISO 8859-1, and the ligatures of French: those of GSM-7 stay as they are. */
const westernLetters = /[À-ÖØ-öø-ÿŒœ]/g

/**
 * Makes an answer of the agent readable on a phone: without Markdown, with signs that GSM-7 has where that changes no
 * meaning, and no longer than about five pages, cut at a sentence or a word.
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

/** Cuts after the last sentence that fits, or else before a word, with dots. */
const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text
  const fits = text.slice(0, length - 3)
  const sentence = fits.search(/[.!?。؟](?=\s[^.!?。؟]*$)/)
  if (sentence > length / 2) return `${fits.slice(0, sentence + 1)}..`
  const word = fits.search(/\s\S*$/)
  return `${fits.slice(0, word > length / 2 ? word : wholeCharacters(fits))}...`
}

/** The length without half of a surrogate pair at the end. */
const wholeCharacters = (text: string): number => (/[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length)

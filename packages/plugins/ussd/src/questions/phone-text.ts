import { phoneTextLength, plainPhoneText } from '@sibyl/protocol'

/** Maximum length of an answer on a phone: four or five pages. */
const longest = { gsm7: 600, ucs2: 240 } as const

/** The accented letters of ISO 8859-1, and the French ligatures; those in GSM-7 are kept. */
const westernLetters = /[À-ÖØ-öø-ÿŒœ]/g

/**
 * Returns an answer of the agent for a phone: without Markdown, with GSM-7 characters if that changes no meaning, and
 * truncated at a sentence or a word to about five pages.
 */
export const phoneText = (text: string): string => {
  const plain = plainPhoneText(text)
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

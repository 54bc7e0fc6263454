import { phoneTextLength, plainPhoneText, shortenPhoneText } from '@sibyl/protocol'

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
  return shortenPhoneText(encoding === 'gsm7' ? western : plain, longest)
}

const withoutAccent = (letter: string): string => {
  if (letter === 'œ') return 'oe'
  return letter === 'Œ' ? 'OE' : letter.normalize('NFD').replace(/\p{M}/gu, '')
}

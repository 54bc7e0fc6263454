import { phoneTextLength, plainPhoneText } from '@sibyl/protocol'

/** Maximum length of answers: three parts of an SMS, two of them one short if a character cannot be split. */
const longest = { gsm7: 457, ucs2: 199 } as const

/**
 * Converts an answer of the agent to SMS text: plain, at most three parts, truncated after a sentence or a word. Blank
 * if nothing is left.
 */
export const answerText = (text: string): string => {
  const plain = plainPhoneText(text)
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

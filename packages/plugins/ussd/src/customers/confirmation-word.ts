import { randomInt } from 'node:crypto'

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

/** Draws a word of four syllables that can be read out and typed: `tilomera`. */
export const confirmationWord = (): string =>
  Array.from(
    { length: 4 },
    () => `${consonants[randomInt(consonants.length)]}${vowels[randomInt(vowels.length)]}`,
  ).join('')

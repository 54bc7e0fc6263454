import { visibleText } from '@sibyl/plugin'

/** A text from outside without characters that nobody sees, in one line, at most so long. */
export const cleanText = (text: string, maxCharacters: number): string => {
  const clean = visibleText(text).replace(/\s+/g, ' ').trim()
  return clean.length <= maxCharacters ? clean : `${clean.slice(0, maxCharacters - 1).toWellFormed()}…`
}

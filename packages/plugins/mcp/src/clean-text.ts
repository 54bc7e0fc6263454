/** Control and format characters; not line breaks, and not those that join letters and emoji. */
const invisible = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** A text from outside without characters that nobody sees. */
export const visibleText = (text: string): string => text.toWellFormed().replace(invisible, '')

/** The same in one line, at most so long. */
export const cleanText = (text: string, maxCharacters: number): string => {
  const clean = visibleText(text).replace(/\s+/g, ' ').trim()
  return clean.length <= maxCharacters ? clean : `${clean.slice(0, maxCharacters - 1).toWellFormed()}…`
}

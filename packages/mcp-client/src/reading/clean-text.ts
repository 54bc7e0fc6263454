// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A text without control characters and what turns its direction, of at most so many characters; lines and tabs stay. */
export const cleanText = (text: string, max: number): string => {
  const clean = text.replace(control, '').toWellFormed()
  return clean.length > max ? `${clean.slice(0, max - 1).toWellFormed()}…` : clean
}

/** The same on one line. */
export const cleanLine = (text: string, max: number): string =>
  cleanText(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  )

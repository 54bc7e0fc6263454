const zeroWidth = /^[\p{M}\p{Cf}]$/u
const emoji = /^\p{Emoji_Presentation}$/u

/** First and last code points of the scripts whose characters take two columns (East Asian Width W and F). */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x1b2ff],
  [0x20000, 0x3fffd],
]

const emojiSelector = 0xfe0f

/**
 * Returns the columns of one character on a terminal: 0, 1 or 2. Joined emoji count as their parts; the mark that turns
 * a narrow character into an emoji counts as the added column.
 */
export const characterWidth = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300 || code === emojiSelector) return 1
  if (zeroWidth.test(character)) return 0
  if (wideRanges.some(([first, last]) => code >= first && code <= last)) return 2
  return emoji.test(character) ? 2 : 1
}

/** Returns the columns of a text. */
export const displayWidth = (text: string): number => {
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

/** Truncates a text to a number of columns, with an ellipsis. */
export const truncate = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    width += characterWidth(character)
    if (width > columns - 1) break
    kept += character
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`
}

/** Breaks a text between words into lines of a maximum width; a longer word has its own line. */
export const wrapWords = (text: string, columns: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && displayWidth(line) + 1 + displayWidth(word) <= columns)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

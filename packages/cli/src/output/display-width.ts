import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** Returns the columns of a text on a terminal. */
export const displayWidth = (text: string): number => stringWidth(text)

/** Truncates a text to a number of columns, with an ellipsis. */
export const truncate = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const character of text) {
    width += displayWidth(character)
    if (width > columns - 1) break
    kept += character
  }
  return columns < 1 ? '' : `${kept.trimEnd()}…`
}

/** Breaks a text between words into lines of a maximum width; a longer word has its own line. */
export const wrapWords = (text: string, columns: number): string[] => wrapAnsi(text, columns).split('\n')

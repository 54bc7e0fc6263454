import { displayWidth } from './display-width.ts'

/** Breaks a text between words into lines of at most so many columns; a longer word has a line of its own. */
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

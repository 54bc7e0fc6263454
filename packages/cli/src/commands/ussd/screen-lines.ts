import { cleanText } from '../../output/clean-text.ts'
import { displayWidth } from '../../output/display-width.ts'
import { wrapLine } from '../../output/wrap-line.ts'

/** The lines of a screen as a phone shows them, safe to print, those wider than some columns wrapped between words. */
export const screenLines = (text: string, columns: number): string[] =>
  cleanText(text.replace(/\r\n?/g, '\n'))
    .replaceAll('\t', ' ')
    .split('\n')
    .flatMap(line => (displayWidth(line) <= columns ? [line] : wrapLine(line, columns)))

import { type PhoneTextLength, phoneTextLength } from '@sibyl/protocol'
import { cleanText } from '../../../output/clean-text.ts'
import { displayWidth } from '../../../output/display-width.ts'
import type { Styles } from '../../../output/styles.ts'
import { wrapLine } from '../../../output/text-wrapper.ts'

/** A terminal narrower than this has no room for a frame. */
const narrowest = 26
/** The least and the most columns inside of the frame: a phone's screen is small. */
const leastInside = 22
const mostInside = 40

/**
 * Draws a phone's screen, with its length in the bottom line; without a frame where the terminal is narrow.
 *
 * @param columns Of the terminal.
 * @param styles How the frame looks, and the length of a text that is too long.
 */
export const drawScreen = (text: string, columns: number, styles: Pick<Styles, 'dim' | 'error'>): string[] => {
  const measure = measureScreen(text)
  const tint = measure.length > measure.limit ? styles.error : styles.dim
  const count = formatMeasure(measure)
  if (columns < narrowest) return [...screenLines(text, Math.max(columns, 8)), tint(count)]

  const lines = screenLines(text, Math.min(columns - 4, mostInside))
  const inside = Math.max(leastInside, ...lines.map(displayWidth))
  const [wall, top] = [styles.dim('│'), styles.dim(`┌${'─'.repeat(inside + 2)}┐`)]
  const bottom = styles.dim(`└${'─'.repeat(inside - count.length)} `) + tint(count) + styles.dim(' ┘')
  return [top, ...lines.map(line => `${wall} ${line}${' '.repeat(inside - displayWidth(line))} ${wall}`), bottom]
}

/** How long a screen is on the air, and how long it may be there. */
interface ScreenMeasure extends PhoneTextLength {
  /** What one message holds by 3GPP TS 23.038: 182 septets of GSM-7, or 80 code units of UCS-2. */
  readonly limit: number
}

export const measureScreen = (text: string): ScreenMeasure => {
  const { encoding, length } = phoneTextLength(text)
  return { encoding, length, limit: encoding === 'gsm7' ? 182 : 80 }
}

/** `57/182`, or `57/80 UCS-2`. */
export const formatMeasure = ({ encoding, length, limit }: ScreenMeasure): string =>
  `${length}/${limit}${encoding === 'ucs2' ? ' UCS-2' : ''}`

/** The lines of a screen as a phone shows them, safe to print, those wider than some columns wrapped between words. */
export const screenLines = (text: string, columns: number): string[] =>
  cleanText(text.replace(/\r\n?/g, '\n'))
    .replaceAll('\t', ' ')
    .split('\n')
    .flatMap(line => (displayWidth(line) <= columns ? [line] : wrapLine(line, columns)))

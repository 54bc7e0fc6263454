import { measure, type TextLimits } from '@sibyl/bundle/phone'
import { cleanText } from '../../../output/clean-text.ts'
import { displayWidth } from '../../../output/display-width.ts'
import type { Styles } from '../../../output/styles.ts'
import { wrapLine } from '../../../output/text-wrapper.ts'

/** On narrower terminals there is no frame. */
const narrowest = 26
/** The minimum and maximum columns inside the frame: the screen of a phone is small. */
const leastInside = 22
const maxInside = 40

/**
 * Draws the screen of a phone, with its length in the bottom line; without a frame on a narrow terminal.
 *
 * @param columns Of the terminal.
 * @param styles Of the frame, and of the length of a text that is too long.
 */
export const drawScreen = (
  text: string,
  columns: number,
  styles: Pick<Styles, 'dim' | 'error'>,
  limits?: TextLimits,
): string[] => {
  const measured = measureScreen(text, limits)
  const tint = measured.length > measured.limit ? styles.error : styles.dim
  const count = formatMeasure(measured)
  if (columns < narrowest) return [...screenLines(text, Math.max(columns, 8)), tint(count)]

  const lines = screenLines(text, Math.min(columns - 4, maxInside))
  const inside = Math.max(leastInside, ...lines.map(displayWidth))
  const [wall, top] = [styles.dim('│'), styles.dim(`┌${'─'.repeat(inside + 2)}┐`)]
  const bottom = styles.dim(`└${'─'.repeat(inside - count.length)} `) + tint(count) + styles.dim(' ┘')
  return [top, ...lines.map(line => `${wall} ${line}${' '.repeat(inside - displayWidth(line))} ${wall}`), bottom]
}

interface ScreenMeasure {
  readonly encoding: 'gsm7' | 'ucs2'
  readonly length: number
  readonly limit: number
}

/**
 * Measures a screen.
 *
 * @param limits Of the provider. @default 182 septets of GSM-7, or 80 code units of UCS-2, as in 3GPP TS 23.038
 */
export const measureScreen = (text: string, limits?: TextLimits): ScreenMeasure => {
  const { encoding, used, limit } = measure(text, limits)
  return { encoding, length: used, limit }
}

/** `57/182`, or `57/80 UCS-2`. */
export const formatMeasure = ({ encoding, length, limit }: ScreenMeasure): string =>
  `${length}/${limit}${encoding === 'ucs2' ? ' UCS-2' : ''}`

/** Returns the lines of a screen as a phone shows them, safe to print, with long lines wrapped between words. */
export const screenLines = (text: string, columns: number): string[] =>
  cleanText(text.replace(/\r\n?/g, '\n'))
    .replaceAll('\t', ' ')
    .split('\n')
    .flatMap(line => (displayWidth(line) <= columns ? [line] : wrapLine(line, columns)))

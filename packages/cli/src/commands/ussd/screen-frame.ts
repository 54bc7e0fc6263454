import { displayWidth } from '../../output/display-width.ts'
import type { Styles } from '../../output/styles.ts'
import { formatMeasure, measureScreen } from './measure-screen.ts'
import { screenLines } from './screen-lines.ts'

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

import qrcode from 'qrcode-terminal'
import type { Style } from '../output/styles.ts'

/**
 * Draws a QR code with half blocks, one module a column and two a row.
 *
 * @param text At most about 78 characters fit 35 columns.
 * @param columns Of the terminal.
 * @param style For each line: light on dark, whatever the terminal's own colours are.
 * @returns the lines, or undefined where the code is wider than the terminal
 */
export const terminalQr = (text: string, columns: number, style: Style = line => line): string[] | undefined => {
  const drawn: string[] = []
  qrcode.generate(text, { small: true }, code => drawn.push(...code.split('\n')))
  const lines = drawn.filter(line => line !== '')
  const width = Math.max(...lines.map(line => line.length))
  return width > columns ? undefined : lines.map(line => style(line.padEnd(width)))
}

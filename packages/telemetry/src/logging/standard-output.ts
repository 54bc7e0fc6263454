import { pino } from 'pino'
import type { TextOutput } from './terminal-style.ts'

/**
 * Returns standard output, written synchronously and in order with the lines of the logger; a closed reader is not an
 * error.
 */
export const standardOutput = (): TextOutput => {
  const out = pino.destination({ dest: 1, sync: true })
  return {
    write: text => out.write(text),
    isTTY: process.stdout.isTTY === true,
    get columns() {
      return process.stdout.columns
    },
  }
}

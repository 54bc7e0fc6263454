import { pino } from 'pino'
import type { TextOutput } from './terminal-style.ts'

/** Standard output, written at once and in order with the logger's lines; a reader that leaves is no crash. */
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

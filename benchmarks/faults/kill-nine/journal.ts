import { existsSync, readFileSync } from 'node:fs'

/** External effects of the oracle. */
export interface JournalVerdict {
  readonly effects: number
  /** Effects beyond the first of the same call, or of the same message. */
  readonly doubled: number
  /** Messages whose answer reported an effect that did not occur. */
  readonly missing: number
}

/** Reads the lines `<idempotency key> <message id>` that the tool `note` wrote. */
export const judgeJournal = (file: string, finished: readonly string[]): JournalVerdict => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const keys = new Set(lines.map(line => line.split(' ')[0]))
  const messages = new Set(lines.map(line => line.split(' ')[1]))
  return {
    effects: lines.length,
    doubled: lines.length - Math.min(keys.size, messages.size),
    missing: finished.filter(message => !messages.has(message)).length,
  }
}

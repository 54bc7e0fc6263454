import { existsSync, readFileSync } from 'node:fs'

/** What the outside has seen of the oracle's effects. */
export interface JournalVerdict {
  readonly effects: number
  /** Effects beyond the first of the same call, or of the same message. */
  readonly doubled: number
  /** Messages whose answer finished, without the effect that it tells of. */
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

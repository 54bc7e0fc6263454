import { existsSync, readFileSync } from 'node:fs'

/** What the outside has seen of the oracle's actions. */
export interface NotesVerdict {
  readonly run: number
  /** Beyond the first of the same run, or of the same phone. */
  readonly twice: number
  /** Acknowledged, and not there. */
  readonly missing: number
}

/** Reads the lines `<idempotency key> <phone number>`. @param noted the phones that were told that it is done */
export const judgeNotes = (file: string, noted: readonly string[]): NotesVerdict => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const keys = new Set(lines.map(line => line.split(' ')[0]))
  const phones = new Set(lines.map(line => line.split(' ')[1]))
  return {
    run: lines.length,
    twice: lines.length - Math.min(keys.size, phones.size),
    missing: noted.filter(phone => !phones.has(phone)).length,
  }
}

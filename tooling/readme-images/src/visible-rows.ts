import { type Frame, type Row, textOf } from './frame.ts'

/** A row that is on the screen for a time. */
export interface VisibleRow {
  readonly row: Row
  readonly line: number
  /** Milliseconds of the playback. */
  readonly from: number
  /** Undefined until the end. */
  readonly to?: number
}

/** The playback of a recording. */
export interface Playback {
  readonly rows: readonly VisibleRow[]
  /** Milliseconds, with the pause at the end. */
  readonly duration: number
}

/** A step is shown at least as long, so that it can be read, and a pause at most as long. */
const shortest = { typed: 40, line: 240 }
const longest = 900
const pauseAtEnd = 5000

/** Returns when each row of a recording is visible, with times that a reader can follow. */
export const visibleRows = (frames: readonly Frame[]): Playback => {
  const open = new Map<number, VisibleRow>()
  const rows: VisibleRow[] = []
  let now = 0
  let before: Frame | undefined
  for (const frame of frames) {
    const changed = frame.rows.flatMap((row, line) => (sameRow(row, before?.rows[line]) ? [] : [{ row, line }]))
    if (changed.length === 0) continue
    const isTyped = changed.length === 1 && changed.every(({ row, line }) => grows(row, before?.rows[line]))
    const elapsed = frame.at - (before?.at ?? frame.at)
    now += Math.round(Math.min(longest, Math.max(isTyped ? shortest.typed : shortest.line, elapsed)))
    for (const { row, line } of changed) {
      const old = open.get(line)
      if (old) rows.push({ ...old, to: now })
      open.delete(line)
      if (textOf(row) !== '') open.set(line, { row, line, from: now })
    }
    before = frame
  }
  rows.push(...open.values())
  return { rows: rows.filter(({ from, to }) => to === undefined || to > from), duration: now + pauseAtEnd }
}

/** Returns whether a line goes on with what it showed before, as typed and streamed text does. */
const grows = (row: Row, before: Row = []): boolean => before.length > 0 && textOf(row).startsWith(textOf(before))

const sameRow = (one: Row, other: Row = []): boolean => JSON.stringify(one) === JSON.stringify(other)

import type { JsonObject } from '@sibyl/protocol'
import {
  type columnsOf,
  createRowReader,
  type ReadRow,
  type RowIssue,
  readHeader,
  type SheetColumn,
} from './sheet-rows.ts'
import type { SheetMessage } from './sheet-worker.ts'

/** A row that can be registered. */
export interface GoodRow {
  /** Its number in the file; the header is 1. */
  readonly row: number
  readonly body: JsonObject
  readonly cells: readonly string[]
}

/** A row that cannot be registered. */
export interface BadRow {
  readonly row: number
  readonly cells: readonly string[]
  readonly issues: readonly RowIssue[]
}

/** A file as far as it is read. */
export interface Sheet {
  readonly header: readonly string[]
  readonly good: readonly GoodRow[]
  readonly bad: readonly BadRow[]
  /** Headings that no field has. */
  readonly ignored: readonly string[]
  /** Required columns that the file does not have. */
  readonly missing: readonly string[]
  readonly isRead: boolean
  readonly problem?: 'rows' | 'columns' | 'unreadable' | 'size'
}

/** Rules for the rows of a file. */
export interface SheetRules {
  readonly columns: ReturnType<typeof columnsOf>
  /** Whether other columns are properties too. */
  readonly isOpen: boolean
  /** Values of columns that are missing or empty, by name. */
  readonly defaults: Readonly<Record<string, string>>
  /** Members of all entities. */
  readonly constants: JsonObject
}

/** The largest file, in bytes. */
export const maxFileBytes = 20_000_000

const empty: Sheet = { header: [], good: [], bad: [], ignored: [], missing: [], isRead: false }

/**
 * Reads a CSV or XLSX file in a worker, part after part. Returns a function that ends this.
 *
 * @param onChange Called with what was read so far.
 */
export const readSheetFile = (file: File, rules: SheetRules, onChange: (sheet: Sheet) => void): (() => void) => {
  if (file.size > maxFileBytes) {
    onChange({ ...empty, isRead: true, problem: 'size' })
    return () => undefined
  }
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), { type: 'module' })
  let sheet = empty
  let row = 0
  let read: ((cells: readonly string[], row: number) => ReadRow) | undefined
  const change = (next: Partial<Sheet>) => {
    sheet = { ...sheet, ...next }
    onChange(sheet)
    if (sheet.isRead) worker.terminate()
  }
  const begin = (header: readonly string[]) => {
    const { matched, missing, ignored } = readHeader(header, rules)
    const unset = missing.filter(({ name }) => !rules.defaults[name])
    sheet = { ...sheet, header, ignored, missing: unset.map(({ name }: SheetColumn) => name) }
    return createRowReader(matched, missing, rules)
  }
  worker.onerror = () => change({ isRead: true, problem: 'unreadable' })
  worker.onmessage = ({ data }: MessageEvent<SheetMessage>) => {
    if ('problem' in data) return change({ isRead: true, problem: data.problem })
    if ('done' in data) return change({ isRead: true })
    const good: GoodRow[] = []
    const bad: BadRow[] = []
    for (const cells of data.rows) {
      row += 1
      if (cells.every(text => text.trim() === '')) continue
      if (!read) {
        read = begin(cells)
        continue
      }
      const { body, issues } = read(cells, row)
      if (issues.length === 0) good.push({ row, body, cells })
      else bad.push({ row, cells, issues })
    }
    change({ good: [...sheet.good, ...good], bad: [...sheet.bad, ...bad] })
  }
  worker.postMessage(file)
  return () => worker.terminate()
}

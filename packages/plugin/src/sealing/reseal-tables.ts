import { setTimeout as pause } from 'node:timers/promises'
import { SealBrokenError } from './seal-broken-error.ts'

/** Rows sealed anew in one transaction. */
const batchSize = 200
/** The rest between two transactions, so that those who call are served first; in milliseconds. */
const restMs = 25

/** A table whose rows are sealed, and name in `key_id` the key that they need. */
export interface SealedTable<Transaction> {
  readonly name: string
  /**
   * The rows that need an earlier key which is there, in the order of their ids.
   *
   * @param after the last id of the rows before; empty for the beginning
   */
  rowsUnderEarlierKeys(after: string, limit: number): Promise<readonly SealedRow<Transaction>[]>
}

/** A row that needs an earlier key. */
export interface SealedRow<Transaction> {
  readonly id: string
  /**
   * Seals it with the key of now, unless it has changed since it was read.
   *
   * @throws SealBrokenError `seal_broken`
   */
  reseal(tx: Transaction): Promise<void>
}

/** The part of a plugin's storage that resealing writes with. */
export interface ResealStorage<Transaction> {
  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
}

/** What became of a pass over the tables. */
export interface ResealReport {
  /** Rows that are sealed with the key of now. */
  readonly resealed: number
  /** Rows that do not open with any key there is, and stay as they are. */
  readonly broken: number
}

/**
 * Seals anew what needs an earlier key, table by table, some rows at a time, each row on its own where one of them does not
 * open. What it had no time for is there for the next pass.
 *
 * @param signal Ends the pass.
 */
export const resealTables = async <Transaction>(
  storage: ResealStorage<Transaction>,
  tables: readonly SealedTable<Transaction>[],
  signal: AbortSignal,
): Promise<ResealReport> => {
  let [resealed, broken] = [0, 0]
  for (const table of tables) {
    let after = ''
    while (!signal.aborted) {
      const rows = await table.rowsUnderEarlierKeys(after, batchSize)
      const last = rows.at(-1)
      if (!last) break
      after = last.id
      const failed = await resealRows(storage, rows)
      resealed += rows.length - failed
      broken += failed
      await pause(restMs, undefined, { signal }).catch(() => {})
    }
  }
  return { resealed, broken }
}

/** Seals rows anew in one transaction, or each in one of its own where one fails; gives how many failed. */
const resealRows = async <Transaction>(
  storage: ResealStorage<Transaction>,
  rows: readonly SealedRow<Transaction>[],
): Promise<number> => {
  try {
    await storage.write(async tx => {
      for (const row of rows) await row.reseal(tx)
    })
    return 0
  } catch (error) {
    if (!(error instanceof SealBrokenError)) throw error
    const [row] = rows
    if (rows.length === 1 || !row) return 1
    let failed = 0
    for (const each of rows) failed += await resealRows(storage, [each])
    return failed
  }
}

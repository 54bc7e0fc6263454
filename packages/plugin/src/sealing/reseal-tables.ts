import { setTimeout as pause } from 'node:timers/promises'
import { SealBrokenError } from './seal-broken-error.ts'

/** Rows that are sealed again in one transaction. */
const batchSize = 200
/** Pause between two transactions, so that requests are served first; in milliseconds. */
const restMs = 25

/** A table with sealed rows, whose `key_id` names the required key. */
export interface SealedTable<Transaction> {
  readonly name: string
  /**
   * Returns the rows under an available previous key, ordered by id.
   *
   * @param after the last id of the previous rows; empty at the start
   */
  rowsUnderEarlierKeys(after: string, limit: number): Promise<readonly SealedRow<Transaction>[]>
}

/** A row under a previous key. */
export interface SealedRow<Transaction> {
  readonly id: string
  /**
   * Seals it with the current key, unless it has changed since it was read.
   *
   * @throws SealBrokenError `seal_broken`
   */
  reseal(tx: Transaction): Promise<void>
}

/** The storage for sealing again. */
export interface ResealStorage<Transaction> {
  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
}

/** The result of a pass over the tables. */
export interface ResealReport {
  /** Rows that are now sealed with the current key. */
  readonly resealed: number
  /** Rows that no available key opens, and that stay unchanged. */
  readonly broken: number
}

/**
 * Seals values of previous keys again, table by table, in batches of rows, and each row separately if one of them does
 * not open. Remaining rows are left for the next pass.
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

/** Seals rows again in one transaction, or each separately if one fails; returns the number of failures. */
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

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

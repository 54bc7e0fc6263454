import type { Kysely, Transaction } from 'kysely'

/**
 * Evidence of which copy of a database this is, held where a backup of its tables does not reach: a file beside a SQLite
 * database, the identity of a PostgreSQL server and of a row's version.
 */
export interface CopyMark {
  /** Returns whether the stored mark belongs to this copy. */
  matches(stored: string, read: Kysely<object>): Promise<boolean>
  /** Whether the mark advances: data was written since it was recorded. */
  readonly isDue: boolean
  /** Returns the mark to store in this transaction. */
  next(stored: string | undefined, tx: Transaction<object>): Promise<string>
  /** Records a mark outside the database, once it is committed. */
  record(stored: string): Promise<void>
}

/** The mark of a database that ends with its process. */
export const temporaryCopy: CopyMark = {
  matches: async () => true,
  isDue: false,
  next: async () => 'temporary',
  record: async () => {},
}

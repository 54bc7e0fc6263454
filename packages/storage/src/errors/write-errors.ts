import { StorageError } from './storage-error.ts'

/** No space is left where the database lies; nothing of this write was kept. */
export class DiskFullError extends StorageError {
  readonly code = 'disk_full'
  override readonly status = 503
  constructor(database: string, options?: ErrorOptions) {
    super(
      `The disk of the database '${database}' is full; this write was not stored. Free disk space; writes then work again.`,
      { database },
      options,
    )
  }
}

/** The disk failed to read or write; nothing of this write was kept. */
export class DatabaseIoError extends StorageError {
  readonly code = 'database_io'
  override readonly status = 503
  constructor(database: string, options?: ErrorOptions) {
    super(
      `The disk of the database '${database}' failed; this write was not stored. Check the disk and the system log.`,
      { database },
      options,
    )
  }
}

/** A `write` did not end within its time limit and was rolled back. */
export class WriteTimeoutError extends StorageError {
  readonly code = 'write_timeout'
  override readonly status = 503
  constructor(timeLimitMs: number, options?: ErrorOptions) {
    super(
      `A write was rolled back, because it took longer than ${timeLimitMs} ms. Inside write, await only the database.`,
      { timeLimitMs },
      options,
    )
  }
}

/** A write met other writes to the same rows at every try; nothing of it was kept. */
export class WriteConflictError extends StorageError {
  readonly code = 'write_conflict'
  override readonly status = 503
  constructor(tries: number, options?: ErrorOptions) {
    super(
      `A write conflicted with other writes to the same rows in each of its ${tries} tries and was not stored. Try again, or write to fewer shared rows.`,
      { tries },
      options,
    )
  }
}

/** One query took longer than the database lets it. */
export class QueryTimeoutError extends StorageError {
  readonly code = 'query_timeout'
  override readonly status = 503
  constructor(options?: ErrorOptions) {
    super('A query took too long and was canceled. Add a matching index to its table, or read fewer rows.', {}, options)
  }
}

/** `read` or `write` of the storage was used inside the work of a `write`. */
export class NestedUseError extends StorageError {
  readonly code = 'nested_use'
  constructor(used: 'read' | 'write') {
    super(
      `storage.${used} was called inside storage.write, where it would read old data or wait forever. Use the transaction that the callback receives.`,
      { used },
    )
  }
}

/** Data was to be changed through `read`. */
export class ReadOnlyAccessError extends StorageError {
  readonly code = 'read_only_access'
  constructor(options?: ErrorOptions) {
    super('storage.read is read-only. Change data inside storage.write(async tx => ...).', {}, options)
  }
}

/** A transaction was used after its `write` had ended, or after one of its statements had failed. */
export class TransactionEndedError extends StorageError {
  readonly code = 'transaction_ended'
  constructor(reason: 'ended' | 'failed', options?: ErrorOptions) {
    super(
      reason === 'ended'
        ? 'A transaction was used after its write had ended. Await every query inside the callback.'
        : 'A transaction was used after one of its statements had failed. Let the error end the write; use onConflict if a conflict is expected.',
      { reason },
      options,
    )
  }
}

/** Something that only the storage itself may do was called on a database handle, such as `transaction()` or `destroy()`. */
export class HandleMisuseError extends StorageError {
  readonly code = 'handle_misuse'
  constructor(method: string, instead: string) {
    super(`${method} is not available on this handle. ${instead}`, { method })
  }
}

/** More writes are waiting than storage keeps. */
export class WriteQueueFullError extends StorageError {
  readonly code = 'write_queue_full'
  override readonly status = 503
  constructor(limit: number) {
    super(`More than ${limit} writes are pending. Slow down, then try again.`, { limit })
  }
}

/** The storage is closing or closed. */
export class StorageClosedError extends StorageError {
  readonly code = 'storage_closed'
  override readonly status = 503
  constructor() {
    super('The storage is closed. Stop all its users before you close it.')
  }
}

/**
 * The connection was lost while PostgreSQL was committing, and it could not be asked afterwards: the write may or may not
 * have been kept.
 */
export class CommitOutcomeUnknownError extends StorageError {
  readonly code = 'commit_outcome_unknown'
  override readonly status = 503
  constructor(server: string, options?: ErrorOptions) {
    super(
      `The connection to PostgreSQL at ${server} was lost during a commit; it is unknown whether the write was stored. Read before you write again.`,
      { server },
      options,
    )
  }
}

/** The disk failed to take in a commit: the write may or may not have been kept, and no later one is taken. */
export class DatabaseSyncFailedError extends StorageError {
  readonly code = 'database_sync_failed'
  override readonly status = 503
  constructor(database: string, options?: ErrorOptions) {
    super(
      `The disk of the database '${database}' failed during a commit; it is unknown whether the write was stored. Check the disk and the system log, then restart.`,
      { database },
      options,
    )
  }
}

/** Which rule of the schema a write broke. */
export type Constraint = 'unique' | 'foreign_key' | 'not_null' | 'check'

/** A write broke a rule of the schema, the same class on both engines. */
export class ConstraintViolatedError extends StorageError {
  readonly code = 'constraint_violated'
  override readonly status = 409
  /** The kind of rule. */
  readonly constraint: Constraint
  constructor(constraint: Constraint, options?: ErrorOptions) {
    super(`A write violated a ${constraint.replace('_', ' ')} constraint.`, { constraint }, options)
    this.constraint = constraint
  }
}

/** A value cannot be stored in the same way on both engines. The text names its kind, never the value. */
export class ValueNotStorableError extends StorageError {
  readonly code = 'value_not_storable'
  constructor(position: number, kind: string, remedy: string) {
    super(`Parameter ${position} of a query is ${kind}, which cannot be stored. ${remedy}`, { position, kind })
  }
}

/** PostgreSQL could not take a value for its column. The text names SQLSTATE, never the value. */
export class ValueRefusedError extends StorageError {
  readonly code = 'value_refused'
  constructor(sqlState: string) {
    super(
      `PostgreSQL rejected a value for its column (SQLSTATE ${sqlState}). Compare the value with the type of the column.`,
      { sqlState },
    )
  }
}

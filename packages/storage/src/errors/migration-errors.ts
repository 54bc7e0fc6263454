import { StorageError } from './storage-error.ts'

/** The database holds migrations that this code does not know: it was used by a newer version. */
export class MigrationUnknownError extends StorageError {
  readonly code = 'migration_unknown'
  constructor(owner: string, names: readonly string[]) {
    super(
      `The database has migrations of '${owner}' that this version does not know: ${names.join(', ')}. Run the newer version that applied them, or restore an earlier backup.`,
      { owner, names },
    )
  }
}

/** A new migration sorts before one that is applied already. */
export class MigrationOrderError extends StorageError {
  readonly code = 'migration_order'
  constructor(owner: string, name: string, applied: string) {
    super(
      `The migration '${name}' of '${owner}' is new but sorts before '${applied}', which is already applied. Rename it so that it sorts last.`,
      { owner, name, applied },
    )
  }
}

/** A migration threw; none of its owner's pending migrations was kept. */
export class MigrationFailedError extends StorageError {
  readonly code = 'migration_failed'
  constructor(owner: string, name: string, cause: unknown) {
    super(
      `The migration '${name}' of '${owner}' failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { owner, name },
      { cause },
    )
  }
}

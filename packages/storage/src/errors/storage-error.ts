/** Data of an error besides its message; never a secret, never a complete path. */
export type StorageErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** An error that storage throws on purpose. */
export class StorageError extends Error {
  /** Stable, snake_case. */
  readonly code: string = 'internal_error'
  /** The HTTP status that fits a request which met it. */
  readonly status: number = 500
  readonly facts: StorageErrorFacts = {}
}

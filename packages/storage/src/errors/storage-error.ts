/** Data of an error besides its message; never a secret, never a complete path. */
export type StorageErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The base of every error that storage throws on purpose. Tell them apart by `code`. */
export abstract class StorageError extends Error {
  /** Stable, snake_case. */
  abstract readonly code: string
  /** The HTTP status that fits a request which met it. */
  readonly status: number = 500
  readonly facts: StorageErrorFacts

  constructor(message: string, facts: StorageErrorFacts = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.facts = facts
  }
}

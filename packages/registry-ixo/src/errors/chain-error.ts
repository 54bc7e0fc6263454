/** The base of every error that the registry throws on purpose; programs tell them apart by class or by `code`. */
export abstract class ChainError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

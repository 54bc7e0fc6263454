/** The base of every error that the client throws on purpose; programs tell them apart by class or by `code`. */
export abstract class ClientError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

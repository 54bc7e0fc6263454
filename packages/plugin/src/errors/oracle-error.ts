import { type ErrorKind, errorKinds } from './error-kind.ts'

/** Data of an error besides its message; never a secret. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** An error of an input: its place and a message, without the value. */
export interface ErrorIssue {
  /** A JSON Pointer (RFC 6901) into the body; `/<name>` for a parameter of the path, the query or the headers. */
  readonly path: string
  readonly message: string
  /** Stable, snake_case. */
  readonly code?: string
}

/**
 * The base of every error that Sibyl throws on purpose: a stable `code`, an HTTP status, and a message with the cause
 * and the remedy that is safe to show.
 */
export abstract class OracleError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string
  /** The HTTP status of the response. */
  readonly status: number = 500
  readonly facts: ErrorFacts
  /** The errors of the input; in the response as `issues`. */
  readonly issues: readonly ErrorIssue[] | undefined = undefined

  /** Errors are identified by this brand, not by their class: a project may have two copies of this package. */
  get [errorKinds](): readonly ErrorKind[] {
    return ['oracle']
  }

  constructor(message: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.facts = facts
  }
}

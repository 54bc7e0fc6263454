import { type ErrorKind, errorKinds } from './error-kind.ts'

/** What an error may say besides its text; never a secret. */
export type ErrorFacts = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** One fault of an input: where it is, and what, without the value. */
export interface ErrorIssue {
  /** An RFC 6901 JSON Pointer into the body; `/<name>` of a parameter of the path, the query or the headers. */
  readonly path: string
  readonly message: string
  /** Stable, snake_case. */
  readonly code?: string
}

/**
 * The base of every error that Sibyl throws on purpose: a stable `code`, the HTTP status it becomes, and a text that
 * names the culprit and the remedy and is safe to show.
 */
export abstract class OracleError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string
  /** The HTTP status a route answers with. */
  readonly status: number = 500
  readonly facts: ErrorFacts
  /** Where an input is wrong, one entry a fault; in the answer as `issues`. */
  readonly issues: readonly ErrorIssue[] | undefined = undefined

  /** Errors are told apart by this brand, not by their class: a project may have two copies of this package. */
  get [errorKinds](): readonly ErrorKind[] {
    return ['oracle']
  }

  constructor(message: string, facts: ErrorFacts = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.facts = facts
  }
}

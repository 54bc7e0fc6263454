import type { ExitCode } from '../exit-code.ts'

/** One of several things that are wrong in what was given: where, as a JSON Pointer (RFC 6901), and what. */
export interface ListedFault {
  readonly path: string
  readonly message: string
}

/** An error that ends a command: what is wrong, and what to do next. */
export abstract class CommandError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string
  abstract readonly exitCode: ExitCode
  /** What to do next; a command to paste may have a line of its own. */
  readonly remedy: string

  /** What the message sums up; safe to print. */
  readonly faults: readonly ListedFault[]

  constructor(
    message: string,
    remedy: string,
    options: ErrorOptions & { readonly faults?: readonly ListedFault[] } = {},
  ) {
    super(message, options)
    this.name = new.target.name
    this.remedy = remedy
    this.faults = options.faults ?? []
  }
}

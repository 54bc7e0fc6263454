import type { ExitCode } from './exit-code.ts'

/** One of several things that are wrong in what was given: where, as a JSON Pointer (RFC 6901), and what. */
export interface ListedFault {
  readonly path: string
  readonly message: string
}

export interface CommandErrorDetails extends ErrorOptions {
  /** What the message sums up; safe to print. */
  readonly faults?: readonly ListedFault[]
  /** In the place of the one that the code has. */
  readonly exitCode?: ExitCode
  /** Which of several reasons of its code it has, for callers that handle one of them. */
  readonly reason?: string | undefined
}

/** An error that ends a command: what is wrong, and what to do next. */
export class CommandError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  readonly exitCode: ExitCode
  /** What to do next; a command to paste may have a line of its own. */
  readonly remedy: string
  readonly faults: readonly ListedFault[]
  readonly reason: string | undefined

  constructor(code: string, message: string, remedy: string, details: CommandErrorDetails & { exitCode: ExitCode }) {
    const { exitCode, faults = [], reason, ...options } = details
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.exitCode = exitCode
    this.remedy = remedy
    this.faults = faults
    this.reason = reason
  }
}

import type { ExitCode } from './exit-code.ts'

/** One of several errors in the input: its place, as a JSON Pointer (RFC 6901), and a message. */
export interface ListedViolation {
  readonly path: string
  readonly message: string
}

export interface CommandErrorDetails extends ErrorOptions {
  /** Details of the message; safe to print. */
  readonly faults?: readonly ListedViolation[]
  /** Overrides that of the code. */
  readonly exitCode?: ExitCode
  /** The reason within its code, for callers that handle one of them. */
  readonly reason?: string | undefined
}

/** An error that ends a command, with a remedy. */
export class CommandError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  readonly exitCode: ExitCode
  /** The remedy; a command to paste may have its own line. */
  readonly remedy: string
  readonly faults: readonly ListedViolation[]
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

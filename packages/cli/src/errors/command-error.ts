import type { ExitCode } from '../exit-code.ts'

/** An error that ends a command: what is wrong, and what to do next. */
export abstract class CommandError extends Error {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  abstract readonly code: string
  abstract readonly exitCode: ExitCode
  /** One line: what to do next. */
  readonly remedy: string

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.remedy = remedy
  }
}

import type { ListedFault } from './errors/command-error.ts'
import type { ExitCode } from './exit-code.ts'

/** An error in words for a person. */
export interface Explanation {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  /** What is wrong. */
  readonly message: string
  /** What to do next; may be empty. */
  readonly remedy: string
  /** What the message sums up, where it does. */
  readonly faults?: readonly ListedFault[]
  readonly exitCode: ExitCode
}

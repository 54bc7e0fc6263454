import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** Thrown by a tool: its text reaches the model and the person as it is. Any other error of a tool is masked. */
export class ToolFailure extends OracleError {
  readonly code: string = 'tool_failed'

  override get [errorKinds](): readonly ['oracle', 'tool'] {
    return ['oracle', 'tool']
  }

  /** @param message One or two sentences without internals: what went wrong, what to try. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, {}, options)
  }

  /** The text alone, as the model reads it. */
  override toString(): string {
    return this.message
  }
}

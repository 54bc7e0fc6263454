import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** Thrown by a tool: its message is shown to the model and the user unchanged. Any other error of a tool is masked. */
export class ToolFailure extends OracleError {
  readonly code: string = 'tool_failed'

  override get [errorKinds](): readonly ['oracle', 'tool'] {
    return ['oracle', 'tool']
  }

  /** @param message One or two sentences without internals: the error, and the remedy. */
  constructor(message: string, options?: ErrorOptions) {
    super(message, {}, options)
  }

  /** Returns the message alone, as the model reads it. */
  override toString(): string {
    return this.message
  }
}

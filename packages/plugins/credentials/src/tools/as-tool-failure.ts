import { isOracleError, isToolFailure, ToolFailure } from '@sibyl/plugin'

/** An error whose text is safe to show, for model and person; any other stays as it is, and is masked. */
export const asToolFailure = (error: unknown): unknown =>
  isOracleError(error) && !isToolFailure(error) ? new ToolFailure(error.message) : error

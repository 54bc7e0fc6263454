import { isOracleError, isToolFailure, ToolFailure } from '@sibyl/plugin'

/** Does something so that what fails says why: the texts of all our own errors are safe to show. */
export const failingSafely = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (isOracleError(error) && !isToolFailure(error) && (error.status < 500 || error.status === 503)) {
      throw new ToolFailure(error.message, { cause: error })
    }
    throw error
  }
}

import { isOracleError } from '@sibyl/plugin'
import { describeType } from './describe-value.ts'

/**
 * Returns the public reason of an error: the text of an `OracleError`, which is safe to show, and only the name of any
 * other, whose text belongs in the log.
 */
export const safeReason = (error: unknown): string => {
  if (isOracleError(error)) return error.message
  if (error instanceof Error)
    return `failed with ${/^\w{1,60}$/.test(error.name) ? error.name : 'an error'}, details in the log`
  return `failed with ${describeType(error)} instead of an error`
}

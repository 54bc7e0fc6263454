import { cleanLine } from '../../output/clean-text.ts'

/** What the platform says of a request that failed: `ECONNREFUSED`. */
export const failureReason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cleanLine(cause.message) : 'unknown'
}

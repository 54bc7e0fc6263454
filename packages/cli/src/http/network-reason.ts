import { cleanLine } from '../output/clean-text.ts'

/** Returns why a request failed, in the platform's word: Node puts the real error below `TypeError: fetch failed`. */
export const networkReason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'the request failed'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}

/** Returns what the platform says of a request that failed: `ECONNREFUSED`. */
export const failureReason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cleanLine(cause.message) : 'unknown'
}

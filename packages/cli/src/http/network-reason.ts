import { cleanLine } from '../output/clean-text.ts'

/** Returns why a request failed, as the error of the platform: Node puts it below `TypeError: fetch failed`. */
export const networkReason = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return 'the request failed'
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cleanLine(cause.message)
}

import { isToolFailure } from '@sibyl/plugin'
import { describeIssues } from '../../errors/describe-issues.ts'

/** Returns the text that the person sees of a failed call; the model's own reads the same where it is a ToolFailure. */
export const safeToolError = (error: unknown): string => {
  if (isToolFailure(error)) return error.message
  if (error instanceof Error && isToolFailure(error.cause)) return error.cause.message
  const name = error instanceof Error ? error.name : ''
  if (name === 'AI_NoSuchToolError') return 'The tool does not exist, or its capability is not loaded yet.'
  if (name === 'AI_InvalidToolInputError') return `The arguments are invalid${invalidInputDetail(error)}.`
  return 'The tool failed.'
}

const invalidInputDetail = (error: unknown): string => {
  const issues = issuesOf((error as { cause?: { cause?: unknown } }).cause?.cause)
  return issues ? `: ${describeIssues(issues)}` : ''
}

/** Returns the error of a validation in one line. */
export const describeError = (error: Error): string => {
  const issues = issuesOf(error)
  return issues ? describeIssues(issues) : error.message
}

const issuesOf = (error: unknown): Parameters<typeof describeIssues>[0] | undefined => {
  const issues = (error as { readonly issues?: unknown } | undefined)?.issues
  return Array.isArray(issues) ? issues : undefined
}

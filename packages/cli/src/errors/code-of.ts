/** Returns the system error code of an error, such as `ENOENT`, if any. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined

/** Returns nothing for a missing file; throws every other error. */
export const ignoreMissing = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error
}

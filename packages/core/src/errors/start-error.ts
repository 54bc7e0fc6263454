/** An external cause prevents the start of the oracle; the message has the cause and the remedy. */
export class StartError extends Error {
  readonly code = 'start_failed'
}

/** Returns the system error code of a failed file operation: `EACCES`. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

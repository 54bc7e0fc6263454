/** Something outside the oracle keeps it from starting; the message names it and the remedy. */
export class StartError extends Error {
  readonly code = 'start_failed'
}

/** Why a file could not be used, in the system's own word: `EACCES`. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

const LONGEST_TEXT = 500

/**
 * Returns the text of the failure of a job for storage and log: short, and storable by any engine.
 *
 * @param redact redacts secrets from it, before it is truncated
 */
export const errorText = (error: unknown, redact = (text: string): string => text): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redact(text).slice(0, LONGEST_TEXT).replaceAll('\0', '')
}

/** A failure of a job as it is stored. */
export interface JobFailure {
  readonly text: string
  /** The code of the error, if it has one that is not a secret: any library sets what it likes there. */
  readonly code?: string
}

/** Returns the failure of a job for storage; see `errorText`. */
export const jobFailure = (error: unknown, redact: (text: string) => string): JobFailure => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return {
    text: errorText(error, redact),
    ...(typeof code === 'string' && /^\w{1,60}$/.test(code) && redact(code) === code ? { code } : {}),
  }
}

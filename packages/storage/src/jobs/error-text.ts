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

const LONGEST_TEXT = 500

/**
 * What is kept and logged of a job's failure: one short text that any engine can store.
 *
 * @param redact strikes secrets out of it, before it is cut
 */
export const errorText = (error: unknown, redact = (text: string): string => text): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return redact(text).slice(0, LONGEST_TEXT).replaceAll('\0', '')
}

const LONGEST_TEXT = 500

/** What is kept and logged of a job's failure: one short text that any engine can store. */
export const errorText = (error: unknown): string => {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, LONGEST_TEXT).replaceAll('\0', '')
}

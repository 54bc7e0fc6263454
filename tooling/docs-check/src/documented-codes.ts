/** One row of a table of codes. */
export interface DocumentedCode {
  readonly code: string
  /** Empty where the code is never an HTTP answer. */
  readonly statuses: readonly number[]
  /** From 1. */
  readonly line: number
}

/** Reads the rows `| code | status | meaning | what to do |` of docs/reference/errors.md. */
export const documentedCodes = (markdown: string): DocumentedCode[] =>
  markdown.split('\n').flatMap((text, index) => {
    const row = /^\|\s*`(\w+)`\s*\|([^|]*)\|/.exec(text)
    if (!row) return []
    const [, code = '', statuses = ''] = row
    return [{ code, statuses: (statuses.match(/\d{3}/g) ?? []).map(Number), line: index + 1 }]
  })

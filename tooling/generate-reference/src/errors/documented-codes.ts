/** One row of a table of codes. */
export interface DocumentedCode {
  readonly code: string
  /** Empty where the code is never an HTTP answer. */
  readonly statuses: readonly number[]
  /** The last cell: what to do. */
  readonly remedy: string
  /** From 1. */
  readonly line: number
}

/** Reads the rows `| code | status | meaning | what to do |` of docs/reference/errors.md. */
export const documentedCodes = (markdown: string): DocumentedCode[] =>
  markdown.split('\n').flatMap((text, index) => {
    const [first = '', statuses = '', , remedy = ''] = cellsOf(text)
    const code = codeOfCell(first)
    if (code === undefined) return []
    return [{ code, statuses: (statuses.match(/\d{3}/g) ?? []).map(Number), remedy, line: index + 1 }]
  })

/** Returns the cells of a row of a Markdown table, and none of another line. */
export const cellsOf = (line: string): string[] =>
  line.startsWith('|')
    ? line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(cell => cell.trim().replaceAll('\\|', '|'))
    : []

/** Returns the code that the first cell of a row names: `` `file_not_found` ``. */
export const codeOfCell = (cell: string): string | undefined => /^`(\w+)`$/.exec(cell)?.[1]

/** A Markdown table; line breaks and bars inside a cell are kept from ending it. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(tableRow).join('\n')

/** A row of a Markdown table. */
export const tableRow = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

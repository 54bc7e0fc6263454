/** A Markdown table; line breaks and bars inside a cell are kept from ending it. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')

const escapeCell = (cell: string): string => cell.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')

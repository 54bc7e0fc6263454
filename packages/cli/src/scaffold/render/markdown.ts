/** Words of a person in a Markdown file: one line, in which nothing is a mark. */
export const plainMarkdown = (words: string): string =>
  words
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]|&(?=#?\w+;)/g, '\\$&')
    .replace(/^[-+=]|(?<=^\d+)[.)]/, '\\$&')

/** A table of two columns. */
export const renderTable = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): string => {
  const all = [head, ...rows]
  const widths = [0, 1].map(column => Math.max(...all.map(row => row[column]!.length)))
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(' | ')} |`
  return [line(head), line(['', ''], '-'), ...rows.map(row => line(row))].join('\n')
}

/** Lines of one source file. */
export interface LineCounts {
  readonly lines: number
  /** Lines that are part of a docstring. */
  readonly docstringLines: number
}

/** Counts the lines of a source text; an end of line at the end of the text begins no further line. */
export const countLines = (text: string): LineCounts => {
  const lines = text.replace(/\n$/, '').split('\n')
  let inDocstring = false
  let docstringLines = 0
  for (const line of lines) {
    const begins = line.trimStart().startsWith('/**')
    if (inDocstring || begins) docstringLines += 1
    inDocstring = (inDocstring || begins) && !line.includes('*/')
  }
  return { lines: lines.length, docstringLines }
}

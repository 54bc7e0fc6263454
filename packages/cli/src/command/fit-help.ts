import { displayWidth, wrapWords } from '../output/display-width.ts'

/**
 * Wraps a help text to a number of columns. Paragraphs, which start at the margin, are wrapped again if a line is too
 * long. In a list of examples with a line that is too long, remarks move below their commands, which stay on one line
 * for copying.
 */
export const fitHelp = (text: string, columns: number): string => {
  const blocks: { readonly kind: string; readonly lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const kind = kindOf(line)
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
    .flatMap(({ kind, lines }) => {
      if (lines.every(line => displayWidth(line) <= columns)) return lines
      if (kind === 'example') return lines.flatMap(line => withRemarkBelow(line, columns))
      return wrapWords(lines.join(' '), columns)
    })
    .join('\n')
}

const kindOf = (line: string): 'blank' | 'example' | 'heading' | 'prose' => {
  if (line === '') return 'blank'
  if (line.startsWith(' ')) return 'example'
  return line.endsWith(':') ? 'heading' : 'prose'
}

const withRemarkBelow = (line: string, columns: number): string[] => {
  const [, indent = '', example = '', remark = ''] = /^(\s*)(\S.*?)(?:\s{2,}(\S.*))?$/.exec(line) ?? []
  const below = `${indent}    `
  return [indent + example, ...(remark === '' ? [] : wrapWords(remark, columns - below.length).map(one => below + one))]
}

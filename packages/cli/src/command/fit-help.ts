import { displayWidth, wrapWords } from '../output/display-width.ts'

/**
 * Fits a help text into so many columns. Paragraphs, which begin at the margin, are set anew where one of their lines is too
 * long. In a list of examples that has a line too long, remarks go below their commands, which stay on one line: so they
 * can be copied.
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

import { inlineMarkdown } from './inline-markdown.ts'

/** How many columns a table has at most; the rest of a row is left out. */
const maxColumns = 50

/** The rows of a table and not those of tables inside of it. */
const rowsOf = (table: Element): Element[] =>
  [...table.children].flatMap(child => {
    if (child.localName === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.localName)
      ? [...child.children].filter(({ localName }) => localName === 'tr')
      : []
  })

const cellsOf = (row: Element): Element[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th')

/** Whether a table has data in it; others only place things beside each other. */
export const isDataTable = (table: Element): boolean => {
  const rows = rowsOf(table)
  const isLayout = /^(?:presentation|none)$/i.test(table.getAttribute('role') ?? '')
  return !isLayout && rows.length > 1 && rows.some(row => cellsOf(row).length > 1) && !hasBlocks(table)
}

/** Tables, lists and headings do not fit into a cell. */
const hasBlocks = (element: Element): boolean =>
  [...element.children].some(
    child => /^(?:table|ul|ol|dl|pre|blockquote|h[1-6])$/.test(child.localName) || hasBlocks(child),
  )

/** A table as GitHub's Markdown has it. Cells that span columns are followed by empty ones. */
export const markdownTable = (table: Element): string => {
  const rows = rowsOf(table).map(row => cellsOf(row).flatMap(readCell).slice(0, maxColumns))
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, column) => cells[column] ?? '').join(' | ')} |`
  const [first = [], ...others] = rows
  const rule = `|${' --- |'.repeat(columns)}`
  const caption = [...table.children].find(({ localName }) => localName === 'caption')
  const title = caption ? `${inlineMarkdown([...caption.childNodes])}\n\n` : ''
  return `${title}${[line(first), rule, ...others.map(line)].join('\n')}`
}

const readCell = (cell: Element): string[] => {
  const text = inlineMarkdown([...cell.childNodes])
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
  const span = Number(cell.getAttribute('colspan') ?? 1)
  const following = Number.isInteger(span) && span > 1 ? Math.min(span, maxColumns) - 1 : 0
  return [text, ...Array.from({ length: following }, () => '')]
}

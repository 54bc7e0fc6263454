import { codeSpan, escapeMarkdown } from './markdown-text.ts'

/** Returns the text of one paragraph: inline elements become Markdown, white space becomes single spaces. */
export const inlineMarkdown = (nodes: readonly Node[]): string =>
  joined(nodes)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()

/** Joins text so that adjacent parts do not form a link or an image, which a client would load automatically. */
const joined = (nodes: Iterable<Node>): string => {
  const pieces: string[] = []
  let last = ''
  for (const node of nodes) {
    const piece = inlineNode(node)
    if (piece === '') continue
    if (last.endsWith('!') && piece.startsWith('[')) pieces.push(' ')
    if (last.endsWith(']') && piece.startsWith('(')) pieces.push('\\')
    pieces.push(piece)
    last = piece
  }
  return pieces.join('')
}

const inlineNode = (node: Node): string => {
  if (node.nodeType === 3) return escapeMarkdown((node.textContent ?? '').replaceAll(/\s+/g, ' '))
  if (node.nodeType !== 1) return ''
  const element = node as Element
  const inner = () => joined(element.childNodes)
  switch (element.localName) {
    case 'br':
      return '\n'
    case 'wbr':
      return ''
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return codeSpan(element.textContent ?? '')
    case 'b':
    case 'strong':
      return wrapped(inner(), '**')
    case 'em':
    case 'i':
      return wrapped(inner(), '*')
    case 'del':
    case 's':
    case 'strike':
      return wrapped(inner(), '~~')
    case 'q':
      return `"${inner()}"`
    case 'sup':
      return raised(inner(), '^')
    case 'sub':
      return raised(inner(), '_')
    case 'a':
      return link(element, inner())
    default:
      return inner()
  }
}

/** Puts marks next to the words, not around surrounding spaces. */
const wrapped = (text: string, mark: string): string => {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return words === '' || words.includes('\n') ? text : `${before}${mark}${words}${mark}${after}`
}

/** Returns '10^6' for a superscript, so that it is not read as 106; references in brackets do not change. */
const raised = (text: string, mark: string): string => (/^\s*(?:\[|$)/.test(text) ? text : `${mark}${text.trim()}`)

const link = (anchor: Element, inner: string): string => {
  const text = inner.replaceAll(/\s+/g, ' ').trim()
  const href = anchor.getAttribute('href')
  if (!href || text === '') return inner
  const before = /^\s/.test(inner) ? ' ' : ''
  const after = /\s$/.test(inner) ? ' ' : ''
  return `${before}${markdownLink(text, href)}${after}`
}

/** Returns a link. @param text Markdown of one line @param href an absolute address */
export const markdownLink = (text: string, href: string): string =>
  `[${text}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** Maximum number of columns of a table; others are omitted. */
const maxColumns = 50

/** Returns the rows of a table without those of nested tables. */
const rowsOf = (table: Element): Element[] =>
  [...table.children].flatMap(child => {
    if (child.localName === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.localName)
      ? [...child.children].filter(({ localName }) => localName === 'tr')
      : []
  })

const cellsOf = (row: Element): Element[] =>
  [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th')

/** Returns whether a table contains data; others are only layout. */
export const isDataTable = (table: Element): boolean => {
  const rows = rowsOf(table)
  const isLayout = /^(?:presentation|none)$/i.test(table.getAttribute('role') ?? '')
  return !isLayout && rows.length > 1 && rows.some(row => cellsOf(row).length > 1) && !hasBlocks(table)
}

/** Returns whether an element contains tables, lists or headings, which do not fit into a cell. */
const hasBlocks = (element: Element): boolean =>
  [...element.children].some(
    child => /^(?:table|ul|ol|dl|pre|blockquote|h[1-6])$/.test(child.localName) || hasBlocks(child),
  )

/** Returns a table in GitHub's Markdown. Empty cells follow a cell that spans columns. */
export const markdownTable = (table: Element): string => {
  const rows = rowsOf(table).map(row => cellsOf(row).flatMap(readCell).slice(0, maxColumns))
  const columns = rows.reduce((max, row) => Math.max(max, row.length), 0)
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

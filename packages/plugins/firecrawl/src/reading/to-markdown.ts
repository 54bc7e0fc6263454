import { inlineMarkdown, isDataTable, markdownLink, markdownTable } from './inline-markdown.ts'
import { codeBlock, escapeLineStarts } from './markdown-text.ts'

const blocks = new Set(
  `address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
  header hgroup hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul`.split(/\s+/),
)

/**
 * Converts an element to Markdown: headings, paragraphs, lists, quotes, code, data tables, links and the text of
 * images.
 *
 * @param element from markup with limited depth
 * @param maxLength length in characters after which it may be incomplete
 */
export const toMarkdown = (element: Element, maxLength: number): string => {
  const mixed = new Map<Element, boolean>()

  /** Returns whether there is a block inside, at any depth. */
  const hasBlock = (one: Element): boolean => {
    const known = mixed.get(one)
    if (known !== undefined) return known
    const found = [...one.children].some(child => blocks.has(child.localName) || hasBlock(child))
    mixed.set(one, found)
    return found
  }

  /** Limited, because each level of lists and quotes lengthens every line. */
  const indented = (text: string, first: string, others: string): string =>
    prefixed(text.slice(0, maxLength + 1), first, others)

  const writeAll = (nodes: Iterable<Node>): string[] => {
    const written: string[] = []
    let line: Node[] = []
    const endLine = () => {
      const text = inlineMarkdown(line)
      if (text !== '') written.push(escapeLineStarts(text))
      line = []
    }
    for (const node of nodes) {
      const one = node.nodeType === 1 ? (node as Element) : undefined
      if (!one || !(blocks.has(one.localName) || hasBlock(one))) {
        line.push(node)
        continue
      }
      endLine()
      written.push(...writeBlock(one).filter(block => block !== ''))
    }
    endLine()
    return written
  }

  const writeBlock = (one: Element): string[] => {
    switch (one.localName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6': {
        const text = inlineMarkdown([...one.childNodes]).replaceAll('\n', ' ')
        return text === '' ? [] : [`${'#'.repeat(Number(one.localName[1]))} ${text}`]
      }
      case 'hr':
        return ['---']
      case 'pre':
        return writeCode(one)
      case 'blockquote':
        return [indented(writeAll(one.childNodes).join('\n\n'), '> ', '> ')]
      case 'ul':
      case 'ol':
      case 'menu':
        return writeList(one)
      case 'dt':
        return writeAll(one.childNodes).map(text => (/[\n*]/.test(text) ? text : `**${text}**`))
      case 'table':
        return isDataTable(one) ? [markdownTable(one)] : writeAll(one.childNodes)
      case 'a':
        return writeCard(one)
      default:
        return writeAll(one.childNodes)
    }
  }

  /** Writes a link around headings and paragraphs: its first heading becomes the link, or else its first line. */
  const writeCard = (anchor: Element): string[] => {
    const href = anchor.getAttribute('href')
    const written = writeAll(anchor.childNodes)
    const heading = written.findIndex(block => block.startsWith('#'))
    const place = Math.max(0, heading)
    const [, mark = '', text = ''] = /^(#{0,6} ?)([^\n]*)$/.exec(written[place] ?? '') ?? []
    if (!href || written.length === 0) return written
    if (text === '' || text.includes('](')) return [...written, `<${href}>`]
    return written.with(place, `${mark}${markdownLink(text, href)}`)
  }

  const writeList = (list: Element): string[] => {
    const start = Number.parseInt(list.getAttribute('start') ?? '', 10)
    let number = Number.isSafeInteger(start) && start >= 0 ? start : 1
    const lines: string[] = []
    for (const child of list.childNodes) {
      if (child.nodeType !== 1) continue
      const item = child as Element
      const written = item.localName === 'li' ? writeAll(item.childNodes) : writeBlock(item)
      const text = isTight(written) ? written.join('\n') : written.join('\n\n')
      if (text === '') continue
      if (item.localName !== 'li') {
        lines.push(indented(text, '  ', '  '))
        continue
      }
      const marker = list.localName === 'ol' ? `${number++}. ` : '- '
      lines.push(indented(text, marker, ' '.repeat(marker.length)))
    }
    return [lines.join('\n')]
  }

  return writeAll([element]).join('\n\n')
}

/** Returns whether an item is one line, with lists below it. */
const isTight = (written: readonly string[]): boolean =>
  written.length < 2 || written.slice(1).every(block => /^(?:- |\d+\. )/.test(block))

const prefixed = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, index) =>
      line === '' && others.trim() === '' ? '' : `${index === 0 ? first : others}${line}`.trimEnd(),
    )
    .join('\n')

const writeCode = (pre: Element): string[] => {
  const code = [...pre.children].find(({ localName }) => localName === 'code')
  const classes = `${code?.getAttribute('class') ?? ''} ${pre.getAttribute('class') ?? ''}`
  const language = /(?:^|\s)(?:lang(?:uage)?-|highlight-source-|brush:\s*)([a-z0-9+#-]{1,20})/i.exec(classes)?.[1]
  const text = codeText(pre)
  return text.trim() === '' ? [] : [codeBlock(text.replace(/^\n/, ''), language?.toLowerCase())]
}

/** Returns text unchanged, with a line break for each `br`. */
const codeText = (node: Node): string => {
  if (node.nodeType === 3) return node.textContent ?? ''
  if ((node as Element).localName === 'br') return '\n'
  return [...node.childNodes].map(codeText).join('')
}

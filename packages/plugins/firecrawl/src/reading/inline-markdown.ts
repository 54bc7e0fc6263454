import { codeSpan, escapeMarkdown } from './markdown-text.ts'

/** Text of one paragraph: elements among it become their Markdown, white space becomes single spaces. */
export const inlineMarkdown = (nodes: readonly Node[]): string =>
  joined(nodes)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ *\n */g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()

/** What stands beside each other becomes no link and no image by that, which a client would load by itself. */
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

/** Marks stand at the words, not at the space around them. */
const wrapped = (text: string, mark: string): string => {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  return words === '' || words.includes('\n') ? text : `${before}${mark}${words}${mark}${after}`
}

/** '10^6', so that it is not read as 106; references in brackets stay as they are. */
const raised = (text: string, mark: string): string => (/^\s*(?:\[|$)/.test(text) ? text : `${mark}${text.trim()}`)

const link = (anchor: Element, inner: string): string => {
  const text = inner.replaceAll(/\s+/g, ' ').trim()
  const href = anchor.getAttribute('href')
  if (!href || text === '') return inner
  const before = /^\s/.test(inner) ? ' ' : ''
  const after = /\s$/.test(inner) ? ' ' : ''
  return `${before}${markdownLink(text, href)}${after}`
}

/** A link. @param text Markdown of one line @param href an absolute address */
export const markdownLink = (text: string, href: string): string =>
  `[${text}](${href.replaceAll('(', '%28').replaceAll(')', '%29')})`

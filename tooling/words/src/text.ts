import { hasTestName, lineOf, type ParsedModule, type SyntaxNode, visitNodes } from '@sibyl/tooling-source'

/** The kinds of text that are counted apart. */
export type TextKind = 'docs' | 'docstrings' | 'texts' | 'names' | 'tests' | 'groups'

/** A piece of text that a person reads. */
export interface Text {
  readonly kind: TextKind
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** The texts of a Markdown page, line for line, without code. */
export const textsOfPage = (markdown: string): Text[] => {
  let isCode = false
  return markdown.split('\n').flatMap((line, index) => {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) {
      isCode = !isCode
      return []
    }
    const text = line
      .replace(/(`+)[^`].*?\1/g, '')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/<[^>]+>/g, '')
    return isCode || text.trim() === '' ? [] : [{ kind: 'docs' as const, text, line: index + 1 }]
  })
}

/** The docstrings of a module, and the strings in it that are prose, such as errors and help. Tests have none. */
export const textsOfModule = (module: string, path: string, parsed: ParsedModule): Text[] =>
  hasTestName(path) || path.includes('/testing/') ? [] : [...docstrings(module), ...proseOf(module, parsed)]

const docstrings = (module: string): Text[] =>
  [...module.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(({ 1: comment = '', index }) => ({
    kind: 'docstrings',
    text: withoutCode(comment.replace(/^[ \t]*\*[ \t]?/gm, '')),
    line: lineOf(module, index),
  }))

const proseOf = (module: string, { tree }: ParsedModule): Text[] => {
  const found: Text[] = []
  visitNodes(tree, node => {
    const text = stringOf(node)
    if (text !== undefined && isProse(text)) {
      found.push({ kind: 'texts', text: withoutCode(text), line: lineOf(module, node.start) })
    }
  })
  return found
}

const stringOf = (node: SyntaxNode): string | undefined => {
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateElement') return (node.value as { cooked?: string }).cooked
  return undefined
}

/** Three words and more; identifiers, paths, SQL and markup are not prose. */
const isProse = (text: string): boolean =>
  /[a-z]+ [a-z']+ [a-z]+/i.test(text) && !/^\s*(?:select|insert|update|delete|create|alter) /i.test(text)

/** Removes quoted code and, of docstrings, types and the names of parameters. */
const withoutCode = (text: string): string =>
  text
    .replace(/`[^`]*`/g, '')
    .replace(/@(?:param|property|template)\s+(?:\{.*\}\s+)?(?:\[[^\]]*\]|[\w.$]+)/g, '')
    .replace(/@\w+\s+\{.*\}/g, '')

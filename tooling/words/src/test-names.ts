import { lineOf, type ParsedModule, type SyntaxNode, visitNodes } from '@sibyl/tooling-source'
import type { Text } from './text.ts'

/** The names of the tests and groups of a module: the first argument of `test`, `it` and `describe`, also after `.each(…)`. */
export const testNamesOfModule = (module: string, { tree }: ParsedModule): Text[] => {
  const found: Text[] = []
  visitNodes(tree, node => {
    if (node.type !== 'CallExpression') return
    const { callee, arguments: given } = node as SyntaxNode & { callee: SyntaxNode; arguments: readonly SyntaxNode[] }
    const name = declaringName(callee)
    const text = textOf(given[0])
    if (name === undefined || text === undefined) return
    found.push({ kind: name === 'describe' ? 'groups' : 'tests', text, line: lineOf(module, node.start) })
  })
  return found
}

/** `test` for `test`, `test.skip`, `test.each(rows)` and `test.skipIf(missing).each(rows)`. */
const declaringName = (callee: SyntaxNode): string | undefined => {
  if (callee.type === 'Identifier') {
    const name = callee.name as string
    return name === 'test' || name === 'it' || name === 'describe' ? name : undefined
  }
  if (callee.type === 'MemberExpression') return declaringName(callee.object as SyntaxNode)
  return callee.type === 'CallExpression' ? declaringName(callee.callee as SyntaxNode) : undefined
}

const textOf = (node: SyntaxNode | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'TemplateLiteral') return undefined
  return (node.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}

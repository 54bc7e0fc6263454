import { posix } from 'node:path'
import { hasTestName, parseModule, type SyntaxNode, visitNodes, type WorkspacePackage } from '@sibyl/tooling-source'

/** One place in the sources that gives an error its code. */
export interface DeclaredCode {
  readonly code: string
  /** The HTTP status beside it, where that is written out. */
  readonly status?: number
  /** Relative to the checkout. */
  readonly file: string
}

const snakeCase = /^[a-z*][a-z0-9]*(_[a-z0-9*]+)*$/
const twoWords = /^[a-z0-9]+(_[a-z0-9]+)+$/

/** Codes that only carry the name: an issue of zod's own, and languages (ISO 639, two or three letters). */
const foreign = /^(custom|[a-z]{2,3})$/

/**
 * Finds the codes that the sources of the published packages declare: each string written as the `code` of a class or
 * an object, each name in a `defineErrors`, `defineToolFailures` or `defineCommandErrors`, and each member of a union type
 * named `...Refusal`, `...Reason` or `...Code`, if all its members have several words. Tests and testing folders declare
 * none. A code put together from parts has `*` for a part that the
 * sources do not spell out: `ucan_*`.
 */
export const declaredCodes = (packages: readonly WorkspacePackage[]): DeclaredCode[] =>
  packages
    .filter(({ folder }) => folder.startsWith('packages/'))
    .flatMap(({ folder, files }) =>
      files
        .filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/testing/') && !hasTestName(path))
        .flatMap(({ path, text }) => codesOf(text, posix.join(folder, path))),
    )

const codesOf = (text: string, file: string): DeclaredCode[] => {
  const found: DeclaredCode[] = []
  visitNodes(parseModule(text, file).tree, node => {
    if (node.type === 'ClassBody') found.push(...codesOfMembers(node.body as SyntaxNode[], file))
    if (node.type === 'ObjectExpression') found.push(...codesOfMembers(node.properties as SyntaxNode[], file))
    if (node.type === 'CallExpression') found.push(...codesOfDefinitions(node, file))
    if (node.type === 'TSTypeAliasDeclaration') found.push(...codesOfUnion(node, file))
  })
  return found
}

const codesOfMembers = (members: readonly SyntaxNode[], file: string): DeclaredCode[] => {
  const memberValue = (name: string) =>
    members.find(({ key }) => (key as { name?: string } | undefined)?.name === name)?.value
  const status = (memberValue('status') as { value?: unknown } | null | undefined)?.value
  return stringsOf(memberValue('code') as SyntaxNode | null | undefined)
    .filter(code => snakeCase.test(code) && code !== '*' && !foreign.test(code))
    .map(code => ({ code, file, ...(typeof status === 'number' ? { status } : {}) }))
}

/** The codes of `defineErrors({ tide_unknown: { status: 404, … } })`; an error with a `code` of its own has that one. */
const codesOfDefinitions = (call: SyntaxNode, file: string): DeclaredCode[] => {
  const [definitions] = call.arguments as SyntaxNode[]
  if (
    !/^define(Errors|ToolFailures|CommandErrors)$/.test(nameOf(call.callee)) ||
    definitions?.type !== 'ObjectExpression'
  )
    return []
  return (definitions.properties as SyntaxNode[]).flatMap(({ key, value }) => {
    const members = ((value as SyntaxNode | undefined)?.properties ?? []) as SyntaxNode[]
    if (members.some(member => nameOf(member.key) === 'code')) return []
    const status = (members.find(member => nameOf(member.key) === 'status')?.value as { value?: unknown } | undefined)
      ?.value
    return [{ code: nameOf(key), file, ...(typeof status === 'number' ? { status } : {}) }]
  })
}

const nameOf = (identifier: unknown): string => (identifier as { name?: string } | undefined)?.name ?? ''

/** The strings that an expression may be: a literal, a template, or the branches of `a ? 'b' : 'c'` and `a ?? 'b'`. */
const stringsOf = (expression: SyntaxNode | null | undefined): string[] => {
  if (!expression) return []
  const parts = (...names: string[]) => names.flatMap(name => stringsOf(expression[name] as SyntaxNode))
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? [expression.value] : []
    case 'ConditionalExpression':
      return parts('consequent', 'alternate')
    case 'LogicalExpression':
      return parts('left', 'right')
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return parts('expression')
    case 'TemplateLiteral':
      return stringsOfTemplate(expression)
    default:
      return []
  }
}

const stringsOfTemplate = (template: SyntaxNode): string[] => {
  const texts = (template.quasis as SyntaxNode[]).map(({ value }) => (value as { cooked: string }).cooked)
  const parts = (template.expressions as SyntaxNode[]).map(stringsOf)
  return parts.reduce<string[]>(
    (sofar, alternatives, index) =>
      (alternatives.length > 0 ? alternatives : ['*']).flatMap(part =>
        sofar.map(text => `${text}${part}${texts[index + 1]}`),
      ),
    [texts[0] as string],
  )
}

const codesOfUnion = (alias: SyntaxNode, file: string): DeclaredCode[] => {
  const name = (alias.id as unknown as { name: string }).name
  const union = alias.typeAnnotation as SyntaxNode
  if (!/(Refusal|Reason|Code)$/.test(name) || union.type !== 'TSUnionType') return []
  const members = (union.types as SyntaxNode[]).map(
    member => (member.literal as { value?: unknown } | undefined)?.value,
  )
  return members.every(member => typeof member === 'string' && twoWords.test(member))
    ? members.map(code => ({ code: code as string, file }))
    : []
}

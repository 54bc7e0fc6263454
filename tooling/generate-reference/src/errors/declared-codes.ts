import { posix } from 'node:path'
import { hasTestName, parseModule, type SyntaxNode, visitNodes, type WorkspacePackage } from '@sibyl/tooling-source'

/** One place in the sources that gives an error its code. */
export interface DeclaredCode {
  readonly code: string
  /** The HTTP status beside it, where that is written out. */
  readonly status?: number
  /** The message of a definition, with its parameters as `{name}`. */
  readonly message?: string
  /** The summary of a definition. */
  readonly summary?: string
  /** Relative to the checkout. */
  readonly file: string
}

const snakeCase = /^[a-z*][a-z0-9]*(_[a-z0-9*]+)*$/
const twoWords = /^[a-z0-9]+(_[a-z0-9]+)+$/

/** Codes that only carry the name: an issue of zod's own, and languages (ISO 639, two or three letters). */
const foreign = /^(custom|[a-z]{2,3})$/

/**
 * Finds the codes that the sources of the published packages declare: each string written as the `code` of a class or
 * an object, each name in a `defineErrors`, `defineToolFailures`, `defineCommandErrors` or `errorGroup`, and each member of a union type
 * named `...Refusal`, `...Reason` or `...Code`, if all its members have several words. Tests and testing folders declare
 * none. A code put together from parts has `*` for a part that the sources do not spell out: `ucan_*`.
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
  const definitions = new Set<unknown>()
  visitNodes(parseModule(text, file).tree, node => {
    if (node.type === 'ClassBody') found.push(...codesOfMembers(node.body as SyntaxNode[], file))
    if (node.type === 'ObjectExpression' && !definitions.has(node))
      found.push(...codesOfMembers(node.properties as SyntaxNode[], file))
    for (const definition of definitionsOf(node)) {
      definitions.add(definition.value)
      found.push(codeOfDefinition(definition, file))
    }
    if (node.type === 'TSTypeAliasDeclaration') found.push(...codesOfUnion(node, file))
  })
  return found
}

const codesOfMembers = (members: readonly SyntaxNode[], file: string): DeclaredCode[] =>
  stringsOf(memberValue(members, 'code'))
    .filter(code => snakeCase.test(code) && code !== '*' && !foreign.test(code))
    .map(code => ({ code, file, ...statusOf(members) }))

const memberValue = (members: readonly SyntaxNode[], name: string): SyntaxNode | null | undefined =>
  members.find(({ key }) => nameOf(key) === name)?.value as SyntaxNode | null | undefined

const statusOf = (members: readonly SyntaxNode[]): { status?: number } => {
  const status = memberValue(members, 'status')?.value
  return typeof status === 'number' ? { status } : {}
}

/** The members of `defineErrors({ tide_unknown: { status: 404, … } })`. */
const definitionsOf = (node: SyntaxNode): SyntaxNode[] => {
  if (node.type !== 'CallExpression') return []
  const [definitions] = node.arguments as SyntaxNode[]
  return /^(define(Errors|ToolFailures|CommandErrors)|errorGroup)$/.test(nameOf(node.callee)) &&
    definitions?.type === 'ObjectExpression'
    ? (definitions.properties as SyntaxNode[])
    : []
}

/** The code of a definition is its name, unless it has another one as `code`. */
const codeOfDefinition = ({ key, value }: SyntaxNode, file: string): DeclaredCode => {
  const { properties, elements } = (value ?? {}) as {
    readonly properties?: SyntaxNode[]
    readonly elements?: SyntaxNode[]
  }
  const members = properties ?? []
  const textMember = (name: string) => {
    const expression = memberValue(members, name)
    const [text] = stringsOf(expression)
    if (expression && text === undefined) throw new Error(`${file}: write the ${name} of ${nameOf(key)} as text.`)
    return text === undefined ? {} : { [name]: text }
  }
  return {
    code: nameOf(key),
    file,
    ...statusOf(members),
    ...textMember('code'),
    ...textMember('message'),
    ...(elements === undefined ? textMember('summary') : { summary: stringsOf(elements[1])[0] ?? '' }),
  }
}

const nameOf = (identifier: unknown): string => (identifier as { name?: string } | undefined)?.name ?? ''

/** The strings that an expression may be: a literal, a template, a sum, or the branches of `a ? 'b' : 'c'` and `a ?? 'b'`. */
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
    case 'BinaryExpression':
      return stringsOf(expression.left as SyntaxNode).flatMap(left =>
        stringsOf(expression.right as SyntaxNode).map(right => `${left}${right}`),
      )
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

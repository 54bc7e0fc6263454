import { lineOf, type ParsedModule, type SyntaxNode, visitNodes } from '@sibyl/tooling-source'
import type { Text } from './text.ts'

/**
 * The names that a module declares, split into words: functions, variables, parameters, types, members and methods. Names
 * with an underscore are skipped: they are columns, fields of a wire format or variables of the environment.
 */
export const namesOfModule = (module: string, { tree }: ParsedModule): Text[] => {
  const found: Text[] = []
  visitNodes(tree, node => {
    for (const { name, start } of declaredBy(node)) {
      if (!name.includes('_')) found.push({ kind: 'names', text: wordsOf(name), line: lineOf(module, start) })
    }
  })
  return found
}

/** The name of a file or folder, split into words. */
export const nameOfPath = (path: string): Text => ({
  kind: 'names',
  text: wordsOf(path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '')),
  line: 1,
})

/** Splits `tellUser`, `tell-user` and `TELLUser` into `tell user`. */
const wordsOf = (name: string): string =>
  (name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})/gu) ?? []).join(' ').toLowerCase()

interface Name {
  readonly name: string
  readonly start: number
}

type Declaration = SyntaxNode &
  Readonly<Record<'id' | 'key' | 'value' | 'param', SyntaxNode | null>> & {
    readonly params: readonly SyntaxNode[]
    readonly computed?: boolean
  }

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration', 'TSFunctionType'])

const declaredBy = (node: SyntaxNode): readonly Name[] => {
  const { type, id, key, value, param, params, computed } = node as Declaration
  if (type === 'TSMethodSignature') return [...boundBy(computed ? null : key), ...params.flatMap(boundBy)]
  if (functions.has(type)) return [...boundBy(id), ...params.flatMap(boundBy)]
  switch (type) {
    case 'VariableDeclarator':
    case 'ClassDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      return boundBy(id)
    case 'TSPropertySignature':
    case 'PropertyDefinition':
    case 'MethodDefinition':
      return boundBy(computed ? null : key)
    case 'Property':
      // Other keys of an object are declared by its type, or are data.
      return !computed && value !== null && functions.has(value.type) ? boundBy(key) : []
    case 'CatchClause':
      return boundBy(param)
    default:
      return []
  }
}

/** The names of a pattern. A property that is bound without a new name is declared elsewhere. */
const boundBy = (pattern: SyntaxNode | null): Name[] => {
  switch (pattern?.type) {
    case 'Identifier':
    case 'PrivateIdentifier':
      return [pattern as SyntaxNode & Name]
    case 'ObjectPattern':
      return (pattern.properties as SyntaxNode[])
        .filter(({ shorthand }) => !shorthand)
        .flatMap(({ value, argument }) => boundBy((value ?? argument) as SyntaxNode))
    case 'ArrayPattern':
      return (pattern.elements as (SyntaxNode | null)[]).flatMap(boundBy)
    case 'AssignmentPattern':
      return boundBy(pattern.left as SyntaxNode)
    case 'RestElement':
      return boundBy(pattern.argument as SyntaxNode)
    default:
      return []
  }
}

import { posix } from 'node:path'
import { parseAst } from 'vitest/node'
import { lineOf, type SyntaxNode, visitNodes } from './syntax-node.ts'

/** One place where a module names another. */
export interface ModuleImport {
  readonly specifier: string
  /** From 1. */
  readonly line: number
  /** True for `import()`, which loads the module when it runs. */
  readonly isDynamic?: true
}

/** A parsed module for the checks. */
export interface ParsedModule {
  readonly tree: SyntaxNode
  /** Static, dynamic, re-exporting and type imports; a dynamic one only when its name is written out. */
  readonly imports: readonly ModuleImport[]
  /** Lines with an `export default`. */
  readonly defaultExports: readonly number[]
  /** Lines on which the module itself declares something with `let` or `var`. */
  readonly mutableState: readonly number[]
}

const importKinds = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/**
 * Parses a module of TypeScript or JavaScript.
 *
 * @param file Its path, of which the extension names the language.
 * @throws Error if the text is not in that language.
 */
export const parseModule = (text: string, file = 'module.ts'): ParsedModule => {
  const tree = parseTree(text, file)
  const statements = tree.body as SyntaxNode[]
  const line = (node: SyntaxNode) => lineOf(text, node.start)
  const imports: ModuleImport[] = []
  visitNodes(tree, node => {
    const source = node.source as { value?: unknown } | null | undefined
    if (importKinds.has(node.type) && typeof source?.value === 'string') {
      imports.push({
        specifier: source.value,
        line: line(node),
        ...(node.type === 'ImportExpression' && { isDynamic: true }),
      })
    }
  })
  return {
    tree,
    imports,
    defaultExports: statements.filter(({ type }) => type === 'ExportDefaultDeclaration').map(line),
    mutableState: statements.filter(isMutableState).map(line),
  }
}

const isMutableState = (statement: SyntaxNode): boolean => {
  const declared = (statement.declaration ?? statement) as SyntaxNode
  return (
    declared.type === 'VariableDeclaration' && (declared.kind === 'let' || declared.kind === 'var') && !declared.declare
  )
}

const parseTree = (text: string, file: string): SyntaxNode => {
  try {
    return parseAst(text, { lang: languageOf(file) }) as unknown as SyntaxNode
  } catch (cause) {
    throw new Error(`${file} cannot be parsed. ${(cause as Error).message}`, { cause })
  }
}

/** TypeScript with JSX is a language of its own, because `<T>` is ambiguous there. */
const languageOf = (file: string): 'js' | 'jsx' | 'ts' | 'tsx' => {
  const extension = posix.extname(file)
  return `${extension.includes('t') ? 'ts' : 'js'}${extension.endsWith('x') ? 'x' : ''}`
}

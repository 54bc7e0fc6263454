import { posix } from 'node:path'
import { parseModule, type SyntaxNode, type WorkspacePackage } from '@sibyl/tooling-source'

/** Counts the names that the entries of a package export, types included; a name of two entries counts twice. */
export const countExports = ({ manifest, files }: WorkspacePackage): number => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const entries = Object.values(manifest.exports ?? {})
    .map(target => posix.normalize(typeof target === 'string' ? target : (target['sibyl-source'] ?? '')))
    .filter(path => texts.has(path))
  return entries.reduce((sum, entry) => sum + namesOf(entry, texts).size, 0)
}

const namesOf = (path: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const statements = parseModule(texts.get(path) ?? '', path).tree.body as SyntaxNode[]
  return new Set(
    statements.flatMap(statement => {
      if (statement.type === 'ExportAllDeclaration') {
        const { value } = statement.source as { value: string }
        return [...namesOf(posix.join(posix.dirname(path), value), texts)]
      }
      if (statement.type !== 'ExportNamedDeclaration') return []
      const specifiers = statement.specifiers as { exported: { name: string } }[]
      const declared = statement.declaration as { id?: { name: string }; declarations?: Declarator[] } | null
      return [
        ...specifiers.map(({ exported }) => exported.name),
        ...(declared?.declarations ?? []).map(({ id }) => id.name),
        ...(declared?.id ? [declared.id.name] : []),
      ]
    }),
  )
}

interface Declarator {
  readonly id: { readonly name: string }
}

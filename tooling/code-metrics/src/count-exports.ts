import { posix } from 'node:path'
import { parseModule, type SyntaxNode, type WorkspacePackage } from '@sibyl/tooling-source'

/** Counts the names that each entry of a package exports, types included, but for `./testing`; `packages/a/b` is `./b` of `packages/a`. */
export const countExports = ({ folder, manifest, files }: WorkspacePackage): Readonly<Record<string, number>> => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return Object.fromEntries(
    Object.entries(manifest.exports ?? {}).flatMap(([entry, target]) => {
      const path = posix.normalize(typeof target === 'string' ? target : (target['sibyl-source'] ?? ''))
      const count = entry === './testing' || !texts.has(path) ? 0 : namesOf(path, texts).size
      return count === 0 ? [] : [[posix.join(folder, entry), count]]
    }),
  )
}

const namesOf = (path: string, texts: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const statements = parseModule(texts.get(path) ?? '', path).tree.body as SyntaxNode[]
  return new Set(
    statements.flatMap(statement => {
      if (statement.type === 'ExportAllDeclaration') {
        const { value } = statement.source as { value: string }
        const namespace = statement.exported as { name: string } | null
        if (namespace) return [namespace.name]
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

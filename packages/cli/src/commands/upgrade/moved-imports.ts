import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a project that is rewritten. */
export interface ChangedSource {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Finds the sources of a project that import what moved out of `@sibyl/core`, with the imports of today. */
export const findMovedImports = async (folder: string): Promise<ChangedSource[]> => {
  const entries = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }).catch(() => [])
  const changed: ChangedSource[] = []
  for (const entry of entries) {
    if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const before = await readFile(path, 'utf8')
    const after = before
      .replaceAll(/(['"])@sibyl\/core\/testing\1/g, '$1@sibyl/testing$1')
      .replaceAll(/^((?:im|ex)port (?:type )?)\{([^}]*)\} from (['"])@sibyl\/core\3/gm, splitNames)
    if (after !== before) changed.push({ path, before, after })
  }
  return changed
}

/** The names of `@sibyl/plugin` that `@sibyl/core` exported, too. */
const pluginNames = new Set(['defineErrors', 'definePlugin', 'defineTool', 'Host', 'OraclePlugin', 'route'])

/** Splits an import into the names of `@sibyl/core` and those of `@sibyl/plugin`. */
const splitNames = (statement: string, start: string, names: string, quote: string): string => {
  const [own, moved] = [false, true].map(isMoved =>
    names
      .split(',')
      .map(name => name.trim())
      .filter(name => name !== '' && pluginNames.has(/^(?:type )?(\w+)/.exec(name)?.[1] ?? '') === isMoved),
  ) as [string[], string[]]
  if (moved.length === 0) return statement
  return [
    ...(own.length === 0 ? [] : [`${start}{ ${own.join(', ')} } from ${quote}@sibyl/core${quote}`]),
    `${start}{ ${moved.join(', ')} } from ${quote}@sibyl/plugin${quote}`,
  ].join('\n')
}

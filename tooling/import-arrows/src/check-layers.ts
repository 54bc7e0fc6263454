import { posix } from 'node:path'
import type { ModuleFacts } from '@sibyl/tooling-source'
import type { Violation } from './violation.ts'

/** A parsed file, by its path in its package. */
export interface ModuleAt {
  readonly path: string
  readonly module: ModuleFacts
}

/** The layers of a folder, the lowest first. Each names folders below it; `.` are the files of the folder itself. */
export type FolderLayers = readonly (readonly string[])[]

/**
 * Checks that the folders below a folder import lower layers only, and that each declared one exists. A nested folder, such
 * as `encryption/thread`, is in the layer of `encryption` unless it is declared itself.
 *
 * @param folder Of the package, relative to the checkout.
 * @param modules Files of the package.
 * @param below The folder with the layers, relative to the package, such as `src`.
 * @param tests Files that may import every layer.
 */
export const checkLayers = (
  folder: string,
  modules: readonly ModuleAt[],
  below: string,
  layers: FolderLayers,
  tests: ReadonlySet<string> = new Set(),
): Violation[] => {
  const declared = layers.flat()
  const entryOf = (path: string) => findEntry(declared, path.slice(below.length + 1))
  const layerOf = (entry: string) => layers.findIndex(layer => layer.includes(entry))
  const isBelow = (path: string) => path.startsWith(`${below}/`)
  const inside = modules.filter(({ path }) => isBelow(path))
  const found = new Set(inside.map(({ path }) => entryOf(path)))
  const missing = declared
    .filter(entry => !found.has(entry))
    .map(entry => ({
      file: posix.join(folder, below),
      line: 1,
      message: `has no folder '${entry}', which its layers declare.`,
    }))
  const wrong = inside
    .filter(({ path }) => !tests.has(path))
    .flatMap(({ path, module }) => {
      const file = posix.join(folder, path)
      const from = entryOf(path)
      const layer = layerOf(from)
      if (layer < 0) return [{ file, line: 1, message: `is in '${from}', which is in no layer of its package.` }]
      return module.imports.flatMap(({ specifier, line }) => {
        const imported = posix.join(posix.dirname(path), specifier)
        if (!specifier.startsWith('.') || !isBelow(imported)) return []
        const target = entryOf(imported)
        if (target === from || layerOf(target) < layer) return []
        return [{ file, line, message: `imports '${specifier}': '${target}' is in no lower layer than '${from}'.` }]
      })
    })
  return [...missing, ...wrong]
}

/** Returns the longest declared folder that a file is in; the first folder of its path if none is declared. */
const findEntry = (declared: readonly string[], path: string): string => {
  if (!path.includes('/')) return '.'
  const [longest] = declared.filter(entry => path.startsWith(`${entry}/`)).sort((a, b) => b.length - a.length)
  return longest ?? path.slice(0, path.indexOf('/'))
}

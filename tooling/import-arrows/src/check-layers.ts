import { posix } from 'node:path'
import type { ParsedModule } from '@sibyl/tooling-source'
import type { Violation } from './violation.ts'

/** A parsed file, by its path in its package. */
export interface ModuleAt {
  readonly path: string
  readonly module: ParsedModule
}

/**
 * Checks that the folders of a package import lower layers only.
 *
 * @param folder Of the package, relative to the checkout.
 * @param modules Files of the package without its tests.
 * @param layers The lowest first; undefined for a package that declares none.
 */
export const checkLayers = (
  folder: string,
  modules: readonly ModuleAt[],
  layers: readonly (readonly string[])[] | undefined,
): Violation[] => {
  if (layers === undefined) return []
  return modules
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, module }) => {
      const file = posix.join(folder, path)
      const from = folderOf(path)
      const layer = layerOf(layers, from)
      if (layer < 0) return [{ file, line: 1, message: `is in '${from}', which is in no layer of its package.` }]
      return module.imports.flatMap(({ specifier, line }) => {
        if (!specifier.startsWith('.')) return []
        const target = folderOf(posix.join(posix.dirname(path), specifier))
        if (target === from || layerOf(layers, target) < layer) return []
        return [{ file, line, message: `imports '${specifier}': '${target}' is in no lower layer than '${from}'.` }]
      })
    })
}

/** Returns the folder directly below `src`: `text` of `src/text/measure.ts`, `.` of `src/index.ts`. */
const folderOf = (path: string): string => {
  const [, folder = '.', ...rest] = path.split('/')
  return rest.length === 0 ? '.' : folder
}

const layerOf = (layers: readonly (readonly string[])[], folder: string): number =>
  layers.findIndex(layer => layer.includes(folder))

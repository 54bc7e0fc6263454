import { posix } from 'node:path'
import type { ModuleImport } from './parse-module.ts'

/** A file of a package with its imports. */
export interface ImportingFile {
  /** Relative to the package. */
  readonly path: string
  readonly imports: readonly ModuleImport[]
}

/** Returns, for each file, the files of the same package that it imports. */
export const importGraph = (files: readonly ImportingFile[]): ReadonlyMap<string, readonly string[]> => {
  const paths = new Set(files.map(({ path }) => path))
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports.map(({ specifier }) => posix.join(posix.dirname(path), specifier)).filter(target => paths.has(target)),
    ]),
  )
}

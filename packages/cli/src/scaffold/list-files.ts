import type { Dirent } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** The files of a folder that fit one of some patterns, in the order of their names: relative, with `/`. */
export const listFiles = async (folder: string, patterns: readonly string[]): Promise<string[]> => {
  const paths: string[] = []
  for await (const entry of glob(patterns, { cwd: folder, exclude: isForeign, withFileTypes: true })) {
    if (entry.isFile()) paths.push(relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  }
  return paths.toSorted()
}

/** What is not written by us. */
const isForeign = ({ name }: Dirent): boolean => name === 'node_modules' || name === 'dist'

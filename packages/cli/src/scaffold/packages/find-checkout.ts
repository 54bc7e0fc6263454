import { type Dirent, existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { foldersFrom } from '../../process/find-upward.ts'

/**
 * Returns the folder of the Sibyl checkout of this command.
 *
 * @returns undefined if the command was installed as a package
 */
export const findCheckout = (): string | undefined => {
  if (import.meta.dirname.includes(`${sep}node_modules${sep}`)) return undefined
  const marks = ['pnpm-workspace.yaml', packingScript]
  return foldersFrom(import.meta.dirname).find(folder => marks.every(file => existsSync(join(folder, file))))
}

/** Packs the packages of a checkout; relative to it. */
export const packingScript = join('scripts', 'pack-packages.mjs')

/** Returns the files of a folder that match one of some patterns, sorted: relative, with `/`. */
export const listFiles = async (folder: string, patterns: readonly string[]): Promise<string[]> => {
  const paths: string[] = []
  for await (const entry of glob(patterns, { cwd: folder, exclude: isForeign, withFileTypes: true })) {
    if (entry.isFile()) paths.push(relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  }
  return paths.toSorted()
}

/** Returns whether a folder has files of others, such as packages. */
const isForeign = ({ name }: Dirent): boolean => name === 'node_modules' || name === 'dist'

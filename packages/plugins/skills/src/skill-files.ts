import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from './read-inside.ts'

/** Files of a skill's folder. No other file of it is ever opened. */
export interface SkillFiles {
  /** Paths with `/` as they are on disk, sorted, including `SKILL.md`. */
  readonly paths: readonly string[]
  /** Links that lead out of the folder. */
  readonly outward: readonly string[]
  /** True if there are more. */
  readonly isCut: boolean
}

/** Limits of a skill's files: their number, their depth, and the number of scanned entries. */
const max = { files: 200, depth: 8, entries: 5_000 }

/** Returns whether a file is left out: hidden files, folders of package managers, and names that are not plain text. */
const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules' || /\p{Cc}/u.test(name)

/**
 * Lists the files of a skill. Links are listed if they lead to a file inside the folder. Folders behind links are not
 * entered, because their files have paths of their own.
 *
 * @param folder As `realpath` returns it.
 */
export const listSkillFiles = async (folder: string): Promise<SkillFiles> => {
  const paths: string[] = []
  const outward: string[] = []
  let entries = 0
  let isTooDeep = false

  const walk = async (below: string, depth: number): Promise<void> => {
    const found = await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])
    for (const entry of found.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      entries += 1
      if (entries > max.entries || paths.length > max.files) return
      if (isLeftOut(entry.name)) continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isFile()) paths.push(path)
      else if (entry.isDirectory()) {
        if (depth < max.depth) await walk(path, depth + 1)
        else isTooDeep = true
      }
      if (entry.isSymbolicLink()) {
        const target = await realpath(join(folder, path)).catch(() => undefined)
        if (target !== undefined && !isInside(folder, target)) outward.push(path)
        else if (target !== undefined && (await isFile(target))) paths.push(path)
      }
    }
  }

  await walk('', 0)
  return {
    paths: paths.slice(0, max.files),
    outward,
    isCut: isTooDeep || entries > max.entries || paths.length > max.files,
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    facts => facts.isFile(),
    () => false,
  )

/** Returns the file for a path from the model: `./a` matches `a`, and both Unicode forms of an accent match. */
export const findPath = (paths: readonly string[], wanted: string): string | undefined => {
  const plain = wanted.trim().replace(/^(?:\.\/)+/, '')
  return paths.find(path => path === plain) ?? paths.find(path => path.normalize() === plain.normalize())
}

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'coverage'])

/**
 * The files below a folder, sorted, without what is installed, built or hidden.
 *
 * @param folder Absolute; one that does not exist has no files.
 * @returns Paths relative to the folder, with forward slashes.
 */
export const listFiles = (folder: string): string[] => walk(folder, '').sort()

const walk = (folder: string, below: string): string[] =>
  readEntries(join(folder, below)).flatMap(entry => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isFile()) return [path]
    return entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith('.') ? walk(folder, path) : []
  })

const readEntries = (folder: string) => {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

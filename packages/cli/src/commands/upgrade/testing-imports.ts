import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of a project that is rewritten. */
export interface ChangedSource {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Finds the sources of a project that import `@sibyl/core/testing`, which is now `@sibyl/testing`. */
export const findTestingImports = async (folder: string): Promise<ChangedSource[]> => {
  const entries = await readdir(join(folder, 'src'), { recursive: true, withFileTypes: true }).catch(() => [])
  const changed: ChangedSource[] = []
  for (const entry of entries) {
    if (!entry.isFile() || !/\.[cm]?tsx?$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const before = await readFile(path, 'utf8')
    const after = before.replaceAll(/(['"])@sibyl\/core\/testing\1/g, '$1@sibyl/testing$1')
    if (after !== before) changed.push({ path, before, after })
  }
  return changed
}

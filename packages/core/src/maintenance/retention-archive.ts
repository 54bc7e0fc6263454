import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { archivedText, type RetentionRun } from '@sibyl/plugin/host'
import type { ObjectStore } from '@sibyl/storage'

/**
 * Returns the archive in a folder or an object store: `<day>/<table>-<SHA-256 of the file>.ndjson`, one row a line. After a crash
 * the same rows may be in two files.
 */
export const retentionArchive = (
  place: string | Pick<ObjectStore, 'put'>,
  now: () => number,
): NonNullable<RetentionRun['archive']> => {
  return async (table, rows) => {
    if (rows.length === 0) return
    const text = rows.map(row => `${archivedText(row)}\n`).join('')
    const day = new Date(now()).toISOString().slice(0, 10)
    const name = `${table}-${createHash('sha256').update(text).digest('hex')}.ndjson`
    // The store compares the SHA-256, and shows the object when it is whole.
    if (typeof place === 'string') await writeIn(place, day, name, text)
    else await place.put(`${day}/${name}`, text)
  }
}

/** Syncs the file, then names it, then syncs its folder, so that a file with its name is complete. */
const writeIn = async (root: string, day: string, name: string, text: string): Promise<void> => {
  const folder = join(root, day)
  const created = await mkdir(folder, { recursive: true, mode: 0o700 })
  const unfinished = join(folder, `.${randomUUID()}`)
  try {
    await writeFile(unfinished, text, { flag: 'wx', mode: 0o600, flush: true })
    await rename(unfinished, join(folder, name))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(folder)
  if (created !== undefined) await syncFolder(root)
}

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

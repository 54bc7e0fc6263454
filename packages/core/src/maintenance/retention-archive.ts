import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivedText, type RetentionRun } from '@sibyl/plugin/host'

/**
 * Returns the archive of a folder: `<day>/<table>-<SHA-256 of the file>.ndjson`, one row a line. A file is synced, then named, then
 * its folder is synced, so that a file with its name is complete. After a crash the same rows may be in two files.
 */
export const retentionArchive =
  (folder: string, now: () => number): NonNullable<RetentionRun['archive']> =>
  async (table, rows) => {
    if (rows.length === 0) return
    const day = join(folder, new Date(now()).toISOString().slice(0, 10))
    const created = await mkdir(day, { recursive: true, mode: 0o700 })
    const text = rows.map(row => `${archivedText(row)}\n`).join('')
    const digest = createHash('sha256').update(text).digest('hex')
    const unfinished = join(day, `.${randomUUID()}`)
    try {
      const file = await open(unfinished, 'wx', 0o600)
      try {
        await file.writeFile(text)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(unfinished, join(day, `${table}-${digest}.ndjson`))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await syncFolder(day)
    if (created !== undefined) await syncFolder(folder)
  }

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

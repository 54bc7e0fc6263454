import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../errors/code-of.ts'

/**
 * Writes a text to a temporary file beside the target, synced and by default for its owner alone, and moves it into
 * place. The temporary file is always removed.
 *
 * @param place Moves the temporary file to the target.
 * @param mode @default 0o600
 */
export const throughDraft = async <Result>(
  path: string,
  text: string,
  place: (draft: string) => Promise<Result>,
  mode = 0o600,
): Promise<Result> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return await place(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** Replaces a file atomically; only its owner can read it (mode 0600). */
export const replaceFile = (path: string, text: string): Promise<void> =>
  throughDraft(path, text, draft => rename(draft, path))

/** Waits until the names in a folder are on disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Creates a file atomically that only its owner can read: one of several concurrent calls wins, and no reader sees a
 * part of it.
 *
 * @returns whether this call created it; false if it existed
 */
export const writeNewFile = async (path: string, text: string): Promise<boolean> => {
  try {
    await throughDraft(path, text, async draft => {
      await link(draft, path)
      await syncFolder(dirname(path))
    })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

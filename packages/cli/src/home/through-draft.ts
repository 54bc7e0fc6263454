import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../errors/code-of.ts'

/**
 * Writes a text to a draft beside a file, on disk and by default for its owner alone, and has it put in its place;
 * nothing of the draft is left.
 *
 * @param place Puts the draft where the file belongs.
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

/** Writes a file that only its owner can read (mode 0600), whole or not at all, in the place of the one before. */
export const replaceFile = (path: string, text: string): Promise<void> =>
  throughDraft(path, text, draft => rename(draft, path))

/** Waits until the names in a folder are on disk. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/**
 * Writes a file that only its owner can read, whole or not at all: of several at once one wins, and no reader sees a
 * part of it.
 *
 * @returns whether this call made it; false when it was there already
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

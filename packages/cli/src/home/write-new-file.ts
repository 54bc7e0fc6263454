import { link } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.ts'
import { throughDraft } from './through-draft.ts'

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
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

import { rename } from 'node:fs/promises'
import { throughDraft } from './through-draft.ts'

/** Writes a file that only its owner can read (mode 0600), whole or not at all, in the place of the one before. */
export const replaceFile = (path: string, text: string): Promise<void> =>
  throughDraft(path, text, draft => rename(draft, path))

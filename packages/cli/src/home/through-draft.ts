import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'

/**
 * Writes a text to a draft beside a file, on disk and for its owner alone (mode 0600), and has it put in its place;
 * nothing of the draft is left.
 *
 * @param place Puts the draft where the file belongs.
 */
export const throughDraft = async <Result>(
  path: string,
  text: string,
  place: (draft: string) => Promise<Result>,
): Promise<Result> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
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

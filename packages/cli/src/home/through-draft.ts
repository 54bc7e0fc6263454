import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'

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

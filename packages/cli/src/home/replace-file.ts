import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'

/** Writes a file that only its owner can read (mode 0600), whole or not at all, in the place of the one before. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

import { constants } from 'node:fs'
import { open, realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { cliErrors } from '../errors/cli-errors.ts'
import { codeOf } from '../errors/code-of.ts'
import { throughDraft } from '../home/through-draft.ts'

const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK

/** The maximum size of a file of a project, in bytes. */
const maxBytes = 256 * 1024

/**
 * Reads a file of a project as text; undefined if it does not exist.
 *
 * @throws `configuration_invalid` when it cannot be read, is not a file, is longer than 256 KiB or is not UTF-8
 */
export const readProjectFile = async (path: string): Promise<string | undefined> => {
  const violation = (what: string, remedy: string, cause?: unknown) =>
    cliErrors.configuration_invalid(`${path} ${what}.`, remedy, { cause })
  try {
    // A pipe in its place would block the command until a writer opens it.
    const file = await open(path, readWithoutWaiting)
    try {
      const facts = await file.stat()
      if (!facts.isFile()) throw violation('is not a file', 'Replace it with a file.')
      if (facts.size > maxBytes) throw violation('has more than 256 KiB', 'Check whether it is the right file.')
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile())
      if (text.includes('\0')) throw new TypeError('a text has no NUL')
      return text
    } finally {
      await file.close()
    }
  } catch (error) {
    if (cliErrors.configuration_invalid.is(error)) throw error
    if (error instanceof TypeError)
      throw violation('is not UTF-8 text', 'Save it as UTF-8; PowerShell writes UTF-16.', error)
    const reason = codeOf(error) ?? 'unknown reason'
    if (reason === 'ENOENT') return undefined
    throw violation(`cannot be read (${reason})`, 'Check its type and permissions.', error)
  }
}

/**
 * Writes a file of a project atomically; follows a link.
 *
 * @throws `configuration_invalid` when it cannot be written; it stays unchanged
 */
export const replaceProjectFile = async (path: string, text: string, mode: number): Promise<void> => {
  try {
    const target = await realpath(path).catch(() => path)
    await throughDraft(target, text, draft => rename(draft, target), mode)
  } catch (cause) {
    const reason = codeOf(cause) ?? 'unknown reason'
    const remedy =
      reason === 'ENOSPC' ? 'Free disk space.' : `Check the permissions of ${dirname(path)}, and try again.`
    throw cliErrors.configuration_invalid(`${path} cannot be written (${reason}); it is unchanged.`, remedy, { cause })
  }
}

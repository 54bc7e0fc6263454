import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { cliErrors } from '../errors/cli-errors.ts'

const readWithoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK

/** The longest file of a project that is read, in bytes. */
const maxBytes = 256 * 1024

/**
 * Reads a file of a project as text; undefined where there is none.
 *
 * @throws `configuration_invalid` when it is there and cannot be read, is no file, is longer than
 * 256 KiB or no UTF-8
 */
export const readProjectFile = async (path: string): Promise<string | undefined> => {
  const fault = (what: string, remedy: string, cause?: unknown) =>
    cliErrors.configuration_invalid(`${path} ${what}.`, remedy, { cause })
  try {
    // A pipe in its place would otherwise keep the command waiting for a writer.
    const file = await open(path, readWithoutWaiting)
    try {
      const facts = await file.stat()
      if (!facts.isFile()) throw fault('is no file', 'Put the file in its place.')
      if (facts.size > maxBytes) throw fault('has more than 256 KiB', 'Look whether it is the right file.')
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    if (cliErrors.configuration_invalid.is(error)) throw error
    if (error instanceof TypeError) throw fault('is no UTF-8 text', 'Save it as UTF-8.', error)
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    if (reason === 'ENOENT') return undefined
    throw fault(`cannot be read (${reason})`, 'Check what it is and who may read it.', error)
  }
}

import { realpath, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { cliErrors } from '../errors/cli-errors.ts'
import { throughDraft } from '../home/through-draft.ts'

/**
 * Writes a file of a project whole or not at all, where a link in its place leads to.
 *
 * @throws `configuration_invalid` when it cannot be written; the file is then as it was
 */
export const replaceProjectFile = async (path: string, text: string, mode: number): Promise<void> => {
  try {
    const target = await realpath(path).catch(() => path)
    await throughDraft(target, text, draft => rename(draft, target), mode)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason'
    const remedy =
      reason === 'ENOSPC' ? 'Make room on the disk.' : `Check who may write in ${dirname(path)}, and try again.`
    throw cliErrors.configuration_invalid(`${path} cannot be written (${reason}); it is as it was.`, remedy, { cause })
  }
}

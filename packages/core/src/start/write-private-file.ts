import { randomBytes } from 'node:crypto'
import { linkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Puts a file that only its owner may read in place, whole or not at all.
 *
 * @param replace Whether there is one to take the place of; without it the file must be new.
 * @returns false when the file must be new and another process was faster
 */
export const writePrivateFile = (path: string, text: string, { replace }: { readonly replace: boolean }): boolean => {
  const target = replace ? realpathSync(path) : path
  const draft = `${target}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
    if (replace) renameSync(draft, target)
    else linkSync(draft, target)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

import { randomBytes } from 'node:crypto'
import { linkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file atomically that only its owner may read.
 *
 * @param replace Whether it replaces an existing file; otherwise the file must be new.
 * @returns false when the file must be new and another process created it first
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

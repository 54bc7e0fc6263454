import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Enables the compile cache of Node, so that the command starts faster. The cache is executable code: it is stored in
 * the cache folder of the user (`XDG_CACHE_HOME`, else `~/.cache`), and not used if others may write there.
 * `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` override it.
 */
export const keepCompiled = (env: Readonly<Record<string, string | undefined>>): void => {
  if (env.NODE_COMPILE_CACHE || process.platform === 'win32') return
  const { XDG_CACHE_HOME: cache, HOME } = env
  try {
    const folder = join(cache && isAbsolute(cache) ? cache : join(HOME || homedir(), '.cache'), 'sibyl', 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = lstatSync(folder)
    if (uid === process.getuid?.() && (mode & 0o022) === 0) enableCompileCache(folder)
  } catch {
    // Without a folder for it, the command starts uncached.
  }
}

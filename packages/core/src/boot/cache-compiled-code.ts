import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Environment, settingOf } from '../config/environment.ts'

/**
 * Has Node keep the compiled code of what is loaded from here on beside the database, where only the oracle's user can
 * write, so that the next boot is faster. Before there is a database, nothing happens.
 */
export const cacheCompiledCode = (env: Environment): void => {
  const url = settingOf(env, 'DATABASE_URL') ?? 'file:./.data/sibyl.db'
  if (!url.startsWith('file:') || settingOf(env, 'NODE_COMPILE_CACHE') !== undefined) return
  const database = resolve(url.slice('file:'.length))
  if (existsSync(database)) enableCompileCache(join(dirname(database), 'compile-cache'))
}

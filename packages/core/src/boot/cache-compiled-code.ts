import { existsSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Environment, settingOf } from '../config/environment.ts'

/**
 * Enables the compile cache of Node beside the database, where only the user of the oracle can write, so that the next
 * boot is faster. Does nothing before the database exists.
 */
export const cacheCompiledCode = (env: Environment): void => {
  const url = settingOf(env, 'DATABASE_URL') ?? 'file:./.data/sibyl.db'
  if (!url.startsWith('file:') || settingOf(env, 'NODE_COMPILE_CACHE') !== undefined) return
  const database = resolve(url.slice('file:'.length))
  if (existsSync(database)) enableCompileCache(join(dirname(database), 'compile-cache'))
}

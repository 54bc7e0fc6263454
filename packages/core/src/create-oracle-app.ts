import { cacheCompiledCode } from './boot/cache-compiled-code.ts'
import type { OracleApp, OracleAppOptions } from './boot/oracle-app.ts'

/**
 * Boots an oracle: chooses its plugins, opens its database, sets everything up and ends what the last run left open.
 * It does not listen yet: `listen()` serves it, `request()` and `fetch()` call it without a socket.
 *
 * @throws BootError `boot_failed` with every reason found; they are in the log already
 * @example
 * const oracle = await createOracleApp({ config, plugins: bundledPlugins() })
 * await oracle.listen()
 */
export const createOracleApp = async (options: OracleAppOptions): Promise<OracleApp> => {
  const startedAt = performance.now()
  cacheCompiledCode(options.env ?? process.env)
  const { bootOracle } = await import('./boot/boot-oracle.ts')
  return bootOracle(options, startedAt)
}

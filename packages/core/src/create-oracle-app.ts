import { cacheCompiledCode } from './boot/cache-compiled-code.ts'
import { openCommandPipe } from './boot/command-pipe.ts'
import type { OracleApp, OracleAppOptions } from './boot/oracle-app.ts'
import { reportInspection, reportListening } from './boot/report-to-command.ts'

/**
 * Boots an oracle: selects its plugins, opens its database, sets everything up and ends the turns of the last run. It
 * does not listen yet: `listen()` serves it, `request()` and `fetch()` call it without a socket.
 *
 * If `sibyl inspect` or a similar command starts it (SIBYL_INSPECT), it sends its inspection, and the process exits.
 *
 * @throws BootError `boot_failed` with every problem; they are already in the log
 * @example const oracle = await createOracleApp({ config, plugins: bundledPlugins() }) await oracle.listen()
 */
export const createOracleApp = async (options: OracleAppOptions): Promise<OracleApp> => {
  const startedAt = performance.now()
  const inspector = openCommandPipe('SIBYL_INSPECT')
  if (inspector) return reportInspection(inspector, options)
  const developer = openCommandPipe('SIBYL_DEV')
  cacheCompiledCode(options.env ?? process.env)
  const { bootOracle } = await import('./boot/boot-oracle.ts')
  const oracle = await bootOracle(options, startedAt)
  if (developer) reportListening(developer, oracle)
  return oracle
}

import type { Socket } from 'node:net'
import type { OracleApp, OracleAppOptions } from './oracle-app.ts'

/**
 * Sends the inspection of the oracle to `sibyl inspect` and other commands, and exits. With SIBYL_TASK it works on
 * the database instead, with SIBYL_USAGE it measures the tables, and sends its progress.
 */
export const reportInspection = async (pipe: Socket, options: OracleAppOptions): Promise<never> => {
  const { SIBYL_TASK: task, SIBYL_USAGE: usage } = process.env
  if (usage !== undefined) {
    const { reportUsage } = await import('./report-usage.ts')
    await reportUsage(options, line => pipe.write(`${JSON.stringify(line)}\n`))
  } else if (task === undefined) {
    const { inspectOracle } = await import('./inspect-oracle.ts')
    pipe.write(JSON.stringify(await inspectOracle(options)))
  } else {
    delete process.env.SIBYL_TASK
    const { runDatabaseTask } = await import('./run-database-task.ts')
    await runDatabaseTask(options, task, line => pipe.write(`${JSON.stringify(line)}\n`))
  }
  await new Promise<void>(resolve => pipe.end(resolve))
  process.exit(0)
}

/** Notifies `sibyl dev` when the oracle listens. */
export const reportListening = (pipe: Socket, oracle: OracleApp): void => {
  oracle.on('listening', address => pipe.write(`${JSON.stringify({ listening: address })}\n`))
}

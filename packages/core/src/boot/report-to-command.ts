import type { Socket } from 'node:net'
import type { OracleApp, OracleAppOptions } from './oracle-app.ts'

/** Sends the inspection of the oracle to `sibyl inspect` and other commands, and exits. */
export const reportInspection = async (pipe: Socket, options: OracleAppOptions): Promise<never> => {
  const { inspectOracle } = await import('./inspect-oracle.ts')
  const inspection = await inspectOracle(options)
  await new Promise<void>(resolve => pipe.end(JSON.stringify(inspection), resolve))
  process.exit(0)
}

/** Notifies `sibyl dev` when the oracle listens. */
export const reportListening = (pipe: Socket, oracle: OracleApp): void => {
  oracle.on('listening', address => pipe.write(`${JSON.stringify({ listening: address })}\n`))
}

import { constants } from 'node:os'
import { styleText } from 'node:util'
import type { OracleApp } from '../boot/oracle-app.ts'
import { BootError } from '../errors/boot-error.ts'
import { OracleError } from '../errors/oracle-error.ts'
import { StartError } from './start-error.ts'

/** The exit code of an oracle that could not start. */
const notStarted = 3
/** After this many milliseconds of closing a person is told how to cut it short; a signal before that is an echo. */
const patienceMs = 500

/**
 * Boots an oracle, serves it, and closes it at the first SIGINT, SIGTERM or SIGHUP, with exit code 0: running turns get
 * SHUTDOWN_GRACE_SECONDS. A second signal ends the process at once, with 128 and its number, unless it comes with the
 * first, as a package manager passes on what its whole group got. What keeps the oracle from starting is told in a
 * sentence or two, with exit code 3.
 */
export const runUntilSignal = async (boot: () => Promise<OracleApp>): Promise<void> => {
  try {
    const oracle = await boot()
    closeAtSignal(oracle)
    await oracle.listen().catch(async error => {
      await oracle.close()
      throw error
    })
  } catch (error) {
    if (!(error instanceof OracleError || error instanceof StartError)) throw error
    // The boot log has told the reasons of a BootError already.
    if (!(error instanceof BootError)) tell(error.message)
    process.exitCode = notStarted
  }
}

const tell = (message: string): void =>
  console.error(`${styleText('red', '[boot-error]', { stream: process.stderr })} ${message}`)

const closeAtSignal = (oracle: OracleApp): void => {
  let state: 'running' | 'closing' | 'told' = 'running'
  const close = async (signal: NodeJS.Signals) => {
    if (state === 'told') process.exit(128 + constants.signals[signal])
    if (state === 'closing') return
    state = 'closing'
    const timer = setTimeout(() => {
      state = 'told'
      console.error('Closing; Ctrl-C again ends at once.')
    }, patienceMs)
    await oracle.close()
    clearTimeout(timer)
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void close(signal))
}

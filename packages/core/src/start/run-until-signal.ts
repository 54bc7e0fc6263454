import { constants } from 'node:os'
import { styleText } from 'node:util'
import { isBootError, isOracleError } from '@sibyl/plugin'
import type { OracleApp } from '../boot/oracle-app.ts'
import { coreErrors } from '../errors/core-errors.ts'
import { StartError } from '../errors/start-error.ts'

/** The exit code of an oracle that could not start. */
const notStarted = 3
/** The exit code if the cause can pass: EX_TEMPFAIL of sysexits.h. A supervisor starts the oracle again. */
const temporarilyNotStarted = 75
/**
 * The exit code of an oracle whose database stopped accepting writes: EX_IOERR of sysexits.h. A supervisor restarts it.
 */
const databaseFailed = 74
/** Time that `/health` answers 503 before the process exits, in milliseconds. */
const farewellMs = 3_000
/**
 * Time of closing, in milliseconds, after which the user is shown how to exit immediately; an earlier signal is a
 * duplicate.
 */
const patienceMs = 500

/**
 * Boots an oracle, serves it, and closes it at the first SIGINT, SIGTERM or SIGHUP, with exit code 0: running turns get
 * SHUTDOWN_GRACE_SECONDS. Several oracles of a process start one after the other, or none of them does. A second signal exits at once, with 128 and its number, unless it arrives with the first:
 * package managers forward the signals of their process group. Errors that prevent a start are printed in a sentence or
 * two, with exit code 3; with 75 if they can pass without a change of settings, such as a port in use. When the database stops accepting writes (`database_sync_failed`), the exit code is 74.
 */
export const runUntilSignal = async (...boots: readonly (() => Promise<OracleApp>)[]): Promise<void> => {
  const oracles: OracleApp[] = []
  try {
    for (const boot of boots) oracles.push(await boot())
    closeAtEnd(oracles)
    for (const oracle of oracles) await oracle.listen()
  } catch (error) {
    await Promise.all(oracles.map(oracle => oracle.close()))
    if (!(isOracleError(error) || error instanceof StartError)) throw error
    // The boot log has shown the reasons of a BootError already.
    if (!isBootError(error)) report(error.message)
    const code = isTemporary(error) ? temporarilyNotStarted : notStarted
    process.exitCode = needsRestart(error) ? databaseFailed : code
    if (code === temporarilyNotStarted) report(`This can pass: exit code ${code}, with which a supervisor tries again.`)
  }
}

const report = (message: string): void =>
  console.error(`${styleText('red', '[boot-error]', { stream: process.stderr })} ${message}`)

const needsRestart = (error: unknown): boolean =>
  isBootError(error) && error.problems.some(({ code }) => code === 'database_sync_failed')

/** Whether all that prevents the start can pass. */
const isTemporary = (error: unknown): boolean =>
  coreErrors.port_in_use.is(error) || (isBootError(error) && error.problems.every(problem => problem.isTemporary))

/** Closes the oracles at a signal, or when the database of one has failed. */
const closeAtEnd = (oracles: readonly OracleApp[]): void => {
  let state: 'running' | 'closing' | 'told' = 'running'
  let exitCode = 0
  const close = async (graceMs?: number) => {
    state = 'closing'
    const timer = setTimeout(() => {
      state = 'told'
      console.error('Stopping; press Ctrl-C again to exit immediately.')
    }, patienceMs)
    await Promise.all(oracles.map(oracle => oracle.close(graceMs === undefined ? {} : { graceMs })))
    clearTimeout(timer)
    process.exit(exitCode)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (state === 'told') process.exit(128 + constants.signals[signal])
    if (state === 'running') void close()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))
  void Promise.race(oracles.map(({ failed }) => failed)).then(() => {
    exitCode = databaseFailed
    setTimeout(() => {
      if (state === 'running') void close(0)
    }, farewellMs)
  })
}

import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { StartError } from '../errors/start-error.ts'

/**
 * Opens the pipe by which the `sibyl` command hears of the oracle that it started: its file descriptor is the value of a
 * variable, which is then taken out of the environment, so that what the oracle starts itself does not inherit it. When the
 * command is gone, the oracle ends as at SIGTERM.
 *
 * @returns undefined where the variable is not set
 * @throws StartError (`start_failed`) when it names nothing that can be written to
 */
export const openCommandPipe = (variable: 'SIBYL_INSPECT' | 'SIBYL_DEV'): Socket | undefined => {
  const value = process.env[variable]
  if (value === undefined || value === '') return undefined
  delete process.env[variable]
  const refused = () =>
    new StartError(`${variable} does not name an open pipe. Only the sibyl command sets it: unset it.`)
  if (!isPipeOfCommand(value)) throw refused()
  try {
    return new Socket({ fd: Number(value), readable: true, writable: true })
      .on('error', () => {})
      .once('close', () => process.kill(process.pid, 'SIGTERM'))
      .resume()
      .unref()
  } catch {
    throw refused()
  }
}

/** Node makes such pipes of sockets; the standard streams, and what Node itself keeps open, are no pipes of the command. */
const isPipeOfCommand = (value: string): boolean => {
  if (!/^([3-9]|[1-9]\d{1,5})$/.test(value)) return false
  try {
    return process.platform === 'win32' || fstatSync(Number(value)).isSocket()
  } catch {
    return false
  }
}

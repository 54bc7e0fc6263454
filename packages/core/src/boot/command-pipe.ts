import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { StartError } from '../errors/start-error.ts'

/**
 * Opens the pipe to the `sibyl` command that started the oracle: its file descriptor is the value of a variable, which
 * is then removed from the environment, so that child processes do not inherit it. When the command exits, the oracle
 * stops as at SIGTERM.
 *
 * @returns undefined if the variable is not set
 * @throws StartError (`start_failed`) when it is not a writable descriptor
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

/**
 * Returns whether a value is a pipe of the command: Node creates such pipes as sockets; standard streams and internal
 * descriptors are not.
 */
const isPipeOfCommand = (value: string): boolean => {
  if (!/^([3-9]|[1-9]\d{1,5})$/.test(value)) return false
  try {
    return process.platform === 'win32' || fstatSync(Number(value)).isSocket()
  } catch {
    return false
  }
}

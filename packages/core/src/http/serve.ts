import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { ListenFailedError, PortInUseError } from '../errors/listen-errors.ts'

/** A listening server. */
export interface Listening {
  /** The port it really has, also when 0 was asked for. */
  readonly port: number
  readonly host: string
  /** Refuses new connections, lets requests under way end, and closes what is left after the grace. */
  close(graceMs: number): Promise<void>
}

/** How often a closing server lets go of connections whose last request has ended, in milliseconds. */
const idleIntervalMs = 20

/**
 * Serves an app on Node's HTTP server.
 *
 * @throws PortInUseError `port_in_use`, ListenFailedError `listen_failed`
 */
export const serve = async (
  fetch: (request: Request, env: object) => Response | Promise<Response>,
  host: string,
  port: number,
): Promise<Listening> => {
  const server = createAdaptorServer({ fetch: fetch as never }) as Server
  server.headersTimeout = 20_000
  server.requestTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE' ? new PortInUseError(port) : new ListenFailedError(host, port, error.code ?? ''),
      )
    })
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    host,
    close: graceMs =>
      new Promise(resolve => {
        const timer = setTimeout(() => server.closeAllConnections(), graceMs)
        const closeIdle = setInterval(() => server.closeIdleConnections(), idleIntervalMs)
        server.close(() => {
          clearTimeout(timer)
          clearInterval(closeIdle)
          resolve()
        })
      }),
  }
}

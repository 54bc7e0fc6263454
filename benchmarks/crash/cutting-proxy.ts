import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** Endpoints that a process reaches through the proxy, by name. */
export type Upstreams = Readonly<Record<string, NetConnectOpts>>

/** Stands between a process and all that it writes to, and ends it at one of its messages. */
export interface CuttingProxy extends AsyncDisposable {
  /** Returns the port for an upstream. */
  port(name: string): number
  /** Counts messages from now on; the process ends when so many were delivered, and reads no reply to the last one. */
  cutAt(message: number, end: () => void): void
  /** Stops counting, and returns whether the process was ended. */
  settle(): boolean
}

/**
 * Starts a proxy for one process. A message is what the process writes to a connection at once: a statement of a database, a
 * request, a part of one.
 */
export const startCuttingProxy = async (upstreams: Upstreams): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  let end = () => {}
  const servers = Object.entries(upstreams).map(([name, upstream]) => {
    const server = createServer(near => {
      const far = connect(upstream)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.setNoDelay()
        socket.on('error', () => {})
        socket.once('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      near.on('data', chunk => {
        if (left <= 0) return
        left -= 1
        far.write(chunk, left === 0 ? end : undefined)
      })
      far.on('data', chunk => {
        if (left > 0) near.write(chunk)
      })
    })
    return [name, server] as const
  })
  for (const [, server] of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const byName = new Map(servers)
  return {
    port: name => (byName.get(name)!.address() as AddressInfo).port,
    cutAt(message, ends) {
      left = message
      end = ends
    },
    settle() {
      const isCut = left <= 0
      if (!isCut) left = Number.POSITIVE_INFINITY
      return isCut
    },
    [Symbol.asyncDispose]: async () => {
      for (const [, server] of servers) server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

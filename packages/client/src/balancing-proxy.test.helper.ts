import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A reverse proxy on loopback that gives each request to the next backend that takes connections. */
export interface BalancingProxy {
  readonly url: string
  /** The ports of the backends, in turn. */
  backends: readonly number[]
  /** How many event streams a backend sends just now. */
  streaming(port: number): number
  /** How many answers broke off because their backend ended. */
  broken(): number
  close(): Promise<void>
}

/** Starts a proxy; a request that reaches no backend is answered 502. */
export const startBalancingProxy = async (): Promise<BalancingProxy> => {
  let next = 0
  let broken = 0
  const streaming = new Map<number, number>()
  const count = (port: number, more: number) => streaming.set(port, (streaming.get(port) ?? 0) + more)
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const forward = (triesLeft: number): void => {
      const port = proxy.backends[next++ % Math.max(1, proxy.backends.length)]
      if (port === undefined || triesLeft === 0) {
        answer502(outgoing)
        return
      }
      const { method, url, headers } = incoming
      const call = request({ host: '127.0.0.1', port, method, path: url, headers, agent: false }, reply => {
        outgoing.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: 'close' })
        if (reply.headers['content-type']?.startsWith('text/event-stream')) {
          count(port, 1)
          reply.once('close', () => count(port, -1))
        }
        reply.on('error', () => {
          broken += 1
          outgoing.destroy()
        })
        reply.pipe(outgoing)
      })
      outgoing.on('close', () => call.destroy())
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') forward(triesLeft - 1)
        else if (outgoing.headersSent) outgoing.destroy()
        else answer502(outgoing)
      })
      call.end(body)
    }
    forward(proxy.backends.length)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: BalancingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backends: [],
    streaming: port => streaming.get(port) ?? 0,
    broken: () => broken,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

const answer502 = (outgoing: ServerResponse): void => {
  if (outgoing.headersSent || outgoing.destroyed) return
  outgoing.writeHead(502, { 'content-type': 'text/plain', connection: 'close' }).end('no backend')
}

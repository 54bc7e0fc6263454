import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy on loopback that cuts connections. */
export interface CuttingProxy {
  readonly url: string
  /** Bytes of answers after which the connection of the next one is cut; undefined lets all through. */
  cutAfter: number | undefined
  /** How many connections were cut. */
  cuts(): number
  close(): void
}

/** Starts a proxy before a server on loopback. The next connection that carries an event stream is cut, once. */
export const startCuttingProxy = async (port: number): Promise<CuttingProxy> => {
  const sockets = new Set<Socket>()
  let cuts = 0
  const server = createServer(client => {
    const target = connect(port, '127.0.0.1')
    let streamed: number | undefined
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          target.destroy()
        })
    }
    client.pipe(target)
    target.on('data', chunk => {
      const { cutAfter } = proxy
      if (cutAfter === undefined || (streamed === undefined && !chunk.includes('text/event-stream'))) {
        client.write(chunk)
        return
      }
      const left = cutAfter - (streamed ?? 0)
      streamed = (streamed ?? 0) + chunk.length
      if (chunk.length < left) {
        client.write(chunk)
        return
      }
      proxy.cutAfter = undefined
      cuts += 1
      client.write(chunk.subarray(0, left), () => client.destroy())
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const proxy: CuttingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cutAfter: undefined,
    cuts: () => cuts,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return proxy
}

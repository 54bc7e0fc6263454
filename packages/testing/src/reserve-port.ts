import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that systems give out by themselves, to listeners as well as to connections. */
const first = 20_000
const last = 31_999

/**
 * A TCP port of this computer that nobody listens on, for a server that goes away and comes back: nobody else is given it before
 * this process ends. It is claimed by the UDP port of the same number, which ends with the process, however that ends.
 *
 * @returns from 20000 to 31999
 */
export const reservePort = async (): Promise<number> => {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first + 1))
    if ((await claim(port)) && (await isFree(port))) return port
  }
}

const claim = async (port: number): Promise<boolean> => {
  const socket = createSocket('udp4')
  try {
    socket.bind({ port, address: '127.0.0.1', exclusive: true })
    await once(socket, 'listening')
    socket.unref()
    return true
  } catch {
    socket.close()
    return false
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the range of ephemeral ports. */
const first = 20_000
const last = 31_999

/**
 * Reserves a TCP port of this computer without listeners, for a server that stops and restarts: no other test gets it
 * before this process exits. It is claimed by the UDP port of the same number, which is released when the process
 * exits.
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

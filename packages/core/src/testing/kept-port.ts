import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port of this computer for a server that goes away and comes back: below those that systems give out, so that
 * nobody else gets it by chance meanwhile.
 *
 * @returns from 10000 to 31999; free at 127.0.0.1 a moment ago
 */
export const keptPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    const server = createServer()
    const isFree = await new Promise<boolean>(resolve =>
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)),
    )
    if (!isFree) continue
    await new Promise(resolve => server.close(resolve))
    return port
  }
}

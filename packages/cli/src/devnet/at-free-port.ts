import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { cliErrors } from '../errors/cli-errors.ts'

const mostTries = 5

/**
 * Starts something at a port that is free, and at another one where a program took it in between.
 *
 * @throws `devnet_not_started` where all of five ports were taken, and whatever `start` throws
 */
export const atFreePort = async <Started>(start: (port: number) => Promise<Started>): Promise<Started> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort())
    } catch (error) {
      const isTaken = cliErrors.devnet_not_started.is(error) && error.reason === 'port_taken'
      if (!isTaken || tries === mostTries) throw error
    }
  }
}

/** Returns a port of this computer that nobody listens on now. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

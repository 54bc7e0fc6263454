import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { cliErrors } from '../errors/cli-errors.ts'

const maxTries = 5

/**
 * Starts a server at a free port, and retries with another one if it was taken in between.
 *
 * @throws `devnet_not_started` when all of five ports were in use, and the errors of `start`
 */
export const atFreePort = async <Started>(start: (port: number) => Promise<Started>): Promise<Started> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(await freePort())
    } catch (error) {
      const isTaken = cliErrors.devnet_not_started.is(error) && error.reason === 'port_taken'
      if (!isTaken || tries === maxTries) throw error
    }
  }
}

/** Returns a free port of this computer. @param wanted Which one, else it throws as `listen` does. @default any */
export const freePort = async (wanted = 0): Promise<number> => {
  const server = createServer().listen(wanted, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

import { cliErrors } from '../errors/cli-errors.ts'
import { freePort } from './free-port.ts'

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

import { SigningOfflineError } from '../errors/signing-offline-error.ts'
import type { SigningPlace } from './signing-place.ts'
import { keepSigningPort, signingPort } from './signing-port.ts'
import type { SigningScreen } from './signing-screen.ts'
import { type OpenedPort, openPort } from './signing-server.ts'

/**
 * Listens where phones find the page: at the port of the last time, or at a free one, which is kept and told.
 *
 * @param folder see `homeFolder`
 * @throws SigningOfflineError (`signing_offline`) where this computer cannot listen there
 */
export const listen = async (
  place: SigningPlace,
  folder: string,
  screen: Pick<SigningScreen, 'say'>,
): Promise<OpenedPort> => {
  const usual = await signingPort(folder)
  try {
    return await openPort(place.host, usual)
  } catch (error) {
    if (!isTaken(error)) throw explain(error, place.host)
  }
  const opened = await openPort(place.host, 0).catch(error => {
    throw explain(error, place.host)
  })
  await keepSigningPort(folder, opened.port)
  screen.say(`Port ${usual} is taken by another program, so it is ${opened.port} from now on.`, true)
  screen.say('A browser keeps its key by address: at the new one it needs your backup words once.', true)
  return opened
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')

const isTaken = (error: unknown): boolean => ['EADDRINUSE', 'EACCES'].includes(codeOf(error))

const explain = (cause: unknown, host: string): SigningOfflineError => {
  const remedy = 'Name an address of this computer with SIBYL_SIGNING_HOST, or leave it out.'
  return new SigningOfflineError(`This computer cannot listen at ${host} (${codeOf(cause)}).`, remedy, { cause })
}

import type { ScaffoldAnswers } from '../../scaffold/scaffold-answers.ts'
import { usual } from './command-line.ts'

/** Where the registry lists an oracle, and the port it listens on. */
export type OracleAddress = Pick<ScaffoldAnswers, 'apiUrl' | 'port'>

/**
 * Completes the address of a new oracle so that it listens where the registry lists it: a port given alone names the local
 * URL, a local URL given alone the port. Both are taken as they are given.
 */
export const oneAddress = (given: {
  readonly apiUrl: string | undefined
  readonly port: number | undefined
}): OracleAddress => {
  const { apiUrl, port } = given
  if (apiUrl === undefined)
    return { apiUrl: port === undefined ? usual.apiUrl : localUrl(port), port: port ?? usual.port }
  return { apiUrl, port: port ?? localPort(apiUrl) ?? usual.port }
}

/** Returns the port at which the registry lists an oracle on this computer, where it listens on another one. */
export const listedPort = ({ apiUrl, port }: OracleAddress): number | undefined => {
  const listed = localPort(apiUrl)
  return listed === port ? undefined : listed
}

const localUrl = (port: number): string => `http://localhost:${port}`

const localPort = (apiUrl: string): number | undefined => {
  const { hostname, port, protocol } = new URL(apiUrl)
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return undefined
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

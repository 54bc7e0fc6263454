import type { Asker } from '../../ask/asker.ts'
import type { ScaffoldAnswers } from '../../scaffold/scaffold-answers.ts'

/** The two addresses of an oracle that have to agree on a computer of one's own. */
export type OraclePorts = Pick<ScaffoldAnswers, 'apiUrl' | 'port'>

/** The port at which the registry lists an oracle on this computer, where it boots on another one. */
export const listedPort = ({ apiUrl, port }: OraclePorts): number | undefined => {
  const { hostname, port: named, protocol } = new URL(apiUrl)
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return undefined
  const listed = Number(named || (protocol === 'https:' ? 443 : 80))
  return listed === port ? undefined : listed
}

/** What a person has to know of two ports that do not agree, before and after the registration. */
export const trapSentence = ({ apiUrl, port }: OraclePorts, lists: 'will list' | 'lists'): string =>
  `The registry ${lists} your oracle at ${apiUrl}, it boots on ${port}.`

/** What can be done about it, now and later. @param sibyl What runs the command there: `npx sibyl`. */
export const trapWaysOut = ({ port }: OraclePorts, listed: number, sibyl: string): readonly string[] => [
  `Now: PORT=${listed} in .env`,
  `Or later, while it runs: ${sibyl} update-oracle-api-url --port ${port}`,
]

/**
 * Shows the trap while answering, and asks for the way out.
 *
 * @returns the addresses as they are to be
 */
export const askAboutPorts = async (ports: OraclePorts, asker: Asker): Promise<OraclePorts> => {
  const listed = listedPort(ports)
  if (listed === undefined) return ports
  const moved = new URL(ports.apiUrl)
  moved.port = String(ports.port)
  const apiUrl = moved.href.replace(/\/$/, '')
  return asker.select(trapSentence(ports, 'will list'), [
    { value: { ...ports, port: listed }, label: `Boot on ${listed}`, hint: `PORT=${listed} in .env` },
    { value: { ...ports, apiUrl }, label: `List it at ${apiUrl}` },
    { value: ports, label: 'Leave both as they are', hint: `later: sibyl update-oracle-api-url --port ${ports.port}` },
  ])
}

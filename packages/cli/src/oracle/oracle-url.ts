import { cliErrors } from '../errors/cli-errors.ts'
import type { CommandIo } from '../process/command-io.ts'
import { projectPort } from '../project/project.ts'

const usualPort = 3000

/**
 * Returns the address of the oracle for a command: `--url`, else `SIBYL_URL`, else this computer, at the port of the
 * current project, or 3000. An invalid address may contain a password, so errors do not repeat it.
 *
 * @throws `usage_invalid` or `configuration_invalid` when it is not an address
 */
export const oracleUrl = async (
  { url }: { readonly url?: string },
  io: Pick<CommandIo, 'cwd' | 'env'>,
): Promise<string> => {
  const given = url ?? (io.env.SIBYL_URL || undefined)
  if (given === undefined) return `http://localhost:${(await projectPort(io)) ?? usualPort}`
  const parsed = parseOracleUrl(given)
  if (parsed) return parsed
  const remedy = 'Pass an address such as http://localhost:3000, without a password.'
  if (url !== undefined) throw cliErrors.usage_invalid('--url is not the address of an oracle.', remedy)
  throw cliErrors.configuration_invalid('SIBYL_URL is not the address of an oracle.', remedy)
}

/** An address without a scheme: `localhost:4000`, `10.0.0.7`, `oracle.example/path`. */
const bare = /^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5})?(?:\/|$)/i

/**
 * Parses the address of an oracle: http or https, without a password; undefined if it is invalid. Without a scheme, it is http
 * on this computer and at IP addresses, and https elsewhere.
 */
export const parseOracleUrl = (text: string): string | undefined => {
  const given = bare.test(text) ? `${/^(?:localhost|[\d.]+)(?::|\/|$)/i.test(text) ? 'http' : 'https'}://${text}` : text
  if (!URL.canParse(given)) return undefined
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return url.href.replace(/\/+$/, '')
}

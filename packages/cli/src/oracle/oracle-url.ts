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

/** Parses the address of an oracle: http or https, without a password; undefined if it is invalid. */
export const parseOracleUrl = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return url.href.replace(/\/+$/, '')
}

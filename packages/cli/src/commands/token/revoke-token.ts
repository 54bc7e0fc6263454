import { signRevocation } from '@sibyl/identity'
import type { CommandIo, InputStream } from '../../command-io.ts'
import { UsageError } from '../../errors/usage-error.ts'
import { type ExitCode, exitCode } from '../../exit-code.ts'
import { type OracleOptions, openOracle } from '../open-oracle.ts'

/** The longest token that an oracle reads, in characters. */
const longestToken = 16_384

/**
 * Runs `sibyl token revoke`.
 *
 * @param source `-` to read a token from stdin. @default all bearers of the person
 * @throws CommandError, and what the client throws
 */
export const revokeToken = async (
  source: string | undefined,
  options: OracleOptions,
  io: CommandIo,
): Promise<ExitCode> => {
  if (source !== undefined && source !== '-') {
    const problem = 'A token is not taken as an argument, where others on this computer can see it.'
    throw new UsageError(problem, 'Pipe it: printf %s "$TOKEN" | sibyl token revoke -')
  }
  const token = source === '-' ? await readToken(io.stdin) : undefined
  const { key, client } = await openOracle(options, io)
  if (token?.includes('.')) {
    const { keptUntil } = await client.revoke({ ...(await signRevocation(key, token)), token })
    io.stderr.write(`Revoked, with all that rests on it; the oracle remembers it until ${keptUntil}.\n`)
    return exitCode.done
  }
  const count = await client.bearers.revoke(token)
  io.stderr.write(token === undefined ? `Revoked ${count} of your bearers.\n` : 'Revoked.\n')
  return exitCode.done
}

const readToken = async (stdin: InputStream): Promise<string> => {
  let text = ''
  for await (const chunk of stdin) {
    text += String(chunk)
    if (text.length > longestToken + 2) break
  }
  const token = text.trim()
  if (token.length <= longestToken && /^[\w.~+/=-]+$/.test(token)) return token
  throw new UsageError('What stdin holds is no token.', 'Pipe the bearer or the UCAN alone.')
}

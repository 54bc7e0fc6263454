import { signRevocation } from '@sibyl/identity'
import { cliErrors } from '../../errors/cli-errors.ts'
import { openOracle } from '../../oracle/open-oracle.ts'
import { writeJson } from '../../output/clean-text.ts'
import type { CommandIo } from '../../process/command-io.ts'
import type { AskOptions } from './delegation-commands.ts'
import { readToken } from './read-token.ts'

/**
 * Runs `sibyl token revoke`.
 *
 * @param source `-` reads a token from stdin. @default all bearers of the user
 */
export const revokeToken = async (source: string | undefined, options: AskOptions, io: CommandIo): Promise<void> => {
  if (source !== undefined && source !== '-') {
    const problem = 'A token is not accepted as an argument, because other users of this computer could see it.'
    throw cliErrors.usage_invalid(problem, 'Pipe it: printf %s "$TOKEN" | sibyl token revoke -')
  }
  const token = source === '-' ? await readToken(source, io) : undefined
  const { key, client, explained } = await openOracle(options, io)
  if (token?.includes('.')) {
    const { keptUntil } = await client.revoke({ ...(await signRevocation(key, token)), token })
    if (options.json) writeJson(io, { revoked: 'token', keptUntil })
    else
      io.stderr.write(
        `Revoked, with every token that depends on it; the oracle stores the revocation until ${keptUntil}.\n`,
      )
    return
  }
  const count = await explained(client.bearers.revoke(token))
  if (options.json) writeJson(io, { revoked: 'bearers', count })
  else io.stderr.write(token === undefined ? `Revoked ${count} of your bearers.\n` : 'Revoked.\n')
}

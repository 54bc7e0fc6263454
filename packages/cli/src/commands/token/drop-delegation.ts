import type { JsonOptions } from '../../command/common-options.ts'
import type { CommandIo } from '../../command-io.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import { type ExitCode, exitCode } from '../../errors/exit-code.ts'
import { homeFolder } from '../../home/home-folder.ts'
import { KeptDelegations } from '../../home/kept-delegations.ts'
import { writeJson } from '../../output/write-json.ts'
import { parseOracleUrl } from '../oracle-url.ts'

/**
 * Runs `sibyl token drop`.
 *
 * @param oracle Its address or did:key, as `sibyl token list` shows them.
 * @throws `usage_invalid` when none is kept for it
 */
export const dropDelegation = async (oracle: string, { json }: JsonOptions, io: CommandIo): Promise<ExitCode> => {
  const dropped = await new KeptDelegations(homeFolder(io.env)).drop(parseOracleUrl(oracle) ?? oracle)
  if (dropped === 0)
    throw cliErrors.usage_invalid('You keep no delegation for that oracle.', 'sibyl token list shows them.')
  if (json) writeJson(io, { dropped })
  else io.stderr.write('Dropped.\n')
  return exitCode.done
}

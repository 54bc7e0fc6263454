import type { OracleRecord } from '@sibyl/protocol'
import { readInput } from '../../command/read-input.ts'
import { cliErrors } from '../../errors/cli-errors.ts'
import type { CommandIo } from '../../process/command-io.ts'
import { readLine } from '../../process/read-line.ts'

/** The maximum size of the input, in bytes. */
const maxBytes = 1_000_000

/** A token that an oracle accepts. */
const tokenForm = /^[\w.~+/=-]{1,16384}$/

/**
 * Reads a token from a file, from a line on a terminal, or from standard input.
 *
 * @param source `-` for standard input.
 * @throws `usage_invalid` when the input is not a token
 */
export const readToken = async (source: string, io: CommandIo): Promise<string> => {
  const isTyped = source === '-' && io.stdin.isTTY
  const token = (isTyped ? await readLine(io) : String(await readInput(source, io, { maxBytes }))).trim()
  if (tokenForm.test(token)) return token
  throw cliErrors.usage_invalid('The input is not a token.', 'Pass only the token: a bearer, or a UCAN.')
}

/**
 * Returns the did:key of an oracle that authorizes by delegation.
 *
 * @throws `access_refused` when it is open to all callers, or to none
 */
export const delegatedDid = ({ access, did }: OracleRecord): string => {
  if (did === undefined) {
    throw cliErrors.access_refused(
      'This oracle has no signing key, so no user can authenticate.',
      'Ask the operator to set ORACLE_MNEMONIC.',
    )
  }
  if (access === 'delegated') return did
  const remedy = 'To restrict it, its operator sets ORACLE_ACCESS=delegated and ORACLE_CONTROLLERS.'
  throw cliErrors.access_refused('This oracle is open to all callers: no delegation is needed.', remedy)
}

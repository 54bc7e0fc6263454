import type { Readable } from 'node:stream'
import type { OracleRecord } from '@sibyl/protocol'
import { cliErrors } from '../../errors/cli-errors.ts'

/** The maximum length of a token that an oracle accepts, in characters. */
const longestToken = 16_384

/**
 * Reads a token up to the end of the input, or of the line on a terminal.
 *
 * @throws `usage_invalid` when the input is not a token
 */
export const readToken = async (input: Readable & { readonly isTTY?: boolean }): Promise<string> => {
  let text = ''
  for await (const chunk of input) {
    text += String(chunk)
    if (text.length > longestToken + 2 || (input.isTTY && /\S.*\n/.test(text))) break
  }
  const token = text.trim()
  if (token.length <= longestToken && /^[\w.~+/=-]+$/.test(token)) return token
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

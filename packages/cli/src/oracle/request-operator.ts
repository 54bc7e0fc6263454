import { NetworkError, ProblemError } from '@sibyl/client'
import { problemSchema } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { type JsonRequest, requestJson } from '../http/request-json.ts'
import type { CommandIo } from '../process/command-io.ts'
import { operatorToken } from './operator-token.ts'
import { oracleUrl } from './oracle-url.ts'

/** One request to a route of the operator. */
interface OperatorRequest extends JsonRequest {
  /** Below the oracle's address: `/people/did%3Akey%3Az6Mk…/export`. */
  readonly path: string
}

/** Timeout of all components of an oracle together, in milliseconds: 30 s for sessions, then 30 s for the others. */
const timeLimitMs = 90_000

/**
 * Sends a request to the operator routes of an oracle, with the token in `ORACLE_OPERATOR_TOKEN` or in the `.env` of the
 * current project.
 *
 * @returns the JSON of the response; undefined for a response without a body
 * @throws `configuration_invalid` without a token, NetworkError, ProblemError
 */
export const requestOperator = async (
  request: OperatorRequest,
  options: { readonly url?: string },
  io: CommandIo,
): Promise<unknown> => {
  const token = (await operatorToken(options, io)) ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw cliErrors.configuration_invalid(
      token === '' ? 'ORACLE_OPERATOR_TOKEN is not set.' : 'ORACLE_OPERATOR_TOKEN is not a token: it has white space.',
      'Set it to the token of the oracle, or run the command in the folder of its project without --url.',
    )
  const address = `${await oracleUrl(options, io)}${request.path}`
  const { status, content } = await requestJson(address, request, { token, timeoutMs: timeLimitMs })
  if (status >= 200 && status < 300) return content
  const problem = problemSchema.safeParse(content)
  if (problem.data?.code === 'operator_token_needed')
    throw cliErrors.access_refused(
      'ORACLE_OPERATOR_TOKEN is not the operator token of this oracle, or the oracle has none (operator_token_needed).',
      'Set it to the value in the .env of the oracle.',
    )
  if (problem.data) throw new ProblemError(problem.data)
  throw new NetworkError(address, `it answered ${status} in another format, so it is not an oracle`)
}

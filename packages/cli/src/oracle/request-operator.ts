import { NetworkError, ProblemError } from '@sibyl/client'
import { problemSchema } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { parseJson } from '../home/parse-json.ts'
import { failureReason } from '../http/network-reason.ts'
import type { CommandIo } from '../process/command-io.ts'
import { oracleUrl } from './oracle-url.ts'

/** One request to a route of the operator. */
interface OperatorRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the oracle's address: `/people/did%3Akey%3Az6Mk…/export`. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** How long all parts of an oracle may take together, in milliseconds: 30 s for sessions, then 30 s for the others. */
const timeLimitMs = 90_000

/**
 * Sends a request to the operator's routes of an oracle, with the token of `ORACLE_OPERATOR_TOKEN`.
 *
 * @returns the JSON of the answer; undefined for an answer without a body
 * @throws `configuration_invalid` without a token, NetworkError, ProblemError
 */
export const requestOperator = async (
  request: OperatorRequest,
  options: { readonly url?: string },
  io: CommandIo,
): Promise<unknown> => {
  const token = io.env.ORACLE_OPERATOR_TOKEN ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw cliErrors.configuration_invalid(
      token === ''
        ? 'ORACLE_OPERATOR_TOKEN is not set.'
        : 'ORACLE_OPERATOR_TOKEN is not a token: it holds white space.',
      'Set it here to what it is at the oracle; without one there, these routes are closed.',
    )
  const address = `${await oracleUrl(options, io)}${request.path}`
  const { status, content } = await answerTo(address, request, token)
  if (status >= 200 && status < 300) return content
  const problem = problemSchema.safeParse(content)
  if (problem.data) throw new ProblemError(problem.data)
  throw new NetworkError(address, `it answered ${status} in another form, so it is not an oracle`)
}

const answerTo = async (address: string, { method, body, headers }: OperatorRequest, token: string) => {
  try {
    const response = await fetch(address, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    return { status: response.status, content: parseJson(await response.text()) }
  } catch (cause) {
    throw new NetworkError(address, failureReason(cause), { cause })
  }
}

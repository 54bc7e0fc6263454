import { NetworkError, ProblemError } from '@sibyl/client'
import { problemSchema } from '@sibyl/protocol'
import type { CommandIo } from '../../command-io.ts'
import { ConfigurationError } from '../../errors/configuration-error.ts'
import { parseJson } from '../../home/parse-json.ts'
import { oracleUrl } from '../oracle-url.ts'
import { failureReason } from '../ussd/failure-reason.ts'
import type { PeopleOptions } from './people-options.ts'

/** One request about a person. */
export interface PeopleRequest {
  readonly method: 'GET' | 'DELETE'
  /** Below `/people`: `/did%3Akey%3Az6Mk…/export`. */
  readonly path: string
}

/** How long all parts of an oracle may take together, in milliseconds: 30 s for sessions, then 30 s for the others. */
const timeLimitMs = 90_000

/**
 * Sends a request to the operator's routes of an oracle, with the token of `ORACLE_OPERATOR_TOKEN`.
 *
 * @returns the JSON of the answer; undefined for an answer without a body
 * @throws ConfigurationError (`configuration_invalid`) without a token, NetworkError, ProblemError
 */
export const requestPeople = async (
  { method, path }: PeopleRequest,
  options: PeopleOptions,
  io: CommandIo,
): Promise<unknown> => {
  const token = io.env.ORACLE_OPERATOR_TOKEN ?? ''
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ConfigurationError(
      token === ''
        ? 'ORACLE_OPERATOR_TOKEN is not set.'
        : 'ORACLE_OPERATOR_TOKEN is not a token: it holds white space.',
      'Set it here to what it is at the oracle; without one there, these routes are closed.',
    )
  const address = `${await oracleUrl(options, io)}/people${path}`
  const { status, content } = await answerTo(address, method, token)
  if (status >= 200 && status < 300) return content
  const problem = problemSchema.safeParse(content)
  if (problem.data) throw new ProblemError(problem.data)
  throw new NetworkError(address, `it answered ${status} in another form, so it is not an oracle`)
}

const answerTo = async (address: string, method: string, token: string) => {
  try {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeLimitMs),
    })
    return { status: response.status, content: parseJson(await response.text()) }
  } catch (cause) {
    throw new NetworkError(address, failureReason(cause), { cause })
  }
}

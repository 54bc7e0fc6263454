import { NetworkError, ProblemError } from '@sibyl/client'
import { problemSchema } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { noGateway } from '../errors/no-gateway.ts'
import { requestJson } from '../http/request-json.ts'
import { openOracle } from '../oracle/open-oracle.ts'
import { operatorToken } from '../oracle/operator-token.ts'
import { oracleUrl } from '../oracle/oracle-url.ts'
import { signInvocation } from '../oracle/sign-invocation.ts'
import type { CommandIo } from '../process/command-io.ts'

/** The caller of an operation: the user with their key, or an operator with a token. */
export type CallerName = 'user' | 'operator' | 'ussd operator'

/** Input of an operation, as its OpenAPI description names it. */
export interface OperationInput {
  /** Parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; members that are undefined are left out. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Abilities that the user invokes. */
  readonly abilities?: readonly string[]
}

/** Calls operations with one credential. */
export interface Caller {
  /**
   * Calls an operation.
   *
   * @param route Its method and path: `DELETE /people/{person}`.
   * @returns the JSON of the response; undefined without a body
   * @throws NetworkError, ProblemError, `access_refused`, `gateway_missing`
   */
  call(route: string, input?: OperationInput): Promise<unknown>
}

/** Options of every command that calls an operation. */
export interface CallerOptions {
  readonly url?: string
  readonly trust?: boolean
}

/** Timeout of all components of an oracle together, in milliseconds: 30 s for sessions, then 30 s for the others. */
const timeoutMs = 90_000

/** Problems of the ussd plugin with a status that a missing route also has. */
const ussdProblems: ReadonlySet<string> = new Set([
  'operator_token_needed',
  'customer_not_found',
  'operator_action_not_found',
])

/**
 * Opens the credential of a caller. The user's key is opened at the first call.
 *
 * @throws `configuration_invalid` without a token, `usage_invalid` for an invalid address
 */
export const openCaller = async (name: CallerName, options: CallerOptions, io: CommandIo): Promise<Caller> => {
  const url = await oracleUrl(options, io)
  if (name !== 'user') {
    const token = name === 'operator' ? await readOperatorToken(options, io) : readUssdToken(io)
    return { call: (route, input = {}) => send(name, url, token, route, input) }
  }
  return {
    async call(route, input = {}) {
      const opened = await openOracle(options, io)
      const work = signInvocation(opened, input.abilities ?? []).then(token => send(name, url, token, route, input))
      return opened.explained(work)
    },
  }
}

const readOperatorToken = async (options: CallerOptions, io: CommandIo): Promise<string> =>
  checkToken(
    'ORACLE_OPERATOR_TOKEN',
    await operatorToken(options, io),
    'Set it to the token of the oracle, or run the command in the folder of its project without --url.',
  )

const readUssdToken = ({ env }: CommandIo): string =>
  checkToken(
    'USSD_OPERATOR_TOKEN',
    env.USSD_OPERATOR_TOKEN,
    'Set it to the value of the oracle; if the oracle has none, these routes are closed.',
  )

const checkToken = (variable: string, token = '', remedy: string): string => {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  const reason = token === '' ? 'is not set.' : 'is not a token: it has white space.'
  throw cliErrors.configuration_invalid(`${variable} ${reason}`, remedy)
}

const send = async (
  name: CallerName,
  url: string,
  token: string,
  route: string,
  { params = {}, query, body, headers }: OperationInput,
): Promise<unknown> => {
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replace(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ''))
  const search = new URLSearchParams(query).toString()
  const address = `${url}${filled}${search && `?${search}`}`
  const { status, content } = await requestJson(address, { method, body, headers }, { token, timeoutMs })
  if (status >= 200 && status < 300) return content
  throw failureOf(name, url, status, problemSchema.safeParse(content).data)
}

const failureOf = (name: CallerName, url: string, status: number, problem?: ProblemError['problem']): Error => {
  if (name === 'ussd operator') {
    if ((status === 401 || status === 404) && !ussdProblems.has(problem?.code ?? '')) return noGateway(url, status)
    if (problem) return new ProblemError(problem)
    const message = `This is not a USSD gateway: ${url} answered ${status} in another format.`
    return cliErrors.gateway_missing(message, 'Pass another address with --url.')
  }
  if (name === 'operator' && problem?.code === 'operator_token_needed')
    return cliErrors.access_refused(
      'ORACLE_OPERATOR_TOKEN is not the operator token of this oracle, or the oracle has none (operator_token_needed).',
      'Set it to the value in the .env of the oracle.',
    )
  if (problem) return new ProblemError(problem)
  return new NetworkError(url, `it answered ${status} in another format, so it is not an oracle`)
}

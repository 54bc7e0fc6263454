import { acrossRestore, NetworkError, ProblemError } from '@sibyl/client'
import { parseJson, problemSchema } from '@sibyl/protocol'
import { cliErrors } from '../errors/cli-errors.ts'
import { noGateway } from '../errors/no-gateway.ts'
import { type HttpRequest, sendRequest } from '../http/send-request.ts'
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

/** A request below the address of an oracle. */
export interface CallerRequest extends HttpRequest {
  /** With its query: `/sessions?limit=2`. */
  readonly path: string
  /** Abilities that the user invokes. @default all of theirs */
  readonly abilities?: readonly string[] | undefined
}

/** Sends requests with one credential. */
export interface Caller {
  /**
   * Calls an operation.
   *
   * @param route Its method and path: `DELETE /people/{person}`.
   * @returns the JSON of the response; undefined without a body
   * @throws NetworkError, ProblemError, `access_refused`, `gateway_missing`
   */
  call(route: string, input?: OperationInput): Promise<unknown>
  /**
   * Sends a request.
   *
   * @param read Reads the response; parses its JSON if the status is not 2xx.
   * @returns the status, and what `read` returns
   * @throws as `call`, but for a response that is not 2xx only if it is a problem
   */
  send(request: CallerRequest, read: (response: Response) => Promise<unknown>): Promise<CallerResponse>
}

interface CallerResponse {
  readonly isOk: boolean
  readonly status: number
  readonly content: unknown
}

/** Options of every command that calls an operation. */
export interface CallerOptions {
  readonly url?: string
  readonly trust?: boolean
}

/** Everything that a user may do, also as a controller of the oracle. */
const allAbilities = ['*', 'operator/*']

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
  const given =
    name === 'user' ? undefined : await (name === 'operator' ? readOperatorToken : readUssdToken)(options, io)
  const send: Caller['send'] = async (request, read) => {
    if (given !== undefined) return exchange(name, url, given, request, read)
    const opened = await openOracle(options, io)
    const abilities = request.abilities ?? opened.delegation?.abilities ?? allAbilities
    const work = async (aheadMs: number) =>
      exchange(name, url, await signInvocation(opened, abilities, { aheadMs }), request, read)
    return opened.explained(acrossRestore(work))
  }
  return {
    send,
    async call(route, input = {}) {
      const response = await send(requestOf(route, input), async response => parseJson(await response.text()))
      if (response.isOk) return response.content
      throw new NetworkError(url, `it answered ${response.status} in another format, so it is not an oracle`)
    },
  }
}

const readOperatorToken = async (options: CallerOptions, io: CommandIo): Promise<string> =>
  checkToken(
    'ORACLE_OPERATOR_TOKEN',
    await operatorToken(options, io),
    'Set it to the token of the oracle, or run the command in the folder of its project without --url.',
  )

const readUssdToken = (_: CallerOptions, { env }: CommandIo): string =>
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

const requestOf = (
  route: string,
  { params = {}, query, body, headers, abilities = [] }: OperationInput,
): CallerRequest => {
  const [method = '', path = ''] = route.split(' ')
  const filled = path.replace(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ''))
  const search = new URLSearchParams(query).toString()
  return {
    method,
    path: `${filled}${search && `?${search}`}`,
    headers,
    body: body && JSON.stringify(body),
    abilities,
    signal: AbortSignal.timeout(timeoutMs),
  }
}

const exchange = async (
  name: CallerName,
  url: string,
  token: string,
  { path, abilities: _, headers, ...request }: CallerRequest,
  read: (response: Response) => Promise<unknown>,
): Promise<CallerResponse> => {
  const signed = { ...request, headers: { ...headers, authorization: `Bearer ${token}` } }
  const response = await sendRequest(url + path, signed, async response => {
    return { isOk: response.ok, status: response.status, content: await read(response) }
  })
  if (!response.isOk) throwProblem(name, url, response.status, problemSchema.safeParse(response.content).data)
  return response
}

const throwProblem = (name: CallerName, url: string, status: number, problem?: ProblemError['problem']): void => {
  if (name === 'ussd operator') {
    if ((status === 401 || status === 404) && !ussdProblems.has(problem?.code ?? '')) throw noGateway(url, status)
    if (problem) throw new ProblemError(problem)
    const message = `This is not a USSD gateway: ${url} answered ${status} in another format.`
    throw cliErrors.gateway_missing(message, 'Pass another address with --url.')
  }
  if (name === 'operator' && problem?.code === 'operator_token_needed')
    throw cliErrors.access_refused(
      'ORACLE_OPERATOR_TOKEN is not the operator token of this oracle, or the oracle has none (operator_token_needed).',
      'Set it to the value in the .env of the oracle.',
    )
  if (problem) throw new ProblemError(problem)
}

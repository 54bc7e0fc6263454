import { createInterface } from 'node:readline'
import { ProblemError } from '@sibyl/client'
import { problemSchema } from '@sibyl/protocol'
import type { z } from 'zod'
import { cliErrors } from '../../../errors/cli-errors.ts'
import { requestJson } from '../../../http/request-json.ts'
import { oracleUrl } from '../../../oracle/oracle-url.ts'
import type { CommandIo } from '../../../process/command-io.ts'
import { noGateway } from '../phone/ask-gateway.ts'
import { isPhoneNumber } from '../phone/dial-formats.ts'

interface OperatorRequest<Result> {
  readonly method: 'GET' | 'POST'
  /** Below `/api/ussd`: `/customers/resets`. */
  readonly path: string
  readonly body?: unknown
  readonly answer: z.ZodType<Result>
}

const patienceMs = 30_000

/** Problems of the ussd plugin with a status that a missing route also has. */
const ownProblems: ReadonlySet<string> = new Set([
  'operator_token_needed',
  'customer_not_found',
  'operator_action_not_found',
])

export class OperatorClient {
  readonly #url: string
  readonly #token: string

  private constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  /** @throws `configuration_invalid` without a token, `usage_invalid` for an invalid address */
  static async open(options: { readonly url?: string }, io: CommandIo): Promise<OperatorClient> {
    const url = await oracleUrl(options, io)
    const token = io.env.USSD_OPERATOR_TOKEN ?? ''
    if (/^\S+$/.test(token)) return new OperatorClient(url, token)
    throw cliErrors.configuration_invalid(
      token === '' ? 'USSD_OPERATOR_TOKEN is not set.' : 'USSD_OPERATOR_TOKEN is not a token: it has white space.',
      'Set it to the value of the oracle; if the oracle has none, these routes are closed.',
    )
  }

  /** @throws NetworkError, ProblemError, `gateway_missing` */
  async send<Result>({ method, path, body, answer }: OperatorRequest<Result>): Promise<Result> {
    const address = `${this.#url}/api/ussd${path}`
    const connection = { token: this.#token, timeoutMs: patienceMs }
    const { status, content } = await requestJson(address, { method, body }, connection)
    const result = status >= 200 && status < 300 ? answer.safeParse(content) : undefined
    if (result?.success) return result.data
    throw this.#failure(status, content)
  }

  #failure(status: number, content: unknown): Error {
    const problem = problemSchema.safeParse(content)
    const isMissing = status === 401 || status === 404
    if (isMissing && !ownProblems.has(problem.data?.code ?? '')) return noGateway(this.#url, status)
    if (problem.data) return new ProblemError(problem.data)
    const message = `This is not a USSD gateway: ${this.#url} answered ${status} in another format.`
    return cliErrors.gateway_missing(message, 'Pass another address with --url.')
  }
}

/**
 * Returns the target of a command: a phone number or a customer ID.
 *
 * @param target `-` reads the first line of stdin.
 * @throws `usage_invalid` when it is neither
 */
export const readTarget = async (target: string, { stdin }: CommandIo): Promise<string> => {
  const given = (target === '-' ? await firstLine(stdin) : target).trim()
  if (isPhoneNumber(given) || /^\d{9}$/.test(given)) return given
  throw cliErrors.usage_invalid(
    'The argument is neither a phone number nor a customer ID.',
    'Pass a number such as +260971234567, or nine digits.',
  )
}

const firstLine = async (stdin: CommandIo['stdin']): Promise<string> => {
  const lines = createInterface({ input: stdin })
  for await (const line of lines) return line
  return ''
}

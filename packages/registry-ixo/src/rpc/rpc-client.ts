import { z } from 'zod'
import { ChainUnreachableError, InvalidAnswerError } from '../errors/node-errors.ts'
import { cleanLog } from './clean-log.ts'

/** The response of a node: a result, or an error. */
export type RpcAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly message: string }

/** JSON-RPC 2.0 over HTTP POST, as Tendermint 0.34 and CometBFT speak it. Answers are hostile. */
export class RpcClient {
  /** For people; the path is left out, it may hold a key. */
  readonly host: string
  readonly #url: URL
  readonly #requestTimeoutMs: number
  readonly #fetch: typeof globalThis.fetch

  /**
   * @param url of Tendermint or CometBFT RPC: `https://rpc.example.org`
   * @param requestTimeoutMs milliseconds to wait for one answer
   */
  constructor(url: URL, requestTimeoutMs: number, fetch: typeof globalThis.fetch) {
    this.#url = url
    this.#requestTimeoutMs = requestTimeoutMs
    this.#fetch = fetch
    this.host = url.host
  }

  /**
   * Asks the node once.
   *
   * @param schema What `result` has to fit.
   * @throws ChainUnreachableError (`chain_unreachable`), InvalidAnswerError (`chain_answer_invalid`), the signal's reason
   */
  async call<Result>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    schema: z.ZodType<Result>,
    signal: AbortSignal,
  ): Promise<RpcAnswer<Result>> {
    const answer = envelope.safeParse(await this.#post(method, params, signal))
    if (!answer.success) throw this.#invalid(method, answer.error)
    if (answer.data.error) {
      const { message, data } = answer.data.error
      return { ok: false, message: cleanLog(`${message ?? ''} ${typeof data === 'string' ? data : ''}`) }
    }
    const result = schema.safeParse(answer.data.result)
    if (!result.success) throw this.#invalid(method, result.error)
    return { ok: true, result: result.data }
  }

  async #post(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown> {
    const fetch = this.#fetch
    const timeout = AbortSignal.timeout(this.#requestTimeoutMs)
    let status = 0
    let text: string | undefined
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
      })
      status = response.status
      text = await readBody(response)
    } catch (error) {
      signal.throwIfAborted()
      const reason = timeout.aborted ? `no response within ${this.#requestTimeoutMs} ms` : reasonOf(error)
      throw new ChainUnreachableError(this.host, reason, { cause: error })
    }
    if (text === undefined) throw new InvalidAnswerError(this.host, method, 'the response has more than 2 MB')
    try {
      return JSON.parse(text)
    } catch {
      if (status !== 200) throw new ChainUnreachableError(this.host, `HTTP status ${status}`)
      throw new InvalidAnswerError(this.host, method, 'it is not JSON')
    }
  }

  #invalid(method: string, error: z.ZodError): InvalidAnswerError {
    const { path = [], code } = error.issues[0] ?? {}
    return new InvalidAnswerError(this.host, method, `${path.map(String).join('.') || 'the answer'}: ${code}`)
  }
}

const envelope = z.object({
  result: z.unknown().optional(),
  error: z.object({ message: z.string().optional(), data: z.unknown().optional() }).nullish(),
})

const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: { code?: unknown } }
  if (typeof cause?.code === 'string') return cleanLog(cause.code)
  return error instanceof Error ? cleanLog(error.message) : 'the request failed'
}

/** Bytes of the longest answer that is read: an entity has some kilobytes, a block's transaction some more. */
const longestAnswer = 2_000_000

/**
 * Reads a body as UTF-8.
 *
 * @returns undefined when it is longer than 2 MB
 */
const readBody = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestAnswer) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

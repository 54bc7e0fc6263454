import { pause } from '@sibyl/plugin'
import { z } from 'zod'
import { readEvents } from './read-events.ts'

const revisionKey = 'io.modelcontextprotocol/protocolVersion'

const jsonRpcMessage = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      requestId: z.union([z.string(), z.number()]).optional(),
      _meta: z.looseObject({ [revisionKey]: z.string().optional() }).optional(),
    })
    .optional(),
})

/** A message of the client. */
type Message = z.output<typeof jsonRpcMessage>

const jsonRpcAnswer = z.looseObject({ jsonrpc: z.literal('2.0'), id: z.unknown() })

const problemDetail = z.looseObject({ detail: z.string().optional() })

const initialized = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) })

/** Options of a bridge. */
export interface McpBridgeOptions {
  /** The endpoint of the oracle. */
  readonly url: string
  /** Returns the headers that authorize one request. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Writes a message to the client. */
  write(message: unknown): void
  /** Adds a remedy to an error. */
  explain(error: unknown): Promise<unknown>
}

/** The pause before the stream of notifications is opened again, in milliseconds. */
const reopenMs = 2_000

/**
 * Forwards the messages of a client on standard input to an oracle. A session that the oracle no longer has, as after a restart, is
 * initialized again.
 */
export class McpBridge {
  readonly #options: McpBridgeOptions
  readonly #pending = new Map<string | number, AbortController>()
  /** Requests whose answers have no end. */
  readonly #subscriptions = new Set<AbortController>()
  readonly #work = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  /** The session of a client of revision 2025-11-25 or older. */
  #session: { readonly id: string; readonly revision: string } | undefined
  #initialize: Message | undefined
  #reopening: Promise<void> | undefined

  constructor(options: McpBridgeOptions) {
    this.#options = options
  }

  /** Forwards a line. */
  forward(line: string): void {
    const message = read(line)
    if (!message) {
      this.#options.write(errorOf(null, -32700, 'The line is not a JSON-RPC message.'))
      return
    }
    const work = this.#forward(message).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Cancels the pending requests. */
  cancel(): void {
    for (const controller of this.#pending.values()) controller.abort()
  }

  /** Ends the subscriptions, waits for the other answers, and ends the session. */
  async close(): Promise<void> {
    for (const controller of this.#subscriptions) controller.abort()
    await Promise.all(this.#work)
    this.#closing.abort()
    const session = this.#session
    if (session) await this.#fetch('DELETE', this.#sessionHeaders()).catch(() => undefined)
  }

  async #forward(message: Message): Promise<void> {
    const { id, method, params } = message
    const isCurrent = params?._meta?.[revisionKey] !== undefined
    // Revision 2026-07-28 cancels by closing the connection.
    if (method === 'notifications/cancelled' && params?.requestId !== undefined && !this.#session) {
      return this.#pending.get(params.requestId)?.abort()
    }
    if (method === 'initialize') this.#initialize = message
    const controller = new AbortController()
    if (id !== undefined && method !== undefined) this.#pending.set(id, controller)
    if (method === 'subscriptions/listen') this.#subscriptions.add(controller)
    try {
      const headers = isCurrent ? currentHeaders(message) : method === 'initialize' ? {} : this.#sessionHeaders()
      let response = await this.#post(message, headers, controller.signal)
      if (response.status === 404 && !isCurrent && this.#session) {
        await response.body?.cancel()
        this.#reopening ??= this.#reopen().finally(() => {
          this.#reopening = undefined
        })
        await this.#reopening
        response = await this.#post(message, this.#sessionHeaders(), controller.signal)
      }
      await this.#answer(message, response)
      if (method === 'notifications/initialized') void this.#follow()
    } catch (error) {
      if (id === undefined || method === undefined || controller.signal.aborted) return
      const explained = await this.#options.explain(error)
      const text = explained instanceof Error ? explained.message : 'The oracle did not answer.'
      this.#options.write(errorOf(id, -32000, text))
    } finally {
      if (id !== undefined) this.#pending.delete(id)
      this.#subscriptions.delete(controller)
    }
  }

  async #answer({ id, method }: Message, response: Response): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream') && response.body) {
      for await (const data of readEvents(response.body)) this.#take(method, response, JSON.parse(data))
      return
    }
    const text = await response.text()
    if (text === '') return
    const { data: answer } = jsonRpcAnswer.safeParse(JSON.parse(text))
    if (answer) return this.#take(method, response, id !== undefined && answer.id === null ? { ...answer, id } : answer)
    if (id === undefined) return
    const { data: problem } = problemDetail.safeParse(JSON.parse(text))
    const noEndpoint = 'This oracle has no MCP endpoint. Add mcp-server to ORACLE_ADAPTERS.'
    const detail = response.status === 404 ? noEndpoint : (problem?.detail ?? `The oracle answered ${response.status}.`)
    this.#options.write(errorOf(id, -32000, detail))
  }

  #take(method: string | undefined, response: Response, message: unknown): void {
    const id = response.headers.get('mcp-session-id')
    const begun = method === 'initialize' ? initialized.safeParse(message).data : undefined
    if (begun && id) this.#session = { id, revision: begun.result.protocolVersion }
    this.#options.write(message)
  }

  /** Initializes a session again; the client does not see it. */
  async #reopen(): Promise<void> {
    if (!this.#initialize) return
    const response = await this.#post(this.#initialize, {}, this.#closing.signal)
    const id = response.headers.get('mcp-session-id')
    await response.text()
    if (!id || !this.#session) return
    this.#session = { ...this.#session, id }
    const done = { jsonrpc: '2.0', method: 'notifications/initialized' }
    await (await this.#post(done, this.#sessionHeaders(), this.#closing.signal)).body?.cancel()
  }

  /** Passes on what the oracle sends without a request, until the bridge closes. */
  async #follow(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      try {
        const response = await this.#fetch('GET', this.#sessionHeaders(), undefined, signal)
        if (response.status === 405 || !response.body) return
        if (response.ok) {
          for await (const data of readEvents(response.body)) this.#options.write(JSON.parse(data))
        }
      } catch {
        // The oracle restarts, or the bridge closes.
      }
      await pause(reopenMs, signal).catch(() => {})
    }
  }

  #sessionHeaders(): Record<string, string> {
    const session = this.#session
    return session ? { 'mcp-session-id': session.id, 'mcp-protocol-version': session.revision } : {}
  }

  #post(message: object, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    return this.#fetch('POST', { ...headers, 'content-type': 'application/json' }, JSON.stringify(message), signal)
  }

  async #fetch(
    method: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
    signal?: AbortSignal,
  ): Promise<Response> {
    const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
    return fetch(this.#options.url, {
      method,
      headers: { accept, ...headers, ...(await this.#options.headers()) },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

const read = (line: string): Message | undefined => {
  try {
    return jsonRpcMessage.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

const errorOf = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** The headers that revision 2026-07-28 repeats from the message. */
const currentHeaders = ({ method = '', params }: Message): Record<string, string> => {
  const name = params?.name ?? params?.uri
  return {
    'mcp-protocol-version': params?._meta?.[revisionKey] ?? '',
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  }
}

/** Texts that a header cannot hold are in Base64. */
const headerValue = (text: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`

import { createInterface } from 'node:readline'
import { type JSONRPCMessage, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isObject, parseJson } from '@sibyl/protocol'
import { z } from 'zod'
import { openOracle } from '../../oracle/open-oracle.ts'
import { type CommandIo, onStop } from '../../process/command-io.ts'
import type { McpOptions } from './mcp-command.ts'

/** Runs `sibyl mcp`: forwards messages until standard input ends, or a signal cancels them. */
export const mcp = async (options: McpOptions, io: CommandIo): Promise<void> => {
  const { client, explain } = await openOracle({ ...options, chatAbilities: options.ability }, io)
  const bridge = new McpBridge({
    url: `${client.url.replace(/\/+$/, '')}/mcp`,
    headers: () => client.headers('chat/send'),
    write: message => void io.stdout.write(`${JSON.stringify(message)}\n`),
    explain,
  })
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  const release = onStop(io, () => {
    bridge.cancel()
    lines.close()
  })
  try {
    for await (const line of lines) if (line.trim() !== '') bridge.forward(line)
    await bridge.close()
  } finally {
    release()
  }
}

const messageId = z.union([z.string(), z.number()])

const clientMessage = z.looseObject({
  id: messageId.optional(),
  method: z.string().optional(),
  params: z.looseObject({ requestId: messageId.optional() }).optional(),
})

type Message = z.output<typeof clientMessage>

const initialized = z.looseObject({ result: z.looseObject({ protocolVersion: z.string() }) })

interface McpBridgeOptions {
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

/** A request that waits for its response. */
interface PendingRequest {
  readonly method: string
  readonly controller: AbortController
  readonly ended: PromiseWithResolvers<void>
}

/**
 * Forwards the messages of a client on standard input to an oracle. A session that the oracle no longer has, as after a restart, is
 * initialized again.
 */
class McpBridge {
  readonly #options: McpBridgeOptions
  readonly #pending = new Map<string | number, PendingRequest>()
  readonly #work = new Set<Promise<void>>()
  #transport: StreamableHTTPClientTransport
  /** The first message of a client of revision 2025-11-25 or older. */
  #initialize: Message | undefined
  #reopening: Promise<void> | undefined

  constructor(options: McpBridgeOptions) {
    this.#options = options
    this.#transport = this.#open()
  }

  forward(line: string): void {
    const { data: message } = clientMessage.safeParse(parseJson(line))
    if (!message) {
      this.#options.write(errorOf(null, -32700, 'The line is not a JSON-RPC message.'))
      return
    }
    const work = this.#forward(message).finally(() => this.#work.delete(work))
    this.#work.add(work)
  }

  /** Cancels the pending requests. */
  cancel(): void {
    for (const { controller } of this.#pending.values()) controller.abort()
  }

  /** Ends the subscriptions, waits for the other responses, and ends the session. */
  async close(): Promise<void> {
    for (const { method, controller } of this.#pending.values()) {
      if (method === 'subscriptions/listen') controller.abort()
    }
    await Promise.all(this.#work)
    await this.#transport.terminateSession().catch(() => {})
    await this.#transport.close()
  }

  #open(): StreamableHTTPClientTransport {
    const { url, headers, write } = this.#options
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      async fetch(address, init) {
        const sent = new Headers(init?.headers)
        for (const [name, value] of Object.entries(await headers())) sent.set(name, value)
        return fetch(address, { ...init, headers: sent })
      },
      reconnectionOptions: {
        initialReconnectionDelay: reopenMs,
        maxReconnectionDelay: reopenMs,
        reconnectionDelayGrowFactor: 1,
        maxRetries: Number.POSITIVE_INFINITY,
      },
    })
    transport.onmessage = message => {
      if ('method' in message) return write(message)
      const pending = this.#pending.get(message.id ?? '')
      const begun = (pending?.method ?? 'initialize') === 'initialize' ? initialized.safeParse(message).data : undefined
      if (begun) transport.setProtocolVersion(begun.result.protocolVersion)
      // The response to a repeated initialization has no pending request.
      if (!pending) return
      write(message)
      pending.ended.resolve()
    }
    void transport.start()
    return transport
  }

  async #forward(message: Message): Promise<void> {
    const { id, method, params } = message
    if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
      const pending = this.#pending.get(params.requestId)
      // Revision 2026-07-28 cancels by closing the connection.
      if (!this.#initialize) return pending?.controller.abort()
      pending?.ended.resolve()
    }
    if (method === 'initialize') this.#initialize = message
    if (id === undefined || method === undefined) return this.#send(message).catch(() => {})
    const controller = new AbortController()
    const ended = Promise.withResolvers<void>()
    this.#pending.set(id, { method, controller, ended })
    controller.signal.addEventListener('abort', () => ended.resolve())
    const onRequestStreamEnd = () => ended.reject(new Error('The oracle ended the stream without a response.'))
    try {
      await Promise.all([this.#send(message, { requestSignal: controller.signal, onRequestStreamEnd }), ended.promise])
    } catch (error) {
      if (!controller.signal.aborted) this.#options.write(await this.#responseTo(id, error))
    } finally {
      this.#pending.delete(id)
    }
  }

  async #send(message: object, options?: Parameters<StreamableHTTPClientTransport['send']>[1]): Promise<void> {
    const transport = this.#transport
    try {
      await transport.send(message as JSONRPCMessage, options)
    } catch (error) {
      if (!(error instanceof SdkHttpError && error.status === 404 && transport.sessionId)) throw error
      if (transport === this.#transport) {
        this.#reopening ??= this.#reopen().finally(() => {
          this.#reopening = undefined
        })
        await this.#reopening
      }
      await this.#transport.send(message as JSONRPCMessage, options)
    }
  }

  /** Initializes a session again; the client does not see it. */
  async #reopen(): Promise<void> {
    const lost = this.#transport
    const transport = this.#open()
    await transport.send(this.#initialize as JSONRPCMessage)
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    this.#transport = transport
    await lost.close()
  }

  /** Returns the error in a response of the oracle, or in its place. */
  async #responseTo(id: string | number, error: unknown): Promise<unknown> {
    if (error instanceof SdkHttpError) {
      const text = parseJson(String(error.data.text ?? ''))
      const body: Record<string, unknown> = isObject(text) ? text : {}
      if (body.jsonrpc === '2.0') return { ...body, id }
      const { detail = `The oracle answered ${error.status}.` } = body
      const noEndpoint = 'This oracle has no MCP endpoint. Add mcp-server to ORACLE_ADAPTERS.'
      return errorOf(id, -32000, error.status === 404 ? noEndpoint : String(detail))
    }
    const explained = await this.#options.explain(error)
    return errorOf(id, -32000, explained instanceof Error ? explained.message : 'The oracle did not answer.')
  }
}

const errorOf = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

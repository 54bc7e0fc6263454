import { randomUUID } from 'node:crypto'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { SessionFacts } from './session-id.ts'

/** The transport of one HTTP request of a client of revision 2025-11-25 or older. Closes after its last response. */
export class RequestTransport extends WebStandardStreamableHTTPServerTransport {
  /** The beginning of the ids of requests to the client: no other request of the session has it, in any process. */
  readonly #name = randomUUID()
  readonly #open: Set<RequestId>
  readonly #ready = Promise.withResolvers<void>()

  /** @param requests The ids of the requests in its body. @param sessionId The id of the session that it begins. */
  constructor(requests: readonly RequestId[], sessionId?: string) {
    super({ sessionIdGenerator: sessionId === undefined ? undefined : () => sessionId })
    this.#open = new Set(requests)
  }

  /** Whether a request of it runs: others follow changes, or are over. */
  get runs(): boolean {
    return this.#open.size > 0
  }

  /** Repeats the initialize of the session for the connected server, which was made for this request. */
  async resume({ showsForms }: SessionFacts): Promise<void> {
    const capabilities = showsForms ? { elicitation: {} } : {}
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'client', version: '0' } }
    this.onmessage?.({ jsonrpc: '2.0', id: this.#name, method: 'initialize', params })
    await this.#ready.promise
  }

  /** Receives a message that came with another request. @returns false if it is not about this one */
  receive(message: JSONRPCMessage): boolean {
    if (isJSONRPCResponse(message)) {
      const [name, id] = String(message.id).split(':')
      if (name !== this.#name) return false
      this.onmessage?.({ ...message, id: Number(id) })
      return true
    }
    const canceled = canceledBy(message)
    if (canceled === undefined || !this.#open.has(canceled)) return false
    this.onmessage?.(message)
    this.#end(canceled)
    return true
  }

  override async send(...[message, options]: Parameters<WebStandardStreamableHTTPServerTransport['send']>) {
    if (isJSONRPCResponse(message)) {
      if (message.id === this.#name) return this.#ready.resolve()
      await super.send(message, options)
      return this.#end(message.id)
    }
    await super.send(this.#named(message), options)
  }

  #named(message: JSONRPCMessage): JSONRPCMessage {
    if (isJSONRPCRequest(message)) return { ...message, id: `${this.#name}:${message.id}` }
    const canceled = canceledBy(message)
    if (canceled === undefined || !isJSONRPCNotification(message)) return message
    return { ...message, params: { ...message.params, requestId: `${this.#name}:${canceled}` } }
  }

  #end(id: RequestId | undefined): void {
    if (id === undefined || !this.#open.delete(id) || this.#open.size > 0) return
    void this.close()
  }
}

export const canceledBy = (message: JSONRPCMessage): RequestId | undefined => {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined
  const id = message.params?.requestId
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Server,
} from '@modelcontextprotocol/server'
import type { Actor, Logger, Places } from '@sibyl/plugin'
import { rejection, tooManyListeners } from '../errors/mcp-errors.ts'
import { canceledBy, RequestTransport } from '../sessions/request-transport.ts'
import { createSessionId, readSessionId, type SessionFacts } from '../sessions/session-id.ts'
import type { SessionMessages } from '../sessions/session-messages.ts'
import { authInfoOf, showsForms } from '../turns/caller.ts'
import type { ToolChanges } from './tool-changes.ts'
import { whileAllowed } from './while-allowed.ts'

/** The interval at which a process with a running request reads messages that others received, in milliseconds. */
const readIntervalMs = 500

/** The most characters of a message for another process. */
const maxCharacters = 100_000

/** A client opens its stream right after it began its session; one that opens later may have missed changes. */
const freshMs = 10_000

/** The most sessions of which this process remembers that their tools changed. */
const maxChanged = 1_000

interface Parts {
  /** Creates the server of one request. */
  readonly serve: () => Server
  readonly changes: ToolChanges
  readonly messages: SessionMessages
  readonly maySend: (actor: Actor) => Promise<boolean>
  /** The connections that follow changes. */
  readonly listeners: Places
  readonly log: Logger
  readonly now: () => number
}

/**
 * The sessions of clients of revision 2025-11-25 and older. A process has the requests that it runs, and nothing else: the id of a
 * session says what is to be known of it, and an answer or a cancellation reaches the process of its request by the database.
 */
export class ClientSessions {
  readonly #parts: Parts
  /** The requests that run in this process, by session. */
  readonly #running = new Map<string, Set<RequestTransport>>()
  /** The sessions whose tools changed during a request. */
  readonly #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Handles a request of a session, or the one that begins it. */
  async handle(request: Request, actor: Actor, parsedBody: unknown): Promise<Response> {
    if (isJSONRPCRequest(parsedBody) && isInitializeRequest(parsedBody)) {
      const shows = showsForms(parsedBody.params.capabilities.elicitation)
      const id = createSessionId(actor.did, { showsForms: shows, begunAt: this.#parts.now() })
      return this.#answer(new RequestTransport([parsedBody.id], id), { id, request, actor, parsedBody })
    }
    const id = request.headers.get('mcp-session-id')
    if (id === null) return notInitialized()
    const session = readSessionId(id, actor.did)
    if (!session || (await this.#parts.messages.hasEnded(id))) return notFound()
    if (request.method === 'DELETE') {
      await this.#parts.messages.end(id)
      this.#close(id)
      return new Response(null, { status: 200 })
    }
    return request.method === 'GET'
      ? this.#follow({ id, request, actor, session })
      : this.#post({ id, request, actor, session, parsedBody })
  }

  /** Ends all requests. */
  close(): void {
    for (const id of [...this.#running.keys()]) this.#close(id)
  }

  async #post(given: Given & { readonly session: SessionFacts }): Promise<Response> {
    const received = [given.parsedBody].flat() as JSONRPCMessage[]
    const requests = received.flatMap(message => (isJSONRPCRequest(message) ? [message.id] : []))
    const others = received.filter(message => isJSONRPCResponse(message) || canceledBy(message) !== undefined)
    if (others.some(message => JSON.stringify(message).length > maxCharacters)) return tooLarge()
    const response = await this.#answer(new RequestTransport(requests), given)
    if (response.ok) for (const message of others) await this.#deliver(given.id, message)
    return response
  }

  async #follow({ id, request, actor, session }: Given & { readonly session: SessionFacts }): Promise<Response> {
    const { changes, listeners, messages, serve, maySend, now } = this.#parts
    const place = listeners.take(actor)
    if ('full' in place) return tooManyListeners()
    const transport = new RequestTransport([])
    const server = serve()
    const notify = () => void server.sendToolListChanged().catch(() => {})
    const stop = changes.listen(actor, notify)
    onClose(transport, stop)
    onClose(transport, place.release)
    this.#add(id, transport)
    await server.connect(transport)
    await transport.resume(session)
    const response = await transport.handleRequest(request)
    if (!response.ok) await transport.close()
    else if (this.#changed.delete(id) || now() - session.begunAt > freshMs) notify()
    return whileAllowed(
      response,
      async () => (await maySend(actor)) && !(await messages.hasEnded(id)),
      () => void transport.close(),
    )
  }

  /** Lets a server answer a request. */
  async #answer(transport: RequestTransport, { id, request, actor, session, parsedBody }: Given): Promise<Response> {
    this.#add(id, transport)
    await this.#parts.serve().connect(transport)
    if (session) {
      const stop = this.#parts.changes.listen(actor, () => this.#remember(id))
      onClose(transport, stop)
      await transport.resume(session)
    }
    const response = await transport.handleRequest(request, { authInfo: authInfoOf(actor, request.signal), parsedBody })
    if (response.status !== 200) await transport.close()
    return response
  }

  #add(id: string, transport: RequestTransport): void {
    const all = this.#running.get(id) ?? new Set()
    this.#running.set(id, all.add(transport))
    onClose(transport, () => {
      all.delete(transport)
      if (all.size === 0 && this.#running.get(id) === all) this.#running.delete(id)
    })
    this.#readLater()
  }

  #remember(id: string): void {
    this.#changed.add(id)
    for (const oldest of this.#changed) if (this.#changed.size > maxChanged) this.#changed.delete(oldest)
  }

  #close(id: string): void {
    for (const transport of [...(this.#running.get(id) ?? [])]) void transport.close()
  }

  async #deliver(id: string, message: JSONRPCMessage): Promise<void> {
    if (!this.#receive(id, message) && this.#parts.messages.areShared) await this.#parts.messages.add(id, message)
  }

  #receive(id: string, message: JSONRPCMessage): boolean {
    return [...(this.#running.get(id) ?? [])].some(transport => transport.receive(message))
  }

  #readLater(): void {
    if (this.#timer !== undefined || !this.#parts.messages.areShared || this.#awaiting().length === 0) return
    this.#timer = setTimeout(() => {
      this.#read()
        .catch(error => this.#parts.log.debug('messages of MCP sessions were not read', { error }))
        .finally(() => {
          this.#timer = undefined
          this.#readLater()
        })
    }, readIntervalMs).unref()
  }

  /** Returns the sessions with a running request. */
  #awaiting(): string[] {
    return [...this.#running].flatMap(([id, all]) => ([...all].some(({ runs }) => runs) ? [id] : []))
  }

  /** Reads what other processes received for the requests that run here. */
  async #read(): Promise<void> {
    const { messages } = this.#parts
    const sessions = this.#awaiting()
    if (sessions.length === 0) return
    const taken: number[] = []
    for (const { place, session, message } of await messages.of(sessions)) {
      if (!message) this.#close(session)
      else if (this.#receive(session, message as JSONRPCMessage)) taken.push(place)
    }
    if (taken.length > 0) await messages.remove(taken)
  }
}

const onClose = (transport: RequestTransport, listener: () => void): void => {
  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    listener()
  }
}

/** A request of a session. */
interface Given {
  readonly id: string
  readonly request: Request
  readonly actor: Actor
  readonly parsedBody?: unknown
  /** Missing in the request that begins it. */
  readonly session?: SessionFacts
}

const notFound = () => rejection(404, -32001, 'There is no such session. Initialize again.')

const tooLarge = () =>
  rejection(413, -32600, `A response of the client has at most ${maxCharacters} characters. Send a shorter one.`)

const notInitialized = () =>
  rejection(
    400,
    -32000,
    'Send initialize first and Mcp-Session-Id afterwards, or use revision 2026-07-28, which needs neither.',
  )

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
 * Creates the sessions of clients of revision 2025-11-25 and older. A process has the requests that it runs only: the id of a
 * session has its facts, and a response or a cancellation reaches the process of its request by the database.
 */
export const createClientSessions = ({ changes, listeners, messages, serve, maySend, now, log }: Parts) => {
  /** The requests that run in this process, by session. */
  const running = new Map<string, Set<RequestTransport>>()
  /** The sessions whose tools changed during a request. */
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const post = async (given: Given & { readonly session: SessionFacts }): Promise<Response> => {
    const received = [given.parsedBody].flat() as JSONRPCMessage[]
    const requests = received.flatMap(message => (isJSONRPCRequest(message) ? [message.id] : []))
    const others = received.filter(message => isJSONRPCResponse(message) || canceledBy(message) !== undefined)
    if (others.some(message => JSON.stringify(message).length > maxCharacters)) return tooLarge()
    const response = await answer(new RequestTransport(requests), given)
    if (response.ok) for (const message of others) await deliver(given.id, message)
    return response
  }
  const follow = async ({
    id,
    request,
    actor,
    session,
  }: Given & { readonly session: SessionFacts }): Promise<Response> => {
    const place = listeners.take(actor)
    if ('full' in place) return tooManyListeners()
    const transport = new RequestTransport([])
    const server = serve()
    const notify = () => void server.sendToolListChanged().catch(() => {})
    const stop = changes.listen(actor, notify)
    onClose(transport, stop)
    onClose(transport, place.release)
    add(id, transport)
    await server.connect(transport)
    await transport.resume(session)
    const response = await transport.handleRequest(request)
    if (!response.ok) await transport.close()
    else if (changed.delete(id) || now() - session.begunAt > freshMs) notify()
    return whileAllowed(
      response,
      async () => (await maySend(actor)) && !(await messages.hasEnded(id)),
      () => void transport.close(),
    )
  }
  /** Lets a server answer a request. */
  const answer = async (
    transport: RequestTransport,
    { id, request, actor, session, parsedBody }: Given,
  ): Promise<Response> => {
    add(id, transport)
    await serve().connect(transport)
    if (session) {
      const stop = changes.listen(actor, () => remember(id))
      onClose(transport, stop)
      await transport.resume(session)
    }
    const response = await transport.handleRequest(request, { authInfo: authInfoOf(actor, request.signal), parsedBody })
    if (response.status !== 200) await transport.close()
    return response
  }
  const add = (id: string, transport: RequestTransport): void => {
    const all = running.get(id) ?? new Set()
    running.set(id, all.add(transport))
    onClose(transport, () => {
      all.delete(transport)
      if (all.size === 0 && running.get(id) === all) running.delete(id)
    })
    readLater()
  }
  const remember = (id: string): void => {
    changed.add(id)
    for (const oldest of changed) if (changed.size > maxChanged) changed.delete(oldest)
  }
  const close = (id: string): void => {
    for (const transport of [...(running.get(id) ?? [])]) void transport.close()
  }
  const deliver = async (id: string, message: JSONRPCMessage): Promise<void> => {
    if (!receive(id, message) && messages.areShared) await messages.add(id, message)
  }
  const receive = (id: string, message: JSONRPCMessage): boolean => {
    return [...(running.get(id) ?? [])].some(transport => transport.receive(message))
  }
  const readLater = (): void => {
    if (timer !== undefined || !messages.areShared || awaiting().length === 0) return
    timer = setTimeout(() => {
      read()
        .catch(error => log.debug('messages of MCP sessions were not read', { error }))
        .finally(() => {
          timer = undefined
          readLater()
        })
    }, readIntervalMs).unref()
  }
  /** Returns the sessions with a running request. */
  const awaiting = (): string[] => {
    return [...running].flatMap(([id, all]) => ([...all].some(({ runs }) => runs) ? [id] : []))
  }
  /** Reads what other processes received for the requests that run here. */
  const read = async (): Promise<void> => {
    const sessions = awaiting()
    if (sessions.length === 0) return
    const taken: number[] = []
    for (const { place, session, message } of await messages.of(sessions)) {
      if (!message) close(session)
      else if (receive(session, message as JSONRPCMessage)) taken.push(place)
    }
    if (taken.length > 0) await messages.remove(taken)
  }
  return {
    /** Handles a request of a session, or the one that begins it. */
    async handle(request: Request, actor: Actor, parsedBody: unknown): Promise<Response> {
      if (isJSONRPCRequest(parsedBody) && isInitializeRequest(parsedBody)) {
        const shows = showsForms(parsedBody.params.capabilities.elicitation)
        const id = createSessionId(actor.did, { showsForms: shows, begunAt: now() })
        return answer(new RequestTransport([parsedBody.id], id), { id, request, actor, parsedBody })
      }
      const id = request.headers.get('mcp-session-id')
      if (id === null) return notInitialized()
      const session = readSessionId(id, actor.did)
      if (!session || (await messages.hasEnded(id))) return notFound()
      if (request.method === 'DELETE') {
        await messages.end(id)
        close(id)
        return new Response(null, { status: 200 })
      }
      return request.method === 'GET'
        ? follow({ id, request, actor, session })
        : post({ id, request, actor, session, parsedBody })
    },
    /** Ends all requests. */
    close(): void {
      for (const id of [...running.keys()]) close(id)
    },
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

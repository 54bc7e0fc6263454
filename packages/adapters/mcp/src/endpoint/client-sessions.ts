import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type Actor, type Clock, type Full, holderOf, type Place, type Places } from '@sibyl/plugin'
import { rejection } from '../errors/mcp-errors.ts'
import { authInfoOf } from '../turns/caller.ts'
import type { ToolChanges } from './tool-changes.ts'
import { whileAllowed } from './while-allowed.ts'

/** A session ends when its client has sent nothing for so long, in milliseconds. */
const idleMs = 3_600_000

/**
 * The most sessions of one holder of a right, and of all; an address has its share of them. Where a limit is reached, the one
 * that was idle longest makes room.
 */
export const maxOfHolder = 32
export const maxSessions = 2_000

interface ClientSession {
  /** The caller who began it, against whom it counts. */
  readonly opener: Actor
  /** The caller of the latest request. */
  actor: Actor
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** Sends what changed since the stream of notifications opened last: without one it was lost. */
  opened(): void
  close(): void
}

/**
 * The sessions of clients of revision 2025-11-25 and older, in this process. Only their connection is kept here: what they load and
 * say is in sessions of the oracle.
 */
export class ClientSessions {
  readonly #sessions = new Map<string, ClientSession>()
  readonly #serve: () => Server
  readonly #changes: ToolChanges
  readonly #maySend: (actor: Actor) => Promise<boolean>
  readonly #clock: Pick<Clock, 'now'>
  readonly #places: Places

  constructor(
    serve: () => Server,
    changes: ToolChanges,
    maySend: (actor: Actor) => Promise<boolean>,
    clock: Pick<Clock, 'now'>,
    places: Places,
  ) {
    this.#serve = serve
    this.#changes = changes
    this.#maySend = maySend
    this.#clock = clock
    this.#places = places
  }

  /** Handles a request of a session, or the one that begins it. */
  async handle(request: Request, actor: Actor, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const found = id === null ? undefined : this.#sessions.get(id)
    const session = found?.actor.did === actor.did ? found : undefined
    if (id !== null && !session) return notFound()
    if (session) Object.assign(session, { actor, usedAt: this.#clock.now() })
    else if (!isInitializeRequest(parsedBody)) return notInitialized()
    const transport = session?.transport ?? (await this.#open(actor))
    if (!transport) return tooManySessions()
    const response = await transport.handleRequest(request, {
      authInfo: authInfoOf(actor),
      parsedBody,
    })
    if (session && request.method === 'GET' && response.ok) {
      session.opened()
      return whileAllowed(response, async () => {
        const may = await this.#maySend(session.actor)
        if (!may) session.close()
        return may
      })
    }
    // An initialize that the SDK rejects begins no session.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** Ends all sessions. */
  close(): void {
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
  }

  async #open(actor: Actor): Promise<WebStandardStreamableHTTPServerTransport | undefined> {
    const place = this.#takePlace(actor)
    if (!place) return undefined
    const server = this.#serve()
    const notify = () => void server.sendToolListChanged().catch(() => {})
    let isChanged = false
    const changed = () => {
      isChanged = true
      notify()
    }
    const opened = () => {
      if (isChanged) notify()
      isChanged = false
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => {
        this.#sessions.set(id, { opener: actor, actor, transport, usedAt: this.#clock.now(), opened, close })
      },
    })
    const leave = () => {
      stopListening()
      place.release()
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId)
    }
    const close = () => {
      leave()
      void transport.close().catch(() => {})
    }
    const stopListening = this.#changes.listen(actor, changed)
    await server.connect(transport)
    const closed = server.onclose
    server.onclose = () => {
      leave()
      closed?.()
    }
    return transport
  }

  #takePlace(actor: Actor): Place | undefined {
    const idleSince = this.#clock.now() - idleMs
    for (const session of [...this.#sessions.values()]) if (session.usedAt < idleSince) session.close()
    const place = this.#places.take(actor)
    if (!('full' in place)) return place
    this.#longestIdle(place.full, actor)?.close()
    const next = this.#places.take(actor)
    return 'full' in next ? undefined : next
  }

  #longestIdle(full: Full, actor: Actor): ClientSession | undefined {
    const shared = {
      holder: ({ opener }: ClientSession) => holderOf(opener) === holderOf(actor),
      origin: ({ opener }: ClientSession) => opener.origin === actor.origin,
      all: () => true,
    }[full]
    return [...this.#sessions.values()].filter(shared).toSorted((one, other) => one.usedAt - other.usedAt)[0]
  }
}

const notFound = () => rejection(404, -32001, 'There is no such session. Initialize again.')

const tooManySessions = () =>
  rejection(429, -32000, 'Too many sessions begin at the same time. Try again.', { 'retry-after': '1' })

const notInitialized = () =>
  rejection(
    400,
    -32000,
    'Send initialize first and Mcp-Session-Id afterwards, or use revision 2026-07-28, which needs neither.',
  )

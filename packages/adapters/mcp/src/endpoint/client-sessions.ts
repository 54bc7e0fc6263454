import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { Actor, Clock } from '@sibyl/plugin'
import { rejection } from '../errors/mcp-errors.ts'
import { authInfoOf } from '../turns/caller.ts'
import type { ToolChanges } from './tool-changes.ts'

/** A session ends when its client has sent nothing for so long, in milliseconds. */
const idleMs = 3_600_000

/** The most sessions of one caller, and of all: the one that was idle longest makes room. */
export const mostOfOwner = 32
export const mostSessions = 2_000

interface ClientSession {
  readonly owner: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
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
  readonly #clock: Pick<Clock, 'now'>

  constructor(serve: () => Server, changes: ToolChanges, clock: Pick<Clock, 'now'>) {
    this.#serve = serve
    this.#changes = changes
    this.#clock = clock
  }

  /** Handles a request of a session, or the one that begins it. */
  async handle(request: Request, actor: Actor, parsedBody: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const found = id === null ? undefined : this.#sessions.get(id)
    const session = found?.owner === actor.did ? found : undefined
    if (id !== null && !session) return notFound()
    const transport = session?.transport ?? (isInitializeRequest(parsedBody) ? await this.#open(actor) : undefined)
    if (!transport) return notInitialized()
    if (session) session.usedAt = this.#clock.now()
    const response = await transport.handleRequest(request, {
      authInfo: authInfoOf(actor),
      ...(parsedBody === undefined ? {} : { parsedBody }),
    })
    // An initialize that the SDK rejects begins no session.
    if (transport.sessionId === undefined) await transport.close()
    return response
  }

  /** Ends all sessions. */
  close(): void {
    for (const session of this.#sessions.values()) session.close()
    this.#sessions.clear()
  }

  async #open({ did: owner }: Actor): Promise<WebStandardStreamableHTTPServerTransport> {
    this.#makeRoom(owner)
    const server = this.#serve()
    const stopListening = this.#changes.listen(owner, () => void server.sendToolListChanged().catch(() => {}))
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: id => {
        const close = () => void transport.close().catch(() => {})
        this.#sessions.set(id, { owner, transport, usedAt: this.#clock.now(), close })
      },
    })
    await server.connect(transport)
    const closed = server.onclose
    server.onclose = () => {
      stopListening()
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId)
      closed?.()
    }
    return transport
  }

  #makeRoom(owner: string): void {
    const idleSince = this.#clock.now() - idleMs
    for (const session of [...this.#sessions.values()]) if (session.usedAt < idleSince) session.close()
    const ofOwner = [...this.#sessions.values()].filter(session => session.owner === owner)
    if (ofOwner.length >= mostOfOwner) longestIdle(ofOwner)?.close()
    else if (this.#sessions.size >= mostSessions) longestIdle([...this.#sessions.values()])?.close()
  }
}

const longestIdle = (sessions: readonly ClientSession[]): ClientSession | undefined =>
  sessions.toSorted((one, other) => one.usedAt - other.usedAt)[0]

const notFound = () => rejection(404, -32001, 'There is no such session. Initialize again.')

const notInitialized = () =>
  rejection(
    400,
    -32000,
    'Send initialize first and Mcp-Session-Id afterwards, or use revision 2026-07-28, which needs neither.',
  )

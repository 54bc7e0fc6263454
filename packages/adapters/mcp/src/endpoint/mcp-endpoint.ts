import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import { type Actor, holdsAbility } from '@sibyl/plugin'
import { sendAbility } from '@sibyl/plugin/host'
import { tooManyListeners } from '../errors/mcp-errors.ts'
import { CallSessions } from '../tools/session-ids.ts'
import { authInfoOf } from '../turns/caller.ts'
import type { McpParts } from '../turns/mcp-parts.ts'
import { withAccept } from './accepted-types.ts'
import { createClientSessions } from './client-sessions.ts'
import { makeServer } from './make-server.ts'
import { createToolChanges } from './tool-changes.ts'
import { whileAllowed } from './while-allowed.ts'

/** The most connections that follow changes: of one holder of a right, and of all; an address has its share of them. */
const maxOfHolder = 32
const maxListeners = 2_000

/** The MCP endpoint of an oracle. */
export interface McpEndpoint {
  /** Handles an authenticated request. @param parsedBody Its JSON, which the oracle has checked for size and depth. */
  handle(request: Request, actor: Actor, parsedBody: unknown): Promise<Response>
}

/** Creates the endpoint: revision 2026-07-28 by a server for each request, older ones too. */
export const createMcpEndpoint = (parts: McpParts): McpEndpoint => {
  const { log, clock, ending, limits, grants, messages } = parts
  const calls = new CallSessions()
  const changes = createToolChanges(parts)
  const serve = () => makeServer(parts, calls)
  const current = createMcpHandler(serve, {
    legacy: 'reject',
    bus: changes.bus,
    maxSubscriptions: maxListeners,
    onerror: error => log.debug('an MCP request was rejected', { error }),
  })
  const listeners = limits.places({ capacity: maxListeners, perHolder: maxOfHolder })
  const maySend = async (actor: Actor) => {
    const verdict = await grants.check(actor)
    return verdict.holds && holdsAbility(verdict.actor.scopes, sendAbility)
  }
  const older = createClientSessions({ serve, changes, messages, maySend, listeners, log, now: () => clock.now() })
  const close = () => {
    older.close()
    void current.close()
  }
  if (ending.aborted) close()
  else ending.addEventListener('abort', close, { once: true })
  return {
    async handle(given, actor, parsedBody) {
      const request = withAccept(given)
      if (await isLegacyRequest(request, parsedBody)) return older.handle(request, actor, parsedBody)
      const options = { authInfo: authInfoOf(actor), parsedBody }
      const serveNow = () => current.fetch(request, options)
      if (!isListening(parsedBody)) return changes.within(actor, serveNow)
      const place = listeners.take(actor)
      if ('full' in place) return tooManyListeners()
      return whileAllowed(await changes.within(actor, serveNow, place.release), () => maySend(actor))
    },
  }
}

const isListening = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'method' in body && body.method === 'subscriptions/listen'

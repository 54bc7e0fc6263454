import { type Route, route } from '@sibyl/plugin'
import { type OracleVariables, type RouteContext, sendAbility } from '@sibyl/plugin/host'
import { z } from 'zod'
import type { McpEndpoint } from './endpoint/mcp-endpoint.ts'
import { refuse } from './errors/mcp-errors.ts'
import type { McpParts } from './turns/mcp-parts.ts'

const message = z.looseObject({}).meta({ description: 'A JSON-RPC message of the Model Context Protocol' })

/** Most messages of one request, which counts once against the limits of requests. */
const maxMessages = 10

const common = {
  auth: { ucan: sendAbility },
  maxBodyBytes: 1_000_000,
  timeLimit: false,
  refuse,
} as const

const eventStream = { content: { 'text/event-stream': { schema: z.string() } } }

/** `POST`, `GET` and `DELETE /mcp`. The SDK loads with the first request. */
export const mcpRoutes = (parts: McpParts): Route[] => {
  let endpoint: Promise<McpEndpoint> | undefined
  const handle = async (c: RouteContext<OracleVariables, typeof common.auth>, body?: unknown): Promise<Response> => {
    endpoint ??= import('./endpoint/mcp-endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(parts))
    return (await endpoint).handle(c.req.raw, c.get('actor'), body)
  }
  return [
    route.post(
      '/mcp',
      {
        ...common,
        summary: 'Send a message of the Model Context Protocol',
        description:
          'Revision 2026-07-28 without sessions; 2025-11-25, 2025-06-18 and older with sessions, which begin with ' +
          '`initialize`. The answer is JSON or server-sent events.',
        body: z.union([message, z.array(message).min(1).max(maxMessages)]),
        ok: {
          200: {
            description: 'The result',
            content: { 'application/json': { schema: z.looseObject({}) }, ...eventStream.content },
          },
          202: { description: 'The notification was accepted' },
        },
      },
      c => handle(c, c.req.valid('json')),
    ),
    route.get(
      '/mcp',
      {
        ...common,
        summary: 'Follow the notifications of a session of the Model Context Protocol',
        description: 'For clients of revision 2025-11-25 and older; the header `Mcp-Session-Id` names the session.',
        ok: { 200: { description: 'The notifications', ...eventStream } },
      },
      c => handle(c),
    ),
    route.delete(
      '/mcp',
      {
        ...common,
        summary: 'End a session of the Model Context Protocol',
        description: 'For clients of revision 2025-11-25 and older. The sessions of the oracle stay.',
        ok: { 200: { description: 'Ended' } },
      },
      c => handle(c),
    ),
  ]
}

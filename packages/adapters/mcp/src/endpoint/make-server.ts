import { Server } from '@modelcontextprotocol/server'
import { getPrompt, listPrompts } from '../prompts/prompts.ts'
import { listResources, readResource, resourceTemplates } from '../resources/resources.ts'
import { askOracle, askOracleName } from '../tools/ask-oracle.ts'
import { callTool } from '../tools/call-tool.ts'
import { listTools, toolsOf } from '../tools/list-tools.ts'
import type { CallSessions } from '../tools/session-ids.ts'
import { callerOf } from '../turns/caller.ts'
import type { McpParts } from '../turns/mcp-parts.ts'

/** The time for which a user may think about a question of a session, in milliseconds. */
const thinkingMs = 600_000

/** Lists change when a capability is loaded, and a client that does not listen for changes would keep the old ones. */
const notCached = { ttlMs: 0, cacheScope: 'private' } as const

/** Makes the server of one request, or of one session. */
export const makeServer = (parts: McpParts, sessions: CallSessions): Server => {
  const { oracle } = parts
  const server = new Server(
    { name: 'sibyl', title: oracle.name, version: '0.1.0' },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions:
        `${oracle.name}${oracle.description === undefined ? '' : `: ${oracle.description}`}\n\n` +
        'ask_oracle asks its agent. The other tools are those that its agent has; list_capabilities names more, and ' +
        'load_capability adds their tools to the list.',
      inputRequired: { roundTimeoutMs: thinkingMs },
      cacheHints: {
        'tools/list': notCached,
        'prompts/list': notCached,
        'resources/list': notCached,
        'resources/templates/list': notCached,
        'resources/read': notCached,
      },
    },
  )
  const caller = (ctx: Parameters<typeof callerOf>[0]) => callerOf(ctx, server.getClientCapabilities())
  server.setRequestHandler('tools/list', async (_, ctx) => ({ tools: await listTools(parts, caller(ctx)) }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const from = caller(ctx)
    if (params.name === askOracleName) return askOracle(parts, from, params.arguments)
    return callTool(parts, sessions, from, params)
  })
  server.setRequestHandler('prompts/list', async (_, ctx) => ({
    prompts: listPrompts(await toolsOf(parts, caller(ctx))),
  }))
  server.setRequestHandler('prompts/get', async ({ params }, ctx) =>
    getPrompt(await toolsOf(parts, caller(ctx)), params.name, params.arguments),
  )
  server.setRequestHandler('resources/list', async (_, ctx) => ({
    resources: await listResources(parts, caller(ctx).actor),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [...resourceTemplates] }))
  server.setRequestHandler('resources/read', ({ params }, ctx) => readResource(parts, caller(ctx).actor, params.uri))
  return server
}

import { defineErrors, type Route, route } from '@sibyl/plugin'
import { z } from 'zod'
import type { ToolStore } from '../fingerprints/tool-store.ts'
import type { McpServer } from '../servers/mcp-server.ts'
import { asksPerson, onlyReads } from '../tools/server-tool.ts'
import { toolPrefix } from '../tools/tool-name.ts'
import { serverReport } from './server-report.ts'

const mcpErrors = defineErrors({
  mcp_server_unknown: { status: 404, message: 'The MCP server is unknown. GET /mcp/servers lists the servers.' },
  mcp_tool_not_changed: {
    status: 409,
    message: 'No pending change of {tools} has that fingerprint. Read GET /mcp/servers again.',
  },
})

const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
const toolViolation = z.object({ name: z.string(), fault: z.string() })

const serverRecord = z.object({
  name: z.string(),
  kind: z.enum(['stdio', 'http']),
  identity: z.enum(['oracle', 'caller']),
  trusted: z.boolean().meta({ description: 'Whether its statement that a tool only reads is trusted' }),
  state: z.enum(['ready', 'pending', 'degraded']),
  reason: z.string().optional(),
  server: z
    .object({ name: z.string(), version: z.string() })
    .optional()
    .meta({ description: 'Its own name and version' }),
  connections: z.int(),
  offers: z.object({ resources: z.boolean(), prompts: z.boolean() }),
  tools: z.array(
    z.object({
      name: z.string().meta({ description: "The server's own name" }),
      offeredAs: z.string().meta({ description: 'Its name in a conversation' }),
      effect: z.enum(['read', 'write']),
      approval: z.boolean().meta({ description: 'Whether a user approves every call' }),
      fingerprint,
    }),
  ),
  leftOut: z.array(toolViolation),
  changed: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['changed', 'new']),
        fingerprint: fingerprint.meta({ description: 'Fingerprint of the new definition, for its confirmation' }),
        changedAt: z.int().meta({ description: 'Milliseconds since 1970' }),
        changes: z.array(z.object({ member: z.string(), before: z.unknown(), after: z.unknown() })),
      }),
    )
    .meta({ description: 'Changed or new tools that are rejected until they are confirmed' }),
})

const confirmation = z.object({
  tools: z
    .array(z.object({ name: z.string().min(1).max(256), fingerprint }))
    .min(1)
    .max(500),
})

/** Creates the operator's routes: states of the servers, and confirmation of changed and new tools. */
export const statusRoutes = (servers: readonly McpServer[], toolStore: ToolStore): Route[] => [
  route.get(
    '/mcp/servers',
    {
      auth: 'operator',
      summary: 'List the MCP servers with their tools and pending changes',
      ok: { 200: { description: 'The servers', schema: z.object({ servers: z.array(serverRecord) }) } },
    },
    async c => {
      const changed = await toolStore.waiting()
      return c.json({ servers: servers.map(server => recordOf(server, toolStore, changed)) }, 200)
    },
  ),
  route.post(
    '/mcp/servers/{name}/confirm',
    {
      auth: 'operator',
      summary: 'Confirm changed and new tools of an MCP server',
      description: 'Names the fingerprints of the new definitions. The request can be repeated safely.',
      params: z.object({ name: z.string().max(40) }),
      body: confirmation,
      ok: {
        200: {
          description: 'The tools that are now accepted',
          schema: z.object({ confirmed: z.array(z.string()) }),
        },
      },
      errors: [mcpErrors.mcp_server_unknown, mcpErrors.mcp_tool_not_changed],
    },
    async c => {
      const server = servers.find(({ entry }) => entry.name === c.req.valid('param').name)
      if (!server) throw mcpErrors.mcp_server_unknown()
      const { tools } = c.req.valid('json')
      const confirmed = await toolStore.confirm(server.entry.name, tools)
      if (confirmed.length === 0)
        throw mcpErrors.mcp_tool_not_changed({ tools: tools.slice(0, 5).map(({ name }) => name) })
      await Promise.all(server.links().map(link => link.check().catch(() => undefined)))
      return c.json({ confirmed: [...confirmed] }, 200)
    },
  ),
]

const recordOf = (server: McpServer, toolStore: ToolStore, waiting: Awaited<ReturnType<ToolStore['waiting']>>) => {
  const { entry } = server
  const links = server.links()
  const shared = entry.identity.kind === 'oracle' ? links[0] : undefined
  const { name, state, reason, leftOut } = serverReport(server, shared)
  const about = shared?.connection.server
  return {
    name,
    kind: entry.address.kind,
    identity: entry.identity.kind,
    trusted: entry.trusted,
    state,
    reason,
    ...(about ? { server: { name: shared.redact(about.name), version: shared.redact(about.version) } } : {}),
    connections: links.length,
    offers: shared?.connection.offers ?? { resources: false, prompts: false },
    tools: (shared?.view.tools ?? []).map(tool => ({
      name: tool.name,
      offeredAs: `${toolPrefix(name)}${server.nameOf(tool.name)}`,
      effect: onlyReads(entry, tool) ? ('read' as const) : ('write' as const),
      approval: asksPerson(entry.approval, tool.name, onlyReads(entry, tool)),
      fingerprint: toolStore.fingerprint(tool),
    })),
    leftOut: [...leftOut],
    changed: waiting
      .filter(one => one.server === name)
      .map(({ tool, isNew, fingerprint, changedAt, changes }) => ({
        name: tool,
        kind: isNew ? ('new' as const) : ('changed' as const),
        fingerprint,
        changedAt,
        changes: [...changes],
      })),
  }
}

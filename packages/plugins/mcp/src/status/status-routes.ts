import { defineErrors, type Route, route, withTimeout } from '@sibyl/plugin'
import { z } from 'zod'
import type { ToolStore } from '../fingerprints/tool-store.ts'
import { fingerprint, mcpServerRecord } from '../records/server-record.ts'
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

const confirmation = z.object({
  tools: z
    .array(z.object({ name: z.string().min(1).max(256), fingerprint }))
    .min(1)
    .max(500),
})

/** Time that a request waits for a new connection, in milliseconds; the server is connected further in the background. */
const connectWithinMs = 10_000

/** Creates the operator's routes: states of the servers, new connections, and confirmation of changed and new tools. */
export const statusRoutes = (servers: readonly McpServer[], toolStore: ToolStore): Route[] => [
  route.get(
    '/mcp/servers',
    {
      auth: 'operator',
      summary: 'List the MCP servers with their tools and pending changes',
      ok: { 200: { description: 'The servers', schema: z.object({ servers: z.array(mcpServerRecord) }) } },
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
      const server = serverOf(servers, c.req.valid('param').name)
      const { tools } = c.req.valid('json')
      const confirmed = await toolStore.confirm(server.entry.name, tools)
      if (confirmed.length === 0)
        throw mcpErrors.mcp_tool_not_changed({ tools: tools.slice(0, 5).map(({ name }) => name) })
      await checkTools(server)
      return c.json({ confirmed: [...confirmed] }, 200)
    },
  ),
  route.post(
    '/mcp/servers/{name}/reconnect',
    {
      auth: 'operator',
      summary: 'Close the connections to an MCP server and connect again',
      description:
        'Running calls fail. A server that acts for each user is connected at the next call of each. Returns the state after at most 10 seconds.',
      params: z.object({ name: z.string().max(40) }),
      ok: { 200: { description: 'The server', schema: mcpServerRecord } },
      errors: [mcpErrors.mcp_server_unknown],
    },
    async c => {
      const server = serverOf(servers, c.req.valid('param').name)
      await withTimeout(signal => server.reconnect(signal), { timeoutMs: connectWithinMs }).catch(() => {})
      if (server.capability.state() === 'ready') await checkTools(server)
      return c.json(recordOf(server, toolStore, await toolStore.waiting()), 200)
    },
  ),
]

const serverOf = (servers: readonly McpServer[], name: string): McpServer => {
  const server = servers.find(({ entry }) => entry.name === name)
  if (!server) throw mcpErrors.mcp_server_unknown()
  return server
}

const checkTools = (server: McpServer) => Promise.all(server.links().map(link => link.check().catch(() => undefined)))

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
      description: tool.description,
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

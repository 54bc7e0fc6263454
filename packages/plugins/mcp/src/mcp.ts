import { defaultMcpLimits } from '@sibyl/mcp-client'
import { definePlugin, ToolFailure, withTimeout } from '@sibyl/plugin'
import { z } from 'zod'
import { callerRecords } from './caller-records.ts'
import { type McpTables, mcpMigrations } from './fingerprints/mcp-tables.ts'
import { createToolStore } from './fingerprints/tool-store.ts'
import { manifest } from './manifest.ts'
import { createHeldQuestions, heldPlaces } from './questions/held-questions.ts'
import { createMcpServer, type McpServer } from './servers/mcp-server.ts'
import { readServersFile } from './servers-file/read-servers-file.ts'
import { mcpStatusTool } from './status/mcp-status-tool.ts'
import { statusRoutes } from './status/status-routes.ts'
import { toolPrefix } from './tools/tool-name.ts'

const mcpEnv = z.object({
  MCP_SERVERS_FILE: z.string().optional().meta({
    description: 'A file that lists MCP servers, in the format of other hosts.',
    example: './mcp.json',
    defaultText: '`mcp.json` in the working folder, if it exists',
  }),
})

/** Time that the boot log waits for the states of the servers, in milliseconds; the oracle already accepts requests. */
const reportWithinMs = 2_000

/** Options of the plugin. */
export interface McpOptions {
  /**
   * Returns the pause before a reconnection, in milliseconds, by the number of earlier attempts.
   * @default 1 s, doubled each time, at most 60 s
   */
  readonly backOffMs?: (attempt: number) => number
}

/**
 * Adds the tools of MCP servers, each server as a capability of its own.
 *
 * @example
 * await createOracleApp({ config, plugins: [mcp()] })
 */
export const mcp = ({ backOffMs }: McpOptions = {}) =>
  definePlugin<typeof mcpEnv, McpTables>({
    name: 'mcp',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: mcpEnv,
    migrations: mcpMigrations,
    async setup({ env, variable, storage, clock, log, identity, grants, limits, background }) {
      const entries = await readServersFile({ file: env.MCP_SERVERS_FILE, variable })
      const toolStore = createToolStore(storage, clock)
      const held = createHeldQuestions(defaultMcpLimits.questionTimeoutMs, limits.places(heldPlaces))
      let isRunning = false
      const servers = entries.map(entry =>
        createMcpServer(entry, {
          toolStore,
          held,
          log,
          now: () => clock.now(),
          mayConnect: () => isRunning,
          prefixes: entries.map(({ name }) => toolPrefix(name)),
          ...(backOffMs ? { backOffMs } : {}),
          async mint(actor, request) {
            const verdict = await grants.check(actor)
            if (!verdict.holds) throw new ToolFailure(verdict.refusal.detail)
            return identity.mintInvocation({ ...request, onBehalfOf: actor })
          },
        }),
      )
      const capabilities = servers.map(({ capability }) => capability)
      if (servers.length > 0) {
        background('connections', async signal => {
          isRunning = true
          const settled = startServers(servers, signal)
          await withTimeout(() => settled, { timeoutMs: reportWithinMs, signal }).catch(() => {})
          await toolStore
            .forgetOld()
            .catch(error => log.warn('old tools of MCP servers could not be deleted', { error }))
        })
      }
      return {
        capabilities: () => capabilities,
        tools: { mcp_status: mcpStatusTool(servers, toolStore) },
        routes: statusRoutes(servers, toolStore),
        personalRecords: callerRecords(storage, servers),
        async dispose() {
          held.cancelAll()
          await Promise.all(servers.map(server => server.close()))
        },
      }
    },
  })

/** Number of servers that are connected at once during the start. */
const atOnce = 8

/** Connects the servers in order, a few at a time. Never rejects. */
const startServers = async (servers: readonly McpServer[], signal: AbortSignal): Promise<void> => {
  const waiting = servers.values()
  const work = async () => {
    for (const server of waiting) {
      if (signal.aborted) return
      await server.start(signal)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

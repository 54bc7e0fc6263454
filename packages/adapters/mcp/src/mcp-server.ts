import { camelCaseStorage, definePlugin, type EnvSchema, type Manifest } from '@sibyl/plugin'
import { createRequestRuns } from '@sibyl/plugin/host'
import { personFiles, skillLibrary } from '@sibyl/protocol'
import { mcpRoutes } from './mcp-routes.ts'
import { createSessionMessages, type McpTables, mcpMigrations } from './sessions/session-messages.ts'

/**
 * An oracle for clients of the Model Context Protocol, at `/mcp`: revision 2026-07-28, and 2025-11-25 and older with sessions.
 * The name `mcp` belongs to the plugin that connects MCP servers.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [mcpServer()] })
 */
export const mcpServer = () =>
  definePlugin<EnvSchema, McpTables>({
    name: 'mcp-server',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    migrations: mcpMigrations,
    uses: ['files', 'skills'],
    async setup(host) {
      const { oracle, turns, grants, log, clock, limits, ending } = host
      const storage = camelCaseStorage<McpTables>(host.storage)
      const now = () => clock.now()
      const messages = createSessionMessages(storage, now)
      const runs = createRequestRuns({ storage, table: 'mcp_requests', turns, now })
      const files = host.optionalService(personFiles)
      const skills = host.optionalService(skillLibrary)
      const kept = { ...(files ? { files } : {}), ...(skills ? { skills } : {}) }
      return {
        endpoint: '/mcp',
        retention: [messages.retention, runs.retention],
        personalRecords: {
          export: async () => undefined,
          async erase(did) {
            await messages.erase(did)
            await runs.erase(did)
          },
        },
        routes: mcpRoutes({ oracle, turns, grants, log, clock, limits, ending, messages, runs, ...kept }),
      }
    },
  })

const manifest: Manifest = {
  title: 'MCP server',
  summary: 'Clients of the Model Context Protocol: tools, turns, resources and prompts at /mcp.',
  whenToUse: ['a client that speaks the Model Context Protocol connects'],
}

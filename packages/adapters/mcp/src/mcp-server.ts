import { definePlugin, type Manifest } from '@sibyl/plugin'
import { personFiles, skillLibrary } from '@sibyl/protocol'
import { mcpRoutes } from './mcp-routes.ts'

/**
 * An oracle for clients of the Model Context Protocol, at `/mcp`: revision 2026-07-28, and 2025-11-25 and older with sessions.
 * The name `mcp` belongs to the plugin that connects MCP servers.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [mcpServer()] })
 */
export const mcpServer = () =>
  definePlugin({
    name: 'mcp-server',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    uses: ['files', 'skills'],
    setup(host) {
      const { oracle, turns, grants, log, clock, limits, ending } = host
      const files = host.optionalService(personFiles)
      const skills = host.optionalService(skillLibrary)
      const kept = { ...(files ? { files } : {}), ...(skills ? { skills } : {}) }
      return {
        endpoint: '/mcp',
        routes: mcpRoutes({ oracle, turns, grants, log, clock, limits, ending, ...kept }),
      }
    },
  })

const manifest: Manifest = {
  title: 'MCP server',
  summary: 'Clients of the Model Context Protocol: tools, turns, resources and prompts at /mcp.',
  whenToUse: ['a client that speaks the Model Context Protocol connects'],
}

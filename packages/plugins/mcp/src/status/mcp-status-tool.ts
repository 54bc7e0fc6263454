import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { ToolStore } from '../fingerprints/tool-store.ts'
import type { LeftOutTool } from '../links/select-tools.ts'
import type { McpServer } from '../servers/mcp-server.ts'
import { changedMembers, reportLine, serverReport } from './server-report.ts'

/** Maximum number of reported left-out tools per server. */
const maxLeftOut = 20

export const mcpStatusTool = (servers: readonly McpServer[], toolStore: ToolStore) =>
  defineTool({
    description:
      'Reports the MCP servers of this oracle: state, number of tools, and tools that are left out or rejected, with reasons.',
    effect: 'read',
    input: z.object({}),
    async execute(_, { turn }) {
      const reports = servers.map(server => serverReport(server, server.linkOf(turn.actor.did)))
      const waiting = reports.some(({ changed }) => changed.length > 0) ? await toolStore.waiting() : []
      const members = (server: string, tool: string) => waiting.find(one => one.server === server && one.tool === tool)
      return {
        summary: summaryOf(reports.map(reportLine)),
        servers: reports.map(({ leftOut, changed, added, ...report }) => ({
          ...report,
          ...(leftOut.length > 0
            ? { leftOut: leftOut.slice(0, maxLeftOut).map(shown), leftOutInAll: leftOut.length }
            : {}),
          ...(changed.length > 0
            ? {
                changed: changed.map(tool => {
                  const change = members(report.name, tool)
                  return { tool, ...(change ? { what: changedMembers(change) } : {}) }
                }),
              }
            : {}),
          ...(added.length > 0 ? { new: added } : {}),
        })),
      }
    },
  })

/** An invalid name, such as a sentence, is shown to the operator only. */
const shown = ({ name, fault }: LeftOutTool): LeftOutTool => ({
  name: /^[\w./-]{1,128}$/.test(name) ? name : '(invalid name)',
  fault,
})

const summaryOf = (lines: readonly string[]): string => {
  if (lines.length === 0) return 'No MCP servers are configured.'
  return `${lines.length === 1 ? '1 MCP server' : `${lines.length} MCP servers`}: ${lines.join('; ')}.`
}

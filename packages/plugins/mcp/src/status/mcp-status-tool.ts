import { defineTool } from '@sibyl/plugin'
import { z } from 'zod'
import type { ToolBook } from '../fingerprints/tool-book.ts'
import type { LeftOutTool } from '../links/select-tools.ts'
import type { McpServer } from '../servers/mcp-server.ts'
import { changedMembers, reportLine, serverReport } from './server-report.ts'

/** The most left-out tools of a server that are told. */
const maxLeftOut = 20

/** The tool `mcp_status`. */
export const mcpStatusTool = (servers: readonly McpServer[], book: ToolBook) =>
  defineTool({
    description:
      'How the MCP servers of this oracle are: state, number of tools, tools that are left out or refused, and why.',
    effect: 'read',
    input: z.object({}),
    async execute(_, { turn }) {
      const reports = servers.map(server => serverReport(server, server.linkOf(turn.actor.did)))
      const waiting = reports.some(({ changed }) => changed.length > 0) ? await book.waiting() : []
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

/** A name that is none, such as a sentence, is for the operator alone. */
const shown = ({ name, fault }: LeftOutTool): LeftOutTool => ({
  name: /^[\w./-]{1,128}$/.test(name) ? name : '(a name that is none)',
  fault,
})

const summaryOf = (lines: readonly string[]): string => {
  if (lines.length === 0) return 'No MCP servers are configured.'
  return `${lines.length === 1 ? '1 MCP server' : `${lines.length} MCP servers`}: ${lines.join('; ')}.`
}

import { z } from 'zod'

/** The variables of the plugin. */
export const mcpEnv = z.object({
  MCP_SERVERS_FILE: z.string().optional().meta({
    description: 'A file that lists MCP servers, in the format of other hosts.',
    example: './mcp.json',
    defaultText: '`mcp.json` in the working folder, where it is there',
  }),
})

/** What they say. */
export type McpEnv = z.output<typeof mcpEnv>

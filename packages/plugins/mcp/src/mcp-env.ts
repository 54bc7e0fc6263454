import { z } from 'zod'

export const mcpEnv = z.object({
  MCP_SERVERS_FILE: z.string().optional().meta({
    description: 'A file that lists MCP servers, in the format of other hosts.',
    example: './mcp.json',
    defaultText: '`mcp.json` in the working folder, where it is there',
  }),
})

export type McpEnv = z.output<typeof mcpEnv>

import { z } from 'zod'

/** The variables of the plugin. */
export const memoryEnv = z.object({
  MEMORY_MCP_URL: z
    .union([z.literal('embedded:'), z.url({ protocol: /^https?$/ })])
    .optional()
    .describe('`embedded:` keeps facts in the app’s database; a URL is an MCP server that keeps them'),
  MEMORY_MCP_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Bearer token of the oracle at that server', secret: true }),
  MEMORY_ENGINE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('The HTTP API of the remote memory, for export and deletion; required with a remote MEMORY_MCP_URL'),
})

/** What they say. */
export type MemoryEnv = z.output<typeof memoryEnv>

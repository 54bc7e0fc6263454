import { z } from 'zod'

/** The variables of the plugin. */
export const sandboxEnv = z.object({
  SANDBOX_MCP_URL: z
    .union([z.literal('embedded:'), z.url({ protocol: /^https?$/ })])
    .optional()
    .describe('`embedded:` runs JavaScript here; a URL is an MCP server that runs code'),
  SANDBOX_MCP_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Bearer token of the oracle at that server', secret: true }),
})

/** What they say. */
export type SandboxEnv = z.output<typeof sandboxEnv>

import { z } from 'zod'

/** The variables of the plugin. */
export const firecrawlEnv = z.object({
  FIRECRAWL_MCP_URL: z
    .union([z.literal('embedded:'), z.url({ protocol: /^https?$/ })])
    .optional()
    .describe('`embedded:` reads pages from here; a URL is a Firecrawl MCP server'),
  FIRECRAWL_MCP_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Bearer token of the oracle at that server', secret: true }),
})

/** What they say. */
export type FirecrawlEnv = z.output<typeof firecrawlEnv>

import { z } from 'zod'
import { isHostList } from './fetching/allowed-hosts.ts'

/** The variables of the plugin. */
export const firecrawlEnv = z.object({
  FIRECRAWL_MCP_URL: z
    .union([z.literal('embedded:'), z.url({ protocol: /^https?$/ })], {
      error: 'must be `embedded:` or the URL of a Firecrawl MCP server',
    })
    .optional()
    .describe('`embedded:` reads pages from here; a URL is a Firecrawl MCP server'),
  FIRECRAWL_MCP_TOKEN: z
    .string()
    .optional()
    .meta({ description: 'Bearer token of the oracle at that server', secret: true }),
  FIRECRAWL_ALLOW_PRIVATE: z
    .string()
    .refine(isHostList, { error: 'must be `true`, `false`, or hosts separated by commas' })
    .optional()
    .meta({
      description:
        'Hosts of the operator’s own network whose pages may be read, separated by commas; `true` for all of it. Anybody who talks to the oracle can read them then',
      example: 'wiki.internal,10.0.0.5:8080',
      defaultText: 'none',
    }),
  FIRECRAWL_PAGES_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe('Pages and searches that each person may have fetched in a minute'),
})

/** What they say. */
export type FirecrawlEnv = z.output<typeof firecrawlEnv>

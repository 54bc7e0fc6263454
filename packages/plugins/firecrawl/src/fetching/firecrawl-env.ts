import { mcpServiceAddress } from '@sibyl/mcp-client'
import { z } from 'zod'
import { isHostList } from './allowed-hosts.ts'

export const firecrawlEnv = z.object({
  FIRECRAWL_MCP_URL: mcpServiceAddress.optional().meta({
    description:
      'Who reads pages: `embedded:` is the oracle; a URL or `stdio:` and a command a Firecrawl MCP server. Blank is off.',
    example: 'embedded:',
  }),
  FIRECRAWL_MCP_TOKEN: z.string().optional().meta({
    description: "The oracle's bearer token at the Firecrawl server.",
    secret: true,
  }),
  FIRECRAWL_ALLOW_PRIVATE: z
    .string()
    .refine(isHostList, { error: 'must be `true`, `false`, or hosts separated by commas' })
    .optional()
    .meta({
      description:
        "Hosts of the operator's own network whose pages may be read, separated by commas; `true` for all of it. Anybody who talks to the oracle can read them then.",
      example: 'wiki.internal,10.0.0.5:8080',
      defaultText: 'none',
    }),
  FIRECRAWL_PAGES_PER_MINUTE: z.coerce.number().int().min(1).max(600).default(30).meta({
    description: 'Pages and searches that each person may have fetched in a minute.',
    example: '30',
  }),
})

export type FirecrawlEnv = z.output<typeof firecrawlEnv>

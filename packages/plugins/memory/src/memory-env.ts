import { mcpServiceAddress, serviceUrl } from '@sibyl/mcp-client'
import { z } from 'zod'

export const memoryEnv = z
  .object({
    MEMORY_MCP_URL: mcpServiceAddress.optional().meta({
      description:
        "Storage of facts: `embedded:` for the app's own database, or the URL of an MCP server (streamable HTTP). Blank disables the plugin.",
      example: 'embedded:',
    }),
    MEMORY_MCP_TOKEN: z.string().optional().meta({
      description: "The oracle's bearer token at the remote memory, for both of its URLs.",
      secret: true,
    }),
    MEMORY_ENGINE_URL: serviceUrl.optional().meta({
      description:
        'The HTTP API of the remote memory, which lists, exports and deletes facts. Required if MEMORY_MCP_URL is a URL.',
      example: 'https://memory.example.org/v1',
    }),
    MEMORY_PROMPT_TOKENS: z.coerce.number().int().min(0).max(4_000).default(400).meta({
      description: 'Most tokens that remembered facts may add to a turn, estimated; 0 adds none.',
      example: '400',
    }),
    MEMORY_FACTS_PER_PERSON: z.coerce.number().int().min(1).max(100_000).default(10_000).meta({
      description: 'Most facts that the embedded memory stores for a user.',
      example: '10000',
    }),
  })
  .refine(({ MEMORY_MCP_URL, MEMORY_ENGINE_URL }) => !isRemote(MEMORY_MCP_URL) || MEMORY_ENGINE_URL !== undefined, {
    path: ['MEMORY_ENGINE_URL'],
    message: 'must be set because MEMORY_MCP_URL is a URL',
  })

export type MemoryEnv = z.output<typeof memoryEnv>

const isRemote = (url: string | undefined): boolean => serviceUrl.safeParse(url).success

import { isServiceAddress, mcpServiceAddress, serviceUrl } from '@sibyl/mcp-client'
import { z } from 'zod'
import { type MemoryTools, memoryToolNames, serverMemoryTools } from './remote/memory-tool-names.ts'

/** Whether a remote memory can list and delete facts: by its HTTP API, or as a knowledge graph. */
const isComplete = (env: {
  readonly MEMORY_MCP_URL?: string | undefined
  readonly MEMORY_ENGINE_URL?: string | undefined
  readonly MEMORY_MCP_TOOLS?: MemoryTools | undefined
}): boolean =>
  !isServiceAddress(env.MEMORY_MCP_URL) || env.MEMORY_ENGINE_URL !== undefined || env.MEMORY_MCP_TOOLS?.kind === 'graph'

export const memoryEnv = z
  .object({
    MEMORY_MCP_URL: mcpServiceAddress.optional().meta({
      description:
        "Storage of facts: `embedded:` for the app's database, or an MCP server by URL or `stdio:` and a command. Blank is off.",
      example: 'embedded:',
    }),
    MEMORY_MCP_TOKEN: z.string().optional().meta({
      description: "The oracle's bearer token at the remote memory, for both of its URLs.",
      secret: true,
    }),
    MEMORY_MCP_TOOLS: memoryToolNames.optional().meta({
      description:
        'Names of the tools at the remote memory, as pairs; five of them for a server that keeps a knowledge graph.',
      example: serverMemoryTools,
    }),
    MEMORY_ENGINE_URL: serviceUrl.optional().meta({
      description:
        'The HTTP API of the remote memory, which lists, exports and deletes facts. A knowledge graph needs none.',
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
  .refine(isComplete, {
    path: ['MEMORY_MCP_URL'],
    message:
      'names a server that cannot list facts yet: set MEMORY_ENGINE_URL to its HTTP API, or MEMORY_MCP_TOOLS to the five tools of a knowledge graph',
  })

export type MemoryEnv = z.output<typeof memoryEnv>

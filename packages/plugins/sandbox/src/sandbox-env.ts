import { mcpServiceAddress } from '@sibyl/mcp-client'
import { z } from 'zod'
import { codeRunnerTools, sandboxToolNames } from './sandbox-tool-names.ts'

export const sandboxEnv = z.object({
  SANDBOX_MCP_URL: mcpServiceAddress.optional().meta({
    description:
      'Runner of code: `embedded:` for JavaScript in this process, or an MCP server by URL or `stdio:` and a command. Blank is off.',
    example: 'embedded:',
  }),
  SANDBOX_MCP_TOKEN: z.string().optional().meta({
    description: "The oracle's bearer token at the remote sandbox.",
    secret: true,
  }),
  SANDBOX_MCP_TOOLS: sandboxToolNames.optional().meta({
    description: 'Names of the tool and its arguments at the remote sandbox, if they differ from the contract.',
    example: codeRunnerTools,
  }),
  SANDBOX_TIME_LIMIT_SECONDS: z.coerce.number().int().min(1).max(30).default(5).meta({
    description: 'Time limit of a program in the embedded sandbox.',
    example: '5',
  }),
})

export type SandboxEnv = z.output<typeof sandboxEnv>

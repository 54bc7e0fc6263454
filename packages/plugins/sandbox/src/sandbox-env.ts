import { mcpServiceAddress } from '@sibyl/mcp-client'
import { z } from 'zod'
import { codeRunnerTools, sandboxToolNames } from './sandbox-tool-names.ts'

export const sandboxEnv = z.object({
  SANDBOX_MCP_URL: mcpServiceAddress.optional().meta({
    description:
      'Where code runs: `embedded:` is JavaScript in this process; a URL or `stdio:` and a command an MCP server. Blank is off.',
    example: 'embedded:',
  }),
  SANDBOX_MCP_TOKEN: z.string().optional().meta({
    description: "The oracle's bearer token at the remote sandbox.",
    secret: true,
  }),
  SANDBOX_MCP_TOOLS: sandboxToolNames.optional().meta({
    description:
      'Names of the tool and of its arguments at the remote sandbox, where they are not those of its contract.',
    example: codeRunnerTools,
  }),
  SANDBOX_TIME_LIMIT_SECONDS: z.coerce.number().int().min(1).max(30).default(5).meta({
    description: 'How long a program of the embedded sandbox may run.',
    example: '5',
  }),
})

export type SandboxEnv = z.output<typeof sandboxEnv>

import { z } from 'zod'

export const fingerprint = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal')
const toolViolation = z.object({ name: z.string(), fault: z.string() })

/** An MCP server with its tools: `GET /mcp/servers`. */
export const mcpServerRecord = z.object({
  name: z.string(),
  kind: z.enum(['stdio', 'http']),
  identity: z.enum(['oracle', 'caller']),
  trusted: z.boolean().meta({ description: 'Whether its statement that a tool only reads is trusted' }),
  state: z.enum(['ready', 'pending', 'degraded']),
  reason: z.string().optional(),
  server: z
    .object({ name: z.string(), version: z.string() })
    .optional()
    .meta({ description: 'Its own name and version' }),
  connections: z.int(),
  offers: z.object({ resources: z.boolean(), prompts: z.boolean() }),
  tools: z.array(
    z.object({
      name: z.string().meta({ description: "The server's own name" }),
      description: z.string(),
      offeredAs: z.string().meta({ description: 'Its name in a conversation' }),
      effect: z.enum(['read', 'write']),
      approval: z.boolean().meta({ description: 'Whether a user approves every call' }),
      fingerprint,
    }),
  ),
  leftOut: z.array(toolViolation),
  changed: z
    .array(
      z.object({
        name: z.string(),
        kind: z.enum(['changed', 'new']),
        fingerprint: fingerprint.meta({ description: 'Fingerprint of the new definition, for its confirmation' }),
        changedAt: z.int().meta({ description: 'Milliseconds since 1970' }),
        changes: z.array(z.object({ member: z.string(), before: z.unknown(), after: z.unknown() })),
      }),
    )
    .meta({ description: 'Changed or new tools that are rejected until they are confirmed' }),
})

export type McpServerRecord = z.infer<typeof mcpServerRecord>

import type { McpServerAddress } from '@sibyl/mcp-client'
import type { Manifest } from '@sibyl/plugin'
import { isRequiredAbility, manifestSchema, type RequiredAbility } from '@sibyl/plugin/host'
import { z } from 'zod'

/** Identity of the oracle at a server. */
export type ServerIdentity =
  /** The oracle itself: one connection for all callers. */
  | { readonly kind: 'oracle' }
  /** Each caller: a connection per caller, authorized by invocations for these abilities. */
  | {
      readonly kind: 'caller'
      readonly audience: string
      readonly resource: string
      readonly abilities: readonly string[]
    }

/** Tools that a user approves at every call: those that are not reads, all, none, or the named ones. */
export type ServerApproval = 'writes' | 'always' | 'never' | readonly string[]

/** A valid server of the file, with resolved references. */
export interface ServerEntry {
  /** Name of the capability: lower case, digits and single hyphens. */
  readonly name: string
  /** Name in the file. */
  readonly title: string
  readonly address: McpServerAddress
  readonly identity: ServerIdentity
  readonly approval: ServerApproval
  /** Ability that a caller needs for its tools: one of these. */
  readonly ability: RequiredAbility
  /** True if the server's `readOnlyHint` is trusted. */
  readonly trusted: boolean
  /** Names of the only tools to offer, as the server names them; undefined: all. */
  readonly tools?: readonly string[]
  /** Time limit of a call without progress. */
  readonly timeoutSeconds: number
  /** The operator's description; examples use the server's own tool names. */
  readonly manifest: Pick<Manifest, 'whenNotToUse' | 'tags' | 'examples'> & {
    readonly summary?: string
    readonly whenToUse?: readonly string[]
  }
  /** Values that must not appear in a conversation: from headers, environment and URL. */
  readonly secrets: readonly string[]
}

const text = z.string().min(1).max(4_000)
const toolNames = z.array(z.string().min(1).max(256)).max(500)
const { summary, whenToUse, whenNotToUse, tags, examples } = manifestSchema.shape

/** Sibyl's own members of a server, apart from the common format of hosts. */
const sibylMembers = z.strictObject({
  summary: summary.optional(),
  whenToUse: whenToUse.optional(),
  whenNotToUse,
  tags,
  examples,
  tools: toolNames.min(1).optional(),
  approval: z
    .union([z.enum(['writes', 'always', 'never']), toolNames], 'must be writes, always, never or a list of tools')
    .default('writes'),
  ability: z
    .union([z.string(), z.array(z.string())])
    .refine(
      isRequiredAbility,
      'must be an ability such as notes/read, or a list of at most 10 of which one is sufficient',
    )
    .optional(),
  trusted: z.boolean().default(false),
  identity: z.enum(['oracle', 'caller']).default('oracle'),
  audience: text.optional(),
  resource: text.optional(),
  abilities: z.array(text).min(1).max(20).optional(),
  timeoutSeconds: z.number().min(1).max(600).default(60),
})

/** Members of a server that this host uses. Members of other hosts are ignored. */
export const serverMembers = z.object({
  command: text.optional(),
  args: z.array(z.string().max(10_000)).max(200).default([]),
  env: z.record(z.string().min(1).max(200), z.string().max(10_000)).default({}),
  cwd: text.optional(),
  url: text.optional(),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'is not a valid header name'),
      z
        .string()
        .max(10_000)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f]*$/, 'contains a line break or another control character'),
    )
    .default({}),
  type: z.enum(['stdio', 'http', 'sse', 'streamable-http']).optional(),
  disabled: z.boolean().default(false),
  sibyl: sibylMembers.prefault({}),
})

/** A server in the file. */
export type ServerMembers = z.output<typeof serverMembers>

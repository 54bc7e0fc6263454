import type { McpServerAddress } from '@sibyl/mcp-client'
import { isRequiredAbility, type Manifest, manifestSchema, type RequiredAbility } from '@sibyl/plugin'
import { z } from 'zod'

/** Whom a server takes the oracle for. */
export type ServerIdentity =
  /** Itself: one connection for all. */
  | { readonly kind: 'oracle' }
  /** Somebody who acts for the person that asks: a connection for each of them, proved by invocations for this. */
  | {
      readonly kind: 'caller'
      readonly audience: string
      readonly resource: string
      readonly abilities: readonly string[]
    }

/** Which tools a person approves at every call: those that do not count as reads, all, none, or the named ones. */
export type ServerApproval = 'writes' | 'always' | 'never' | readonly string[]

/** One server of the file, checked and with its references filled in. */
export interface ServerEntry {
  /** Of the capability: lower case, digits and single hyphens. */
  readonly name: string
  /** As it stands in the file. */
  readonly title: string
  readonly address: McpServerAddress
  readonly identity: ServerIdentity
  readonly approval: ServerApproval
  /** What a caller needs to have its tools called: one of these. */
  readonly ability: RequiredAbility
  /** Whether the server's `readOnlyHint` counts. */
  readonly trusted: boolean
  /** The only tools to offer, by the server's own names; all where it is left out. */
  readonly tools?: readonly string[]
  /** How long a call may take without a sign of progress. */
  readonly timeoutSeconds: number
  /** What the operator says about it; tools in the examples by the server's own names. */
  readonly manifest: Pick<Manifest, 'whenNotToUse' | 'tags' | 'examples'> & {
    readonly summary?: string
    readonly whenToUse?: readonly string[]
  }
  /** Values that the server must not bring into a conversation: of headers, of its environment, of its address. */
  readonly secrets: readonly string[]
}

const text = z.string().min(1).max(4_000)
const toolNames = z.array(z.string().min(1).max(256)).max(500)
const { summary, whenToUse, whenNotToUse, tags, examples } = manifestSchema.shape

/** What is Sibyl's own in a server, so that other hosts can read the file as well. */
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
    .refine(isRequiredAbility, 'must be an ability such as notes/read, or a list of at most 10 of which one is enough')
    .optional(),
  trusted: z.boolean().default(false),
  identity: z.enum(['oracle', 'caller']).default('oracle'),
  audience: text.optional(),
  resource: text.optional(),
  abilities: z.array(text).min(1).max(20).optional(),
  timeoutSeconds: z.number().min(1).max(600).default(60),
})

/** The members of a server that count here. Others, which other hosts read, are left alone. */
export const serverMembers = z.object({
  command: text.optional(),
  args: z.array(z.string().max(10_000)).max(200).default([]),
  env: z.record(z.string().min(1).max(200), z.string().max(10_000)).default({}),
  cwd: text.optional(),
  url: text.optional(),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'is no name of a header'),
      z
        .string()
        .max(10_000)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        .regex(/^[^\u0000-\u0008\u000a-\u001f\u007f]*$/, 'has a line break or another control character'),
    )
    .default({}),
  type: z.enum(['stdio', 'http', 'sse', 'streamable-http']).optional(),
  disabled: z.boolean().default(false),
  sibyl: sibylMembers.prefault({}),
})

/** A server as it stands in the file. */
export type ServerMembers = z.output<typeof serverMembers>

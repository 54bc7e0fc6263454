import { isRequiredAbility, manifestSchema } from '@sibyl/plugin'
import { z } from 'zod'

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

import { defineTool } from '@sibyl/plugin'
import { type JsonValue, jsonPointer } from '@sibyl/protocol'
import { z } from 'zod'
import { entityInvalid } from '../errors/entities-errors.ts'
import { entityCreation } from '../records/entity-contract.ts'
import { entityType } from '../records/entity-members.ts'
import { entityName, shortened } from '../records/entity-name.ts'
import { failingSafely, type ToolDependencies } from './find-entity.ts'

/** Words after which the text no longer belongs to the type, as in 'stove for my mother'. */
const leading = /\b(?:as|at|by|called|for|from|in|me|named|of|on|to|under|with)\b/i

const maxWords = 4

/**
 * Returns a type from a user's words: 'clean cooking device' becomes `CleanCookingDevice`.
 *
 * @returns undefined if it cannot be a type
 */
export const typeName = (output: string): string | undefined => {
  const text = output.trim()
  if (/^[A-Z][\w-]*$/.test(text)) return entityType.safeParse(text).data
  if (leading.test(text) || text.split(/\s+/).length > maxWords) return undefined
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const name = words.map(word => `${word[0]!.toUpperCase()}${word.slice(1)}`).join('')
  return entityType.safeParse(name).data
}

const input = z.object({
  type: z
    .string()
    .max(64)
    .refine(text => typeName(text) !== undefined, 'must be one or a few words in Latin letters, such as cook stove')
    .describe('CookStove, Project, …'),
  protocol: z.string().max(500).optional().describe('DID of the protocol, which defines the properties'),
  properties: z.record(z.string(), z.unknown()).optional().describe('name, …'),
  relationships: z.record(z.string(), z.unknown()).optional().describe('name to DID'),
})

export const createEntityTool = ({ writer }: ToolDependencies) =>
  defineTool({
    description: 'Registers an entity; the user becomes its controller.',
    effect: 'write',
    ability: 'entities/write',
    approval: 'user',
    input,
    describe({ type, properties = {} }) {
      const name = entityName({ type, properties: properties as Record<string, JsonValue>, alsoKnownAs: [] })
      return `Register a new ${type}${name === undefined ? '' : ` called “${shortened(name, 60)}”`}. You will be its controller.`
    },
    output: z.object({ did: z.string(), type: z.string(), controller: z.string() }),
    async execute({ type, ...rest }, { turn, idempotencyKey }) {
      const creation = entityCreation.safeParse({ type: typeName(type), ...rest })
      if (!creation.success) throw entityInvalid(creation.error.issues.slice(0, 50).map(violationOf))
      const by = { did: turn.actor.did, actor: turn.actor }
      const { verifiableCredential: _, ...body } = creation.data
      const { entity } = await failingSafely(() => writer.create(body, by, idempotencyKey))
      return { did: entity.did, type: entity.type, controller: entity.controller }
    },
  })

const violationOf = ({ path, message }: z.core.$ZodIssue) => ({
  path: jsonPointer('', ...path),
  code: 'member_invalid',
  message: `${message}.`,
})

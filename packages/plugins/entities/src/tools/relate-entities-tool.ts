import { defineTool } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { failingSafely, findEntity, type ToolDependencies } from './find-entity.ts'
import { shortened } from './model-output.ts'

/** The tool `relate_entities`. */
export const relateEntitiesTool = (parts: ToolDependencies) =>
  defineTool({
    description: 'Relates an entity that the person controls to another one.',
    effect: 'write',
    ability: 'entities/write',
    approval: 'user',
    input: z.object({
      from: z.string().max(500).describe('DID'),
      relationship: z.string().min(1).max(64),
      to: z.string().max(500).describe('DID'),
    }),
    describe: ({ from, relationship, to }) =>
      `Relate ${shortened(from, 250)} to ${shortened(to, 250)} by “${relationship}”`,
    output: z.object({ from: z.string(), relationship: z.string(), to: z.string() }),
    async execute({ from, relationship, to }, { turn }) {
      const [source, target] = await Promise.all([didOf(parts, from), didOf(parts, to)])
      await failingSafely(() => parts.writer.relate(source, relationship.trim(), [target], { did: turn.actor.did }))
      return { from: source, relationship: relationship.trim(), to: target }
    },
  })

const didOf = async (parts: ToolDependencies, given: string): Promise<string> =>
  didText.safeParse(given.trim()).success ? given.trim() : (await findEntity(parts, given)).did

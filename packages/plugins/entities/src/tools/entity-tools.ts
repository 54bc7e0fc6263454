import { defineTool, type Tools } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import { shortened } from '../records/entity-name.ts'
import { createEntityTool } from './create-entity-tool.ts'
import { failingSafely, findEntity, type ToolDependencies } from './find-entity.ts'
import { getEntityTool } from './get-entity-tool.ts'
import { relatedEntitiesTool } from './related-entities-tool.ts'
import { searchEntitiesTool } from './search-entities-tool.ts'

/** Creates the agent's tools for entities. Reads include all entities; writes act as the user. */
export const entityTools = (parts: ToolDependencies): Tools => ({
  get_entity: getEntityTool(parts),
  search_entities: searchEntitiesTool(parts),
  related_entities: relatedEntitiesTool(parts),
  create_entity: createEntityTool(parts),
  relate_entities: relateEntitiesTool(parts),
})

const relateEntitiesTool = (parts: ToolDependencies) =>
  defineTool({
    description: 'Relates an entity that the user controls to another one.',
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
      await failingSafely(() =>
        parts.writer.relate(source, relationship.trim(), [target], { did: turn.actor.did, actor: turn.actor }),
      )
      return { from: source, relationship: relationship.trim(), to: target }
    },
  })

const didOf = async (parts: ToolDependencies, given: string): Promise<string> =>
  didText.safeParse(given.trim()).success ? given.trim() : (await findEntity(parts, given)).did

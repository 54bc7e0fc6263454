import { defineTool, personalAbility } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { z } from 'zod'
import type { EntityReader } from '../reading/entity-reader.ts'
import { entityName } from '../records/entity-name.ts'
import type { EntityHit } from '../records/found-records.ts'
import type { EntitySearch } from '../search/entity-search.ts'
import type { ToolDependencies } from './find-entity.ts'
import { firstThatFit, maxOutput } from './model-output.ts'

const found = z.object({
  name: z.string().optional(),
  type: z.string(),
  did: z.string(),
  /** Words around the match. */
  says: z.string().optional(),
  /** Host of the index, if it is a remote one. */
  source: z.string().optional(),
})

export const searchEntitiesTool = ({ search, reader }: ToolDependencies) =>
  defineTool({
    description: 'Finds registered entities by words and type; without either, returns the newest.',
    effect: 'read',
    ability: ['entities/read', personalAbility],
    input: z.object({
      query: z.string().max(500).optional(),
      type: z.string().max(100).optional().describe('CookStove'),
      protocol: z.string().max(500).optional().describe('DID'),
      limit: z.int().min(1).max(20).optional(),
    }),
    output: z.object({ entities: z.array(found), more: z.number().optional(), incomplete: z.string().optional() }),
    async execute({ query = '', type = '', protocol = '', limit = 5 }) {
      const { hits, incomplete } =
        `${query}${type}${protocol}`.trim() === ''
          ? await newest(reader, limit)
          : await search.search({
              query,
              limit,
              ...(type.trim() === '' ? {} : { type }),
              ...(didText.safeParse(protocol).success ? { protocol } : {}),
            })
      const entities = hits.map(entityOf)
      const { shown, more } = firstThatFit(entities, maxOutput - 200)
      return {
        entities: [...shown],
        more,
        incomplete,
      }
    },
  })

const newest = async (
  reader: Pick<EntityReader, 'list' | 'records'>,
  limit: number,
): Promise<Awaited<ReturnType<EntitySearch['search']>>> => {
  const { entities } = await reader.list({ status: 'active' }, limit)
  const records = await reader.records(entities)
  return { hits: records.map(entity => ({ source: 'local', did: entity.did, type: entity.type, entity })) }
}

const entityOf = ({ did, type, excerpt, source, entity }: EntityHit): z.infer<typeof found> => {
  const name = entity && entityName(entity)
  const text = excerpt === undefined || (name && excerpt.endsWith(name)) ? undefined : excerpt
  return {
    name,
    type,
    did,
    says: text,
    ...(source === 'local' ? {} : { source }),
  }
}

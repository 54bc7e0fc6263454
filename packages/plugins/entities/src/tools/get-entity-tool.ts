import { defineTool, personalAbility } from '@sibyl/plugin'
import { z } from 'zod'
import { findEntity } from './find-entity.ts'
import { shortEntity, shortEntityOf } from './short-entity.ts'
import type { ToolParts } from './tool-parts.ts'

/** The tool `get_entity`. */
export const getEntityTool = (parts: ToolParts) =>
  defineTool({
    description: 'One entity: type, controller, properties, relationships, credentials.',
    effect: 'read',
    ability: ['entities/read', personalAbility],
    input: z.object({ did: z.string().max(500).describe('DID, or its exact name') }),
    output: shortEntity,
    async execute({ did }) {
      const entity = await findEntity(parts, did)
      const [record] = await parts.reader.records([entity])
      return shortEntityOf(record!)
    },
  })

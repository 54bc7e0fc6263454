import type { Tools } from '@sibyl/plugin'
import { createEntityTool } from './create-entity-tool.ts'
import type { ToolDependencies } from './find-entity.ts'
import { getEntityTool } from './get-entity-tool.ts'
import { relateEntitiesTool } from './relate-entities-tool.ts'
import { relatedEntitiesTool } from './related-entities-tool.ts'
import { searchEntitiesTool } from './search-entities-tool.ts'

/** The agent's tools for entities. Reads see all entities; writes are those of the person who asks. */
export const entityTools = (parts: ToolDependencies): Tools => ({
  get_entity: getEntityTool(parts),
  search_entities: searchEntitiesTool(parts),
  related_entities: relatedEntitiesTool(parts),
  create_entity: createEntityTool(parts),
  relate_entities: relateEntitiesTool(parts),
})

import type { Graph } from '../graph/graph.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { EntitySearch } from '../search/entity-search.ts'
import type { EntityWriter } from '../writing/entity-writer.ts'

/** What the agent's tools work with. */
export interface ToolParts {
  readonly reader: Pick<EntityReader, 'find' | 'findAll' | 'byIds' | 'list' | 'records'>
  readonly writer: Pick<EntityWriter, 'create' | 'relate'>
  readonly graph: Graph
  readonly search: EntitySearch
}

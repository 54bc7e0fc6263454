import { isOracleError, isToolFailure, ToolFailure } from '@sibyl/plugin'
import { didText } from '@sibyl/protocol'
import { entitiesFailures } from '../errors/entities-errors.ts'
import type { Graph } from '../graph/graph.ts'
import type { EntityReader } from '../reading/entity-reader.ts'
import { isEntityId } from '../records/entity-did.ts'
import { entityName, shortened } from '../records/entity-name.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitySearch } from '../search/entity-search.ts'
import type { EntityWriter } from '../writing/entity-writer.ts'

export interface ToolDependencies {
  readonly reader: Pick<EntityReader, 'find' | 'findAll' | 'byIds' | 'list' | 'records'>
  readonly writer: Pick<EntityWriter, 'create' | 'relate'>
  readonly graph: Graph
  readonly search: EntitySearch
}

/**
 * Returns the entity with a DID, an id, or a unique name.
 *
 * @throws `entity_not_found`; ToolFailure `tool_failed` for a name that no entity or several have
 */
export const findEntity = async (parts: ToolDependencies, given: string): Promise<StoredEntity> => {
  const text = given.trim()
  const found = didText.safeParse(text).success
    ? await parts.reader.find(text)
    : isEntityId(text.toLowerCase())
      ? (await parts.reader.byIds([text.toLowerCase()])).get(text.toLowerCase())
      : await findByName(parts, text)
  if (found === undefined) throw entitiesFailures.entity_not_found()
  return found
}

const maxNamesakes = 10

const findByName = async ({ search, reader }: ToolDependencies, name: string): Promise<StoredEntity | undefined> => {
  const { hits } = await search.search({ query: name, limit: maxNamesakes })
  const named = hits.filter(({ entity }) => entity && entityName(entity)?.toLowerCase() === name.toLowerCase())
  const [only] = named
  if (only !== undefined && named.length === 1) return await reader.find(only.did)
  const shown = `“${shortened(name, 60)}”`
  if (named.length === 0) {
    throw new ToolFailure(`No entity has the name ${shown}. Find it with search_entities, and use its DID.`)
  }
  throw new ToolFailure(
    `${named.length} entities have the name ${shown}. Use the DID of one of them: ${listed(named)}.`,
  )
}

const listed = (hits: readonly { readonly did: string }[]): string =>
  hits
    .slice(0, 5)
    .map(({ did }) => did)
    .join(', ')

/** Runs work and turns its errors into tool failures; the texts of our own errors are safe to show. */
export const failingSafely = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (isOracleError(error) && !isToolFailure(error) && (error.status < 500 || error.status === 503)) {
      throw new ToolFailure(error.message, { cause: error })
    }
    throw error
  }
}

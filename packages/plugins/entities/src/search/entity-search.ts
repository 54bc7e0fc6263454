import { joinedWord } from '@sibyl/plugin/storage'
import { sameDid } from '@sibyl/protocol'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { EntityHit } from '../records/found-records.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import { excerptOf } from './excerpt.ts'
import { searchLocally } from './local-search.ts'
import { readQuery, type SearchQuery, type SoughtText } from './read-query.ts'
import type { RemoteAnswer, RemoteIndex } from './remote-index.ts'
import type { SearchIndex } from './search-index.ts'

export interface EntitySearch {
  /**
   * Returns the best results first; entities of this oracle come before those of a remote index. `incomplete` is set if
   * the remote index failed.
   */
  search(query: SearchQuery): Promise<{ readonly hits: readonly EntityHit[]; readonly incomplete?: string }>
}

/** Number of entities that are requested from a remote index if its results are filtered here. */
const maxRemote = 50

/** Searches the entities of this oracle and, if configured, a remote index at the same time. */
export const createEntitySearch = (
  index: SearchIndex,
  reader: Pick<EntityReader, 'byIds' | 'records'>,
  remote: RemoteIndex | undefined,
): EntitySearch => ({
  async search(query) {
    const sought = readQuery(query.query)
    const [local, elsewhere] = await Promise.all([
      searchLocally(index, reader, query, sought),
      remote && sought.words.length > 0 ? askRemote(remote, query) : nothing,
    ])
    const known = new Set(local.map(({ did }) => did))
    const others = elsewhere.hits.filter(({ did }) => !known.has(did))
    const shown = others.slice(0, Math.max(query.limit - local.length, Math.ceil(query.limit / 4)))
    const own = await hitsOf(reader, local.slice(0, query.limit - shown.length), sought)
    return {
      hits: [...own, ...shown.map(({ protocol: _, ...hit }) => hit)],
      ...(elsewhere.incomplete === undefined ? {} : { incomplete: elsewhere.incomplete }),
    }
  },
})

const nothing: RemoteAnswer = { hits: [] }

const askRemote = async (remote: RemoteIndex, { query, type, protocol, limit }: SearchQuery): Promise<RemoteAnswer> => {
  const narrowed = type !== undefined || protocol !== undefined
  const answer = await remote.search(query, narrowed ? maxRemote : Math.min(limit, maxRemote))
  const hits = answer.hits.filter(
    hit =>
      (type === undefined || joinedWord(hit.type) === joinedWord(type)) &&
      (protocol === undefined || (hit.protocol !== undefined && sameDid(hit.protocol, protocol))),
  )
  return { ...answer, hits }
}

const hitsOf = async (
  reader: Pick<EntityReader, 'records'>,
  entities: readonly StoredEntity[],
  sought: SoughtText,
): Promise<readonly EntityHit[]> => {
  const records = await reader.records(entities)
  return entities.map((entity, place) => {
    const excerpt = excerptOf(entity, sought)
    return {
      source: 'local',
      did: entity.did,
      type: entity.type,
      ...(excerpt ? { excerpt } : {}),
      entity: records[place]!,
    }
  })
}

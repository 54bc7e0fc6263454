import { joinedWord, searchWords } from '@sibyl/plugin/storage'
import { type JsonValue, sameDid } from '@sibyl/protocol'
import type { EntityReader } from '../reading/entity-reader.ts'
import type { EntityHit } from '../records/found-records.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
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

const maxLength = 120
const maxTexts = 60

/** Returns a few words around the match: `county: Kisumu`, from the entity's text with the most matching words. */
const excerptOf = (entity: StoredEntity, { words, joined }: SoughtText): string | undefined => {
  const texts = [...textsOf(entity.properties, '', 0), ...entity.alsoKnownAs.map(text => ({ name: '', text }))]
  const fits = (spoken: string) =>
    words.some(({ word, prefix }) => spoken === word || (prefix && spoken.startsWith(word))) ||
    joined.some(({ word }) => spoken === word)
  let best: { readonly text: string; readonly found: number } | undefined
  for (const { name, text } of texts.slice(0, maxTexts)) {
    const found = new Set(searchWords(text.slice(0, 1_000)).filter(fits)).size
    if (found > (best?.found ?? 0)) best = { text: labelled(name, around(text, fits)), found }
  }
  return best?.text
}

const labelled = (name: string, text: string): string => (name === '' ? text : `${name}: ${text}`)

/** Returns the text, or the part of a long text from shortly before the first matching word. */
const around = (text: string, fits: (word: string) => boolean): string => {
  const plain = text.slice(0, 1_000).replace(/\s+/g, ' ').trim()
  if (plain.length <= maxLength) return plain
  let start = 0
  for (const { 0: chunk, index } of plain.matchAll(/\S+/g)) {
    if (!searchWords(chunk).some(fits)) continue
    start = Math.max(0, Math.min(index - 30, plain.length - maxLength))
    break
  }
  const from = start === 0 ? 0 : plain.indexOf(' ', start) + 1
  return `${from > 0 ? '…' : ''}${plain.slice(from, from + maxLength)}${from + maxLength < plain.length ? '…' : ''}`
}

function* textsOf(value: JsonValue, name: string, depth: number): Generator<{ name: string; text: string }> {
  if (typeof value === 'string') yield { name, text: value }
  else if (depth < 6 && Array.isArray(value)) for (const item of value) yield* textsOf(item, name, depth + 1)
  else if (depth < 6 && typeof value === 'object' && value !== null)
    for (const [member, inner] of Object.entries(value)) yield* textsOf(inner, member, depth + 1)
}

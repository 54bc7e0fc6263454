import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import type { ChainLink } from './verify-chain.ts'

export interface LinkRange {
  readonly after?: number | undefined
  readonly before?: number | undefined
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending'
  readonly limit: number
}

/** Reads links of an entity's chain at once; use it for a few. See `chainParts` for many. */
export const readChain = async (
  read: EntitiesStorage['read'],
  { id, did }: { readonly id: string; readonly did: string },
  range: LinkRange,
): Promise<readonly ChainLink[]> => {
  const rows = await inRange(read, id, range)
    .select(['version', 'kind', 'at', 'by', 'change', 'previous_hash', 'hash', 'signature', 'signer', 'erasure'])
    .execute()
  return rows.map(({ version, kind, at, by, change, previous_hash, hash, signature, signer, erasure }) => ({
    did,
    version,
    kind,
    at: new Date(at).toISOString(),
    by,
    change,
    previousHash: previous_hash,
    hash,
    signature,
    signer,
    ...(erasure === null ? {} : { erasure }),
  }))
}

/** Returns the query of the events in a range, in order, without a selection. */
export const inRange = (
  read: EntitiesStorage['read'],
  id: string,
  { after, before, order = 'ascending', limit }: LinkRange,
) =>
  read
    .selectFrom('entities_events')
    .where('entity_id', '=', id)
    .$if(after !== undefined, query => query.where('version', '>', after ?? 0))
    .$if(before !== undefined, query => query.where('version', '<', before ?? 0))
    .orderBy('version', order === 'ascending' ? 'asc' : 'desc')
    .limit(limit)

/** Maximum number of bytes of changes in one batch; a larger change is a batch of its own. */
const partBytes = 64_000

const partLinks = 50

export interface ChainPart {
  readonly links: readonly ChainLink[]
  /** Bytes of their changes, as JSON. */
  readonly bytes: number
}

/**
 * Reads the links of a chain in batches of bounded cost, whether changes are large or small; SQLite reads the sizes
 * without reading the changes. Other requests run between two batches.
 */
export async function* chainParts(
  read: EntitiesStorage['read'],
  entity: { readonly id: string; readonly did: string },
  { limit, ...range }: LinkRange,
): AsyncGenerator<ChainPart> {
  let rest: Omit<LinkRange, 'limit'> = range
  for (let left = limit; left > 0; ) {
    const rows = await inRange(read, entity.id, { ...rest, limit: Math.min(left, partLinks) })
      .select(sql<number>`octet_length(cast(change as text))`.as('bytes'))
      .execute()
    const sizes = rows.map(({ bytes }) => bytes)
    if (sizes.length === 0) return
    for (const { count, bytes } of partsOf(sizes)) {
      const links = await readChain(read, entity, { ...rest, limit: count })
      const last = links.at(-1)
      if (last === undefined) return
      yield { links, bytes }
      rest = range.order === 'descending' ? { ...rest, before: last.version } : { ...rest, after: last.version }
      await setImmediate()
    }
    left -= sizes.length
    if (sizes.length < partLinks) return
  }
}

/** Yields the number of links and bytes of each batch. */
function* partsOf(sizes: readonly number[]): Generator<{ readonly count: number; readonly bytes: number }> {
  let [count, bytes] = [0, 0]
  for (const size of sizes) {
    if (count > 0 && bytes + size > partBytes) {
      yield { count, bytes }
      count = 0
      bytes = 0
    }
    count += 1
    bytes += size
  }
  if (count > 0) yield { count, bytes }
}

/** A page ends at this number of bytes of changes, even with few links. */
const pageBytes = 500_000

/** Reads a page of links. It may have fewer than `limit` although `more` is true. */
export const readPage = async (
  read: EntitiesStorage['read'],
  entity: { readonly id: string; readonly did: string },
  range: LinkRange,
): Promise<{ readonly parts: readonly ChainPart[]; readonly more: boolean }> => {
  const parts: ChainPart[] = []
  let [count, bytes] = [0, 0]
  for await (const part of chainParts(read, entity, range)) {
    parts.push(part)
    count += part.links.length
    bytes += part.bytes
    if (bytes >= pageBytes) break
  }
  const last = parts.at(-1)?.links.at(-1)
  if (last === undefined || (bytes < pageBytes && count < range.limit)) return { parts, more: false }
  const behind = range.order === 'descending' ? { before: last.version } : { after: last.version }
  const [next] = await inRange(read, entity.id, { ...range, ...behind, limit: 1 })
    .select('version')
    .execute()
  return { parts, more: next !== undefined }
}

/**
 * Returns the version of an entity at a time, by binary search: the times of versions never decrease.
 *
 * @param at milliseconds since 1970, inclusive
 * @returns 0 if the entity did not exist
 */
export const versionAt = async (
  read: EntitiesStorage['read'],
  { id, version, updatedAt }: { readonly id: string; readonly version: number; readonly updatedAt: number },
  at: number,
): Promise<number> => {
  if (updatedAt <= at) return version
  let [low, high] = [0, version]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const event = await read
      .selectFrom('entities_events')
      .select('at')
      .where(eb => eb.and({ entity_id: id, version: middle }))
      .executeTakeFirst()
    if (event && event.at <= at) low = middle
    else high = middle
  }
  return low
}

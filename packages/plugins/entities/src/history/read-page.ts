import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { type ChainPart, chainParts } from './chain-parts.ts'
import { inRange, type LinkRange } from './read-chain.ts'

/** A page ends once its changes have so many bytes, however few links it then has. */
const pageBytes = 500_000

/** Reads a page of links; it may have fewer than `limit` and all the same `more` behind it. */
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

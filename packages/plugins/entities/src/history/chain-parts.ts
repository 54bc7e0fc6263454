import { setImmediate } from 'node:timers/promises'
import { sql } from '@sibyl/plugin/storage'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { inRange, type LinkRange, readChain } from './read-chain.ts'
import type { ChainLink } from './verify-chain.ts'

/** The most bytes of changes in one part; a change may have 100,000, and is then a part of its own. */
const partBytes = 64_000

/** The most links in one part. */
const partLinks = 50

/** Some links of a chain in a row. */
export interface ChainPart {
  readonly links: readonly ChainLink[]
  /** Of their changes, as JSON. */
  readonly bytes: number
}

/**
 * Reads links of a chain part by part, so that a part costs the same whether changes are large or small. Other requests get
 * their turn between two parts.
 */
export async function* chainParts(
  read: EntitiesStorage['read'],
  entity: { readonly id: string; readonly did: string },
  { limit, ...range }: LinkRange,
): AsyncGenerator<ChainPart> {
  let rest: Omit<LinkRange, 'limit'> = range
  for (let left = limit; left > 0; ) {
    const sizes = await readSizes(read, entity, { ...rest, limit: Math.min(left, partLinks) })
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

/** The sizes of changes in bytes of JSON; SQLite finds them without reading the changes. */
const readSizes = async (
  read: EntitiesStorage['read'],
  { id }: { readonly id: string },
  range: LinkRange,
): Promise<readonly number[]> => {
  const rows = await inRange(read, id, range)
    .select(sql<number>`octet_length(cast(change as text))`.as('bytes'))
    .execute()
  return rows.map(({ bytes }) => bytes)
}

/** How many links each part has, and how many bytes. */
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

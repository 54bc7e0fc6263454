import { setImmediate } from 'node:timers/promises'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { type LinkRange, readChain } from './read-chain.ts'
import type { ChainLink } from './verify-chain.ts'

/** How many links are read at a time; other requests get their turn between two such reads. */
const linksAtOnce = 50

/** A page ends once its changes have so many characters, however few links it then has. */
const longestPage = 4_000_000

/** Reads a page of links; it may have fewer than `limit` and all the same `more` behind it. */
export const readPage = async (
  read: EntitiesStorage['read'],
  entity: { readonly id: string; readonly did: string },
  { limit, ...range }: LinkRange,
): Promise<{ readonly links: readonly ChainLink[]; readonly more: boolean }> => {
  const links: ChainLink[] = []
  let left = longestPage
  for (; ; await setImmediate()) {
    const wanted = Math.min(linksAtOnce, limit - links.length)
    const found = await readChain(read, entity, { ...range, ...behind(links.at(-1), range), limit: wanted + 1 })
    const taken = found.slice(0, wanted)
    links.push(...taken)
    for (const { change } of taken) left -= JSON.stringify(change).length
    if (found.length <= wanted) return { links, more: false }
    if (links.length >= limit || left <= 0) return { links, more: true }
  }
}

const behind = (last: ChainLink | undefined, { order }: Pick<LinkRange, 'order'>): Partial<LinkRange> => {
  if (last === undefined) return {}
  return order === 'descending' ? { before: last.version } : { after: last.version }
}

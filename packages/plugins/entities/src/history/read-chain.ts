import type { EntitiesStorage } from '../storage/entities-tables.ts'
import type { ChainLink } from './verify-chain.ts'

/** Which links of a chain. */
export interface LinkRange {
  /** Only later versions. */
  readonly after?: number
  /** Only earlier versions. */
  readonly before?: number
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending'
  readonly limit: number
}

/** Reads links of an entity's chain, all at once: for few. See `chainParts` for many. */
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

/** The query of the events in a range, in its order, that selects nothing yet. */
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

import type { EntitiesStorage } from '../storage/entities-tables.ts'
import type { ChainLink } from './verify-chain.ts'

/** Which links of a chain. */
export interface LinkRange {
  /** Only later versions. */
  readonly after?: number
  /** Only earlier versions. */
  readonly before?: number
  /** Only links of that time or before, in milliseconds since 1970. */
  readonly until?: number
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending'
  readonly limit: number
}

/** Reads links of an entity's chain. */
export const readChain = async (
  read: EntitiesStorage['read'],
  { id, did }: { readonly id: string; readonly did: string },
  { after, before, until, order = 'ascending', limit }: LinkRange,
): Promise<readonly ChainLink[]> => {
  const rows = await read
    .selectFrom('entities_events')
    .select(['version', 'kind', 'at', 'by', 'change', 'previous_hash', 'hash', 'signature', 'signer'])
    .where('entity_id', '=', id)
    .$if(after !== undefined, query => query.where('version', '>', after ?? 0))
    .$if(before !== undefined, query => query.where('version', '<', before ?? 0))
    .$if(until !== undefined, query => query.where('at', '<=', until ?? 0))
    .orderBy('version', order === 'ascending' ? 'asc' : 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ version, kind, at, by, change, previous_hash, hash, signature, signer }) => ({
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
  }))
}

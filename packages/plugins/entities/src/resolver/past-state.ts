import { readChain } from '../history/read-chain.ts'
import { replayEntity } from '../history/replay-entity.ts'
import type { ChainLink } from '../history/verify-chain.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'

/** Anybody may ask for the past, so that no more than so many changes are read for it. */
export const mostChanges = 1_000

/** Which state of an entity. */
export type StateAsked =
  | { readonly version: number }
  /** Milliseconds since 1970; what was changed at that time counts. */
  | { readonly at: number }

/** An entity as it was, and the change that ended that state; without one it is the present state. */
export interface PastState {
  readonly entity: StoredEntity
  readonly next?: Pick<ChainLink, 'version' | 'at'>
}

/**
 * An entity as it was, built from its chain.
 *
 * @returns undefined where it had no such state; 'too-long' where more than `mostChanges` lead to it
 */
export const pastState = async (
  read: EntitiesStorage['read'],
  entity: Pick<StoredEntity, 'id' | 'did' | 'version'>,
  asked: StateAsked,
): Promise<PastState | 'too-long' | undefined> => {
  if ('version' in asked && asked.version > entity.version) return undefined
  const range = 'version' in asked ? { before: asked.version + 1 } : { until: asked.at }
  const links = await readChain(read, entity, { ...range, limit: mostChanges + 1 })
  if (links.length > mostChanges) return 'too-long'
  const past = await replayEntity(entity.id, links, async () => 'Physical Twins')
  if (!past) return undefined
  const [next] = await readChain(read, entity, { after: past.entity.version, limit: 1 })
  return { entity: past.entity, ...(next ? { next } : {}) }
}

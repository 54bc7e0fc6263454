import type { Actor, Host, StoredSpace } from '@sibyl/plugin'
import { entitiesFailures } from '../errors/entities-errors.ts'
import type { SignedChange } from '../history/sign-links.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'

export interface StrangerSpaceDependencies {
  readonly access: Pick<Host['access'], 'mode'>
  readonly limits: Pick<Host['limits'], 'shareOf'>
  /** Maximum bytes of all strangers together; 0 means unlimited. */
  readonly total: number
}

/** Counts changes of a caller, in the transaction that writes them. @throws `entity_space_full` */
export type CountChanges = (tx: EntitiesTransaction, changes: readonly SignedChange[]) => Promise<void>

/** Returns what counts the changes of a caller; undefined for one who has no limit. */
export type StrangerSpace = (actor: Actor) => CountChanges | undefined

/**
 * Creates the limits of what strangers store in entities. With `ORACLE_ACCESS=open` anyone may write, under any number of DIDs,
 * so that each network has a share too. Callers whom the operator or a controller authorized have no limit.
 */
export const createStrangerSpace = (
  space: StoredSpace,
  { access, limits, total }: StrangerSpaceDependencies,
): StrangerSpace => {
  return actor => {
    if (access.mode === 'delegated' || total === 0) return undefined
    const { holder, network, ofAll } = limits.shareOf(actor, total)
    if (ofAll === total) return undefined
    return async (tx, changes) => {
      const bytes = changes.reduce((sum, { after, change }) => sum + jsonBytes(after) + jsonBytes(change), 0)
      await space.countStored(tx, [{ did: actor.did, holder, origin: network, bytes }])
      const full = await space.fullFor(tx, actor, 0)
      if (full !== undefined) throw fullErrors[full]()
    }
  }
}

const fullErrors = {
  all: entitiesFailures.entity_space_full,
  origin: entitiesFailures.entity_space_full_of_origin,
  holder: entitiesFailures.entity_space_full_of_holder,
} as const

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

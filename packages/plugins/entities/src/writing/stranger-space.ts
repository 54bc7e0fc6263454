import { createHash } from 'node:crypto'
import type { Actor, Host } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { entitiesFailures } from '../errors/entities-errors.ts'
import type { SignedChange } from '../history/sign-links.ts'
import type { EntitiesTransaction } from '../storage/entities-tables.ts'

/** Dependencies of `createStrangerSpace`. */
export interface StrangerSpaceDependencies {
  readonly access: Pick<Host['access'], 'mode'>
  readonly limits: Pick<Host['limits'], 'shareOf'>
  /** Maximum bytes of one caller. */
  readonly perUser: number
  /** Maximum bytes of all strangers together. */
  readonly total: number
}

/** Counts changes of a caller, in the transaction that writes them. @throws `entity_space_full` */
export type CountChanges = (tx: EntitiesTransaction, changes: readonly SignedChange[]) => Promise<void>

/** Returns what counts the changes of a caller; undefined for one who has no limit. */
export type StrangerSpace = (actor: Actor) => CountChanges | undefined

/**
 * Creates the limits of what strangers store in entities. Histories are never deleted, so the bytes of a caller only grow. With
 * `ORACLE_ACCESS=open` anyone may write, under any number of DIDs, so that each address has a share too. Callers whom the operator
 * or a controller authorized have no limit.
 */
export const createStrangerSpace =
  ({ access, limits, perUser, total }: StrangerSpaceDependencies): StrangerSpace =>
  actor => {
    if (access.mode === 'delegated' || total === 0) return undefined
    const { holder, origin, ofAll, ofOrigin } = limits.shareOf(actor, total)
    if (ofAll === total) return undefined
    return async (tx, changes) => {
      const bytes = changes.reduce((sum, { after, change }) => sum + jsonBytes(after) + jsonBytes(change), 0)
      // All first: two transactions of several writers then wait for each other in one order.
      if ((await add(tx, 'all', bytes)) > ofAll) throw entitiesFailures.entity_space_full()
      if (origin !== undefined && (await add(tx, `origin ${origin}`, bytes)) > ofOrigin) {
        throw entitiesFailures.entity_space_full_of_origin()
      }
      if ((await add(tx, `holder ${holder}`, bytes)) > perUser) throw entitiesFailures.entity_space_full_of_holder()
    }
  }

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Adds to a sum, whose name is a hash because it contains a DID or a network. @returns the sum */
const add = async (tx: EntitiesTransaction, name: string, bytes: number): Promise<number> => {
  const row = await tx
    .insertInto('entities_space')
    .values({ name: createHash('sha256').update(name).digest('hex').slice(0, 32), bytes })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ bytes: sql`entities_space.bytes + excluded.bytes` }))
    .returning('bytes')
    .executeTakeFirstOrThrow()
  return Number(row.bytes)
}

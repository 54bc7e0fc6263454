import { countedOrigins } from '@sibyl/plugin'
import { deleteInParts, sql } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import type { CreditsStorage, CreditsTransaction } from './credits-tables.ts'

/** An amount of an address, and of its site, on a UTC day. */
export interface OriginAmount {
  readonly day: string
  readonly origin: string | null
  readonly amount: Micro
}

/**
 * Reserves an amount of the share of an address or of a site in the oracle's budget if usage and reservations are below it.
 *
 * @returns undefined if it was reserved, else the usage
 */
export const reserveOfOrigin = async (
  tx: CreditsTransaction,
  { day, origin, budget, amount }: OriginAmount & { readonly origin: string; readonly budget: Micro },
): Promise<{ readonly charged: Micro } | undefined> => {
  await tx
    .insertInto('credits_origins')
    .values({ day, origin, charged: 0, reserved: 0 })
    .onConflict(conflict => conflict.columns(['day', 'origin']).doNothing())
    .execute()
  const reserved = await tx
    .updateTable('credits_origins')
    .set({ reserved: sql<bigint>`reserved + ${amount}` })
    .where(eb => eb.and({ day, origin }))
    .where(sql<boolean>`charged + reserved < ${budget}`)
    .returning('charged')
    .executeTakeFirst()
  if (reserved) return undefined
  const row = await tx
    .selectFrom('credits_origins')
    .select('charged')
    .where(eb => eb.and({ day, origin }))
    .executeTakeFirst()
  return { charged: microOf(row?.charged ?? 0) }
}

/** Adds the cost of a turn to the shares of its address. */
export const chargeOrigin = async (tx: CreditsTransaction, { day, origin, amount }: OriginAmount): Promise<void> => {
  const origins = countedOrigins(origin)
  if (origins.length === 0) return
  await tx
    .insertInto('credits_origins')
    .values(origins.map(name => ({ day, origin: name, charged: amount, reserved: 0 })))
    .onConflict(conflict =>
      conflict.columns(['day', 'origin']).doUpdateSet({ charged: sql<bigint>`credits_origins.charged + ${amount}` }),
    )
    .execute()
}

/** Releases the reservation of a turn in the shares of its address. */
export const releaseOfOrigin = async (tx: CreditsTransaction, { day, origin, amount }: OriginAmount): Promise<void> => {
  const origins = countedOrigins(origin)
  if (origins.length === 0) return
  await tx
    .updateTable('credits_origins')
    .set({ reserved: sql<bigint>`reserved - ${amount}` })
    .where('day', '=', day)
    .where('origin', 'in', origins)
    .execute()
}

/** Deletes the shares of earlier days. */
export const forgetOriginsBefore = (storage: CreditsStorage, day: string, signal: AbortSignal) =>
  deleteInParts(storage, { table: 'credits_origins', key: ['day', 'origin'], where: eb => eb('day', '<', day), signal })

import { sql } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import type { CreditsTransaction } from './credits-tables.ts'

/** Number of all people together. */
export const everybody = 0

/** Budgets of a hold, as they add up in `credits_holds`. */
export const budgetsOf = { person: 1, everybody: 2 } as const

/** An amount of a person, or of all people, on a UTC day. */
export interface DayAmount {
  readonly day: string
  readonly person: number
  readonly amount: Micro
}

/**
 * Reserves an amount of a budget if usage and reservations are below it. So concurrent turns exceed a budget by the
 * cost of one turn at most.
 *
 * @returns undefined if it was reserved, else the usage
 */
export const reserveOf = async (
  tx: CreditsTransaction,
  { day, person, budget, amount }: DayAmount & { readonly budget: Micro },
): Promise<{ readonly charged: Micro } | undefined> => {
  const reserve = () =>
    tx
      .updateTable('credits_days')
      .set({ reserved: sql<bigint>`reserved + ${amount}` })
      .where(eb => eb.and({ day, person }))
      .where(sql<boolean>`charged + reserved < ${budget}`)
      .returning('charged')
      .executeTakeFirst()
  if (await reserve()) return undefined
  await openDay(tx, day, person)
  if (await reserve()) return undefined
  const row = await tx
    .selectFrom('credits_days')
    .select('charged')
    .where(eb => eb.and({ day, person }))
    .executeTakeFirst()
  return { charged: microOf(row?.charged ?? 0) }
}

/** Adds the cost of a turn to a day with a budget. The charge is written first. */
export const chargeDay = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  const add = () => change(tx, { day, person }, { charged: sql<bigint>`charged + ${amount}` })
  if (amount !== 0n && !(await add()) && !(await openDay(tx, day, person))) await add()
}

/** Releases the reservation of a turn. The hold is deleted first. */
export const releaseReserved = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  const release = () => change(tx, { day, person }, { reserved: sql<bigint>`reserved - ${amount}` })
  if (!(await release()) && !(await openDay(tx, day, person))) await release()
}

/** Recounts a day at boot: without a budget, no usage was counted. */
export const recountDay = async (tx: CreditsTransaction, day: string): Promise<void> => {
  await tx.deleteFrom('credits_days').where('day', '=', day).execute()
}

type Added = ReturnType<typeof sql<bigint>>

/** Changes the row of a day; returns false if it does not exist. */
const change = async (
  tx: CreditsTransaction,
  { day, person }: Pick<DayAmount, 'day' | 'person'>,
  values: { readonly charged: Added } | { readonly reserved: Added },
): Promise<boolean> => {
  const row = await tx
    .updateTable('credits_days')
    .set(values)
    .where(eb => eb.and({ day, person }))
    .returning('day')
    .executeTakeFirst()
  return row !== undefined
}

/** Creates the row of a day with its usage and its reservations; returns false if another process did. */
const openDay = async (tx: CreditsTransaction, day: string, person: number): Promise<boolean> => {
  const ofPerson = person === everybody ? sql`` : sql`and person = ${person}`
  const own = person === everybody ? budgetsOf.everybody : budgetsOf.person
  const kept = [own, budgetsOf.everybody + budgetsOf.person]
  const charged = sql<bigint>`(select cast(coalesce(sum(amount), 0) as bigint) from credits_charges
    where day = ${day} ${ofPerson})`
  const reserved = sql<bigint>`(select cast(coalesce(sum(reserved), 0) as bigint) from credits_holds
    where day = ${day} and budgets in (${sql.join(kept)}) ${ofPerson})`
  const row = await tx
    .insertInto('credits_days')
    .values({ day, person, charged, reserved })
    .onConflict(conflict => conflict.columns(['day', 'person']).doNothing())
    .returning('day')
    .executeTakeFirst()
  return row !== undefined
}

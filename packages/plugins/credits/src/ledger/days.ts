import { sql } from '@sibyl/core/storage'
import { type Micro, microOf } from '../amounts.ts'
import type { CreditsTransaction } from './credits-tables.ts'

/** Stands for all persons together. Its row comes before that of a person, so that it may begin with the sum of theirs. */
export const everybody = 0

/** The budgets of which a hold keeps something free, as they add up in `credits_holds`. */
export const budgetsOf = { person: 1, everybody: 2 } as const

/** An amount of a person, or of everybody, on a day of UTC. */
export interface DayAmount {
  readonly day: string
  readonly person: number
  readonly amount: Micro
}

/**
 * Keeps so much of a budget free, where anything of it is left: what was used, and what is kept free for turns that run, is
 * below it. So it is overshot by what one turn costs at the most, however many begin at once.
 *
 * @returns undefined where it was done, else how much was used
 */
export const reserveOf = async (
  tx: CreditsTransaction,
  { day, person, budget, amount }: DayAmount & { readonly budget: Micro },
): Promise<{ readonly charged: Micro } | undefined> => {
  const reserve = () =>
    tx
      .updateTable('credits_days')
      .set({ reserved: sql<bigint>`reserved + ${amount}` })
      .where('day', '=', day)
      .where('person', '=', person)
      .where(sql<boolean>`charged + reserved < ${budget}`)
      .returning('charged')
      .executeTakeFirst()
  if (await reserve()) return undefined
  await openDay(tx, day, person)
  if (await reserve()) return undefined
  const row = await tx
    .selectFrom('credits_days')
    .select('charged')
    .where('day', '=', day)
    .where('person', '=', person)
    .executeTakeFirst()
  return { charged: microOf(row?.charged ?? 0) }
}

/** Adds what a turn cost to a day. */
export const chargeDay = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  if (amount === 0n) return
  const add = () =>
    tx
      .updateTable('credits_days')
      .set({ charged: sql<bigint>`charged + ${amount}` })
      .where('day', '=', day)
      .where('person', '=', person)
      .returning('day')
      .executeTakeFirst()
  if (await add()) return
  await openDay(tx, day, person)
  await add()
}

/** Gives back what a turn kept free. */
export const releaseReserved = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  await tx
    .updateTable('credits_days')
    .set({ reserved: sql<bigint>`reserved - ${amount}` })
    .where('day', '=', day)
    .where('person', '=', person)
    .execute()
}

/**
 * Has the day of everybody counted anew: while the oracle had no budget, nobody counted there. Before a process counts.
 */
export const recountEverybody = async (tx: CreditsTransaction, day: string): Promise<void> => {
  await tx.deleteFrom('credits_days').where('day', '=', day).where('person', '=', everybody).execute()
}

/** Begins a day; that of everybody with what each person used, and what is kept free for turns that run. */
const openDay = async (tx: CreditsTransaction, day: string, person: number): Promise<void> => {
  const isAll = person === everybody
  const charged = sql<bigint>`(select cast(coalesce(sum(charged), 0) as bigint) from credits_days where day = ${day})`
  const reserved = sql<bigint>`(select cast(coalesce(sum(reserved), 0) as bigint) from credits_holds
    where day = ${day} and budgets >= ${budgetsOf.everybody})`
  await tx
    .insertInto('credits_days')
    .values({ day, person, charged: isAll ? charged : 0, reserved: isAll ? reserved : 0 })
    .onConflict(conflict => conflict.columns(['day', 'person']).doNothing())
    .execute()
}

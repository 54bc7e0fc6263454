import { sql } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import type { CreditsTransaction } from './credits-tables.ts'

/** Stands for all persons together. */
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

/** Adds what a turn cost to a day that has a budget; its charge is written before. */
export const chargeDay = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  const add = () => change(tx, { day, person }, { charged: sql<bigint>`charged + ${amount}` })
  if (amount !== 0n && !(await add()) && !(await openDay(tx, day, person))) await add()
}

/** Gives back what a turn kept free; its hold is deleted before. */
export const releaseReserved = async (tx: CreditsTransaction, { day, person, amount }: DayAmount): Promise<void> => {
  const release = () => change(tx, { day, person }, { reserved: sql<bigint>`reserved - ${amount}` })
  if (!(await release()) && !(await openDay(tx, day, person))) await release()
}

/** Has a day counted anew: where there was no budget until now, nobody counted. At boot, before a process counts: at once. */
export const recountDay = async (tx: CreditsTransaction, day: string): Promise<void> => {
  await tx.deleteFrom('credits_days').where('day', '=', day).execute()
}

type Added = ReturnType<typeof sql<bigint>>

/** Changes the row of a day; false where there is none. */
const change = async (
  tx: CreditsTransaction,
  { day, person }: Pick<DayAmount, 'day' | 'person'>,
  values: { readonly charged: Added } | { readonly reserved: Added },
): Promise<boolean> => {
  const row = await tx
    .updateTable('credits_days')
    .set(values)
    .where('day', '=', day)
    .where('person', '=', person)
    .returning('day')
    .executeTakeFirst()
  return row !== undefined
}

/** Begins a day with what was used and what is kept free for turns that run; false where somebody else did. */
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

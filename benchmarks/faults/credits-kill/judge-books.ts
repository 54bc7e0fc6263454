import type { Snapshot } from '../entities/open-snapshot.ts'

/** The books of a database at one moment, as far as they are judged. */
export interface Books {
  /** Problems, one per line. */
  readonly amiss: readonly string[]
  /** The oracle's income, and held amounts, in millionths of a credit. */
  readonly earned: number
  readonly held: number
  readonly charges: number
  /** Turns that are over and not charged. */
  readonly uncharged: number
  /** Turns that are neither over nor reported to the plugins. */
  readonly open: number
}

/** The lines of a transaction, added up. */
const all = 'to_issued + to_unbilled + to_person + to_held + to_oracle'

/** Compares lines, balances, holds, charges and turns with each other. */
export const judgeBooks = async ({ rows }: Snapshot): Promise<Books> => {
  const one = async (statement: string) => Number((await rows<{ value: number }>(statement))[0]?.value ?? 0)
  const sumOf = (account: string) => one(`select coalesce(sum(to_${account}), 0) as value from credits_transactions`)
  const sum = await one(`select coalesce(sum(${all}), 0) as value from credits_transactions`)
  const unbalanced = await one(`select count(*) as value from credits_transactions where ${all} <> 0`)
  const available = await one('select coalesce(sum(available), 0) as value from credits_people')
  const heldOfPeople = await one('select coalesce(sum(held), 0) as value from credits_people')
  const holds = await one('select coalesce(sum(amount), 0) as value from credits_holds')
  const charged = await one('select coalesce(sum(amount), 0) as value from credits_charges')
  const [earned, held, person] = [await sumOf('oracle'), await sumOf('held'), await sumOf('person')]
  const overdrawn = await one('select count(*) as value from credits_people where available < 0')
  const amiss = [
    ...(sum === 0 ? [] : [`all lines sum to ${sum}`]),
    ...(unbalanced === 0 ? [] : [`${unbalanced} transactions do not balance`]),
    ...(available === person ? [] : [`people have ${available}, by the lines ${person}`]),
    ...(heldOfPeople === held ? [] : [`held of people is ${heldOfPeople}, by the lines ${held}`]),
    ...(holds === held ? [] : [`holds are ${holds}, by the lines ${held}`]),
    ...(charged === earned ? [] : [`charges are ${charged}, by the lines ${earned}`]),
    ...(overdrawn === 0 ? [] : [`${overdrawn} people are below 0`]),
  ]
  return {
    amiss,
    earned,
    held,
    charges: await one('select count(*) as value from credits_charges'),
    uncharged: await one(`select count(*) as value from core_turns t where t.admitted = 1 and t.status <> 'running'
      and not exists (select 1 from credits_charges c where c.turn = t.id)`),
    open: await one("select count(*) as value from core_turns where hooks_called = 0 or status = 'running'"),
  }
}

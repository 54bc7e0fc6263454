import { type Clock, utcDay } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import { type CreditsStorage, decidedByRows } from '../ledger/credits-tables.ts'
import { welcome } from '../ledger/people.ts'
import type { Policy } from '../ledger/policy.ts'

export interface AccountDependencies {
  readonly storage: CreditsStorage
  readonly policy: Policy
  readonly clock: Clock
}

/** Balance and usage of a person. */
export interface Account {
  /** Their credit, including the held amount. */
  readonly balance: Micro
  /** Held for running turns. */
  readonly held: Micro
  /** Usage today, in UTC. */
  readonly usedToday: Micro
  readonly turnsToday: number
}

/** Returns a person's account; a new person gets the default grant. */
export const readAccount = async (
  { storage, policy, clock }: Omit<AccountDependencies, 'policy'> & { readonly policy: Pick<Policy, 'grant'> },
  did: string,
): Promise<Account> => {
  const now = clock.now()
  const find = () =>
    storage.read
      .selectFrom('credits_people')
      .select(['person', 'available', 'held', 'welcomed'])
      .where('did', '=', did)
      .executeTakeFirst()
  let row = await find()
  const { grant = 0n } = policy
  if (grant > 0n && row?.welcomed !== 1) {
    await storage.write(tx => welcome(tx, did, grant, now), decidedByRows)
    row = await find()
  }
  if (!row) return { balance: 0n, held: 0n, usedToday: 0n, turnsToday: 0 }
  const today = await sumOfCharges(storage, row.person, startOfDay(now))
  const held = microOf(row.held)
  return { balance: microOf(row.available) + held, held, usedToday: today.amount, turnsToday: today.turns }
}

/** Usage in a period. */
export interface Used {
  readonly amount: Micro
  readonly turns: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const nothing: Used = { amount: 0n, turns: 0, inputTokens: 0, outputTokens: 0 }

/** Returns a person's usage in the latest UTC days, including today. */
export const usedInDays = async ({ storage, clock }: AccountDependencies, did: string, days: number): Promise<Used> => {
  const row = await storage.read.selectFrom('credits_people').select('person').where('did', '=', did).executeTakeFirst()
  return row ? sumOfCharges(storage, row.person, startOfDay(clock.now()) - (days - 1) * 86_400_000) : nothing
}

const startOfDay = (now: number): number => Date.parse(utcDay(now))

const sumOfCharges = async (storage: CreditsStorage, person: number, since: number): Promise<Used> => {
  const sum = (column: string) => sql<number>`cast(coalesce(sum(${sql.ref(column)}), 0) as bigint)`
  const row = await storage.read
    .selectFrom('credits_charges')
    .select([
      sum('amount').as('amount'),
      sum('input_tokens').as('input'),
      sum('output_tokens').as('output'),
      sql<number>`count(*)`.as('turns'),
    ])
    .where('person', '=', person)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return {
    amount: microOf(row.amount),
    turns: Number(row.turns),
    inputTokens: Number(row.input),
    outputTokens: Number(row.output),
  }
}

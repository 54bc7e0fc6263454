import { countedOrigins, utcDay } from '@sibyl/plugin'
import { sql } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import { type CreditsStorage, type CreditsTransaction, decidedByRows } from './credits-tables.ts'
import { budgetsOf, everybody, reserveOf } from './days.ts'
import { reserveOfOrigin } from './origin-days.ts'
import { welcome } from './people.ts'
import type { Policy } from './policy.ts'
import { postTransaction } from './post-transaction.ts'

/** A turn that is about to begin. */
export interface TurnToHold {
  readonly turn: string
  /** DID whose account pays. */
  readonly did: string
  /** Shares of the oracle's budget. */
  readonly share?: BudgetShare | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Limits of the oracle's budget: for all callers, and for one address. */
export interface BudgetShare {
  readonly network: string | undefined
  readonly ofAll: Micro
  readonly ofOrigin: Micro
  readonly ofSite: Micro
}

/** Reason why a turn may not begin. */
export type HoldRefusal =
  | { readonly why: 'exhausted'; readonly available: Micro; readonly needed: Micro }
  | {
      readonly why: 'budget'
      readonly whose: 'person' | 'address' | 'oracle'
      readonly budget: Micro
      readonly charged: Micro
    }

/** Rolls back the write of a rejected turn. */
class Refused extends Error {
  readonly refusal: HoldRefusal

  constructor(refusal: HoldRefusal) {
    super('refused')
    this.refusal = refusal
  }
}

/**
 * Holds the likely cost of a turn, in the person's credit and in the day's budgets: the policy's hold or the person's
 * recent cost, whichever is higher, up to the available credit. Resolves when the hold can be read, shortly before it
 * is on disk. The start of the turn is written later, so it is never on disk without the hold. A turn that continues after
 * its process ended keeps its hold.
 *
 * @returns undefined if the turn may begin
 */
export const holdTurn = (
  storage: CreditsStorage,
  policy: Policy,
  request: TurnToHold,
): Promise<HoldRefusal | undefined> => unlessRefused(storage, tx => hold(tx, policy, request))

/** A priced tool call that is about to run. */
export interface CallToHold extends Omit<TurnToHold, 'did'> {
  readonly price: Micro
}

/**
 * Holds the price of a tool call, if the hold of its turn does not cover it beside the minimum of a turn: so that calls at once
 * cannot cost more than the credit.
 *
 * @returns undefined if the call may run
 */
export const holdCall = (
  storage: CreditsStorage,
  policy: Policy,
  { turn, price, now, share }: CallToHold,
): Promise<HoldRefusal | undefined> =>
  unlessRefused(storage, async tx => {
    const held = await tx
      .updateTable('credits_holds')
      .set({ tools: sql<bigint>`coalesce(tools, 0) + ${price}`, at: now })
      .where('turn', '=', turn)
      .returning(['person', 'amount', 'reserved', 'tools', 'day'])
      .executeTakeFirst()
    if (!held) return
    const tools = microOf(held.tools ?? 0)
    const needed = policy.least + tools
    const [missing, unreserved] = [needed - microOf(held.amount), needed - microOf(held.reserved)]
    const more = policy.grant === undefined || missing < 0n ? 0n : missing
    if (more > 0n) {
      const taken = await tx
        .updateTable('credits_people')
        .set({ available: sql<bigint>`available - ${more}`, held: sql<bigint>`held + ${more}` })
        .where('person', '=', held.person)
        .where('available', '>=', more)
        .returning('person')
        .executeTakeFirst()
      if (!taken) throw await exhausted(tx, { person: held.person }, more)
    }
    const reserved =
      unreserved > 0n && (await reserve(tx, policy, { ...held, share, amount: unreserved })) > 0 ? unreserved : 0n
    if (more + reserved === 0n) return
    await tx
      .updateTable('credits_holds')
      .set({ amount: sql<bigint>`amount + ${more}`, reserved: sql<bigint>`reserved + ${reserved}` })
      .where('turn', '=', turn)
      .execute()
    await postTransaction(tx, {
      key: `hold:${turn}:${tools}`,
      kind: 'hold',
      person: held.person,
      at: now,
      lines: { person: -more, held: more },
    })
  })

/** Writes, and returns why the write was refused. Resolves shortly before it is on disk. */
const unlessRefused = async (
  storage: CreditsStorage,
  write: (tx: CreditsTransaction) => Promise<void>,
): Promise<HoldRefusal | undefined> => {
  const held = Promise.withResolvers<void>()
  storage.write(write, { ...decidedByRows, committed: () => held.resolve() }).catch(held.reject)
  try {
    await held.promise
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    throw error
  }
}

/** Reserves an amount of the budgets of the day; returns which, as `budgetsOf` adds up. */
const reserve = async (
  tx: CreditsTransaction,
  policy: Policy,
  {
    day,
    person,
    amount,
    share,
  }: Pick<TurnToHold, 'share'> & { readonly day: string; readonly person: number; readonly amount: Micro },
): Promise<number> => {
  let budgets = 0
  for (const [whose, budget] of [
    ['oracle', policy.oracleBudget === undefined ? undefined : (share?.ofAll ?? policy.oracleBudget)],
    ['person', policy.personBudget],
  ] as const) {
    if (budget === undefined) continue
    const row = whose === 'oracle' ? everybody : person
    const used = await reserveOf(tx, { day, person: row, budget, amount })
    if (used) throw new Refused({ why: 'budget', whose, budget, charged: used.charged })
    budgets += whose === 'oracle' ? budgetsOf.everybody : budgetsOf.person
  }
  if (policy.oracleBudget === undefined || share?.network === undefined) return budgets
  for (const origin of countedOrigins(share.network)) {
    const budget = origin === share.network ? share.ofOrigin : share.ofSite
    const used = await reserveOfOrigin(tx, { day, origin, budget, amount })
    if (used) throw new Refused({ why: 'budget', whose: 'address', budget, charged: used.charged })
  }
  return budgets
}

const hold = async (tx: CreditsTransaction, policy: Policy, { turn, did, share, now }: TurnToHold): Promise<void> => {
  const kept = tx.updateTable('credits_holds').set({ at: now }).where('turn', '=', turn).returning('turn')
  if (await kept.executeTakeFirst()) return
  const { person, amount } = await take(tx, policy, did, now)
  const moved = policy.grant === undefined ? 0n : amount
  const day = utcDay(now)
  const reserved = amount > 0n ? amount : 1n
  const budgets = await reserve(tx, policy, { day, person, share, amount: reserved })
  const origin = policy.oracleBudget === undefined ? undefined : share?.network
  await tx
    .insertInto('credits_holds')
    .values({
      turn,
      person,
      amount: moved,
      reserved: budgets === 0 ? 0n : reserved,
      budgets,
      origin: origin ?? null,
      day,
      at: now,
    })
    .execute()
  await postTransaction(tx, {
    key: `hold:${turn}:${now}`,
    kind: 'hold',
    person,
    at: now,
    lines: { person: -moved, held: moved },
  })
}

interface Taken {
  readonly person: number
  readonly amount: Micro
}

/** Takes a hold from the person's credit; a new person gets the default grant first. */
const take = async (tx: CreditsTransaction, policy: Policy, did: string, now: number): Promise<Taken> => {
  const taken = await tryTake(tx, policy, did)
  if (taken) return taken
  await welcome(tx, did, policy.grant ?? 0n, now)
  const again = await tryTake(tx, policy, did)
  if (again) return again
  throw await exhausted(tx, { did }, policy.hold)
}

const exhausted = async (
  tx: CreditsTransaction,
  who: { readonly did: string } | { readonly person: number },
  needed: Micro,
): Promise<Refused> => {
  const query = tx.selectFrom('credits_people').select('available')
  const row = await ('did' in who
    ? query.where('did', '=', who.did)
    : query.where('person', '=', who.person)
  ).executeTakeFirst()
  return new Refused({ why: 'exhausted', available: microOf(row?.available ?? 0), needed })
}

const tryTake = async (tx: CreditsTransaction, policy: Policy, did: string): Promise<Taken | undefined> => {
  const least = policy.hold
  const isBilled = policy.grant !== undefined
  const usual = sql<bigint>`case when typical > ${least} then typical else ${least} end`
  const within = sql<bigint>`case when ${usual} > available then available else ${usual} end`
  const changed = isBilled
    ? { last_hold: within, available: sql<bigint>`available - (${within})`, held: sql<bigint>`held + (${within})` }
    : { last_hold: usual }
  let query = tx.updateTable('credits_people').set(changed).where('did', '=', did)
  if (isBilled) query = query.where('available', '>=', least)
  // A person without the first grant gets it now, whatever other grants they have.
  if (policy.grant) query = query.where('welcomed', '=', 1)
  const row = await query.returning(['person', 'last_hold']).executeTakeFirst()
  return row && { person: row.person, amount: microOf(row.last_hold) }
}

import { holderOf, type TurnEnd, type TurnRecord, utcDay } from '@sibyl/plugin'
import { type Selectable, sql, toJson } from '@sibyl/plugin/storage'
import { type Micro, microOf } from '../definitions/amounts.ts'
import { type CreditsStorage, type CreditsTables, type CreditsTransaction, decidedByRows } from './credits-tables.ts'
import { budgetsOf, chargeDay, everybody, releaseReserved } from './days.ts'
import { chargeOrigin, releaseOfOrigin } from './origin-days.ts'
import { personOf, welcome } from './people.ts'
import { asksBefore, type Policy } from './policy.ts'
import { postTransaction } from './post-transaction.ts'

/** A completed turn and its cost. */
export interface TurnToSettle {
  readonly record: TurnRecord
  readonly end: TurnEnd
  readonly cost: Micro
  /** Milliseconds since 1970. */
  readonly now: number
}

type Hold = Pick<
  Selectable<CreditsTables['credits_holds']>,
  'person' | 'amount' | 'reserved' | 'budgets' | 'origin' | 'day'
>

/**
 * Charges a turn, once however often core reports it, and releases its hold. A cost above the hold may make the balance
 * negative. A turn without a hold is charged as well. If turns are only metered, nothing is owed.
 *
 * @returns false if it was charged before
 */
export const settleTurn = async (
  tx: CreditsTransaction,
  policy: Policy,
  { record, end, cost, now }: TurnToSettle,
): Promise<boolean> => {
  const hold = await takeHold(tx, record.id)
  const held = microOf(hold?.amount ?? 0)
  const billed = policy.grant !== undefined || held > 0n
  const holder = holderOf(record.actor)
  const person = hold?.person ?? (await payer(tx, policy, holder, now))
  const actor = holder === record.actor.did ? null : await personOf(tx, record.actor.did)
  const day = utcDay(now)
  const charge = await tx
    .insertInto('credits_charges')
    .values({
      turn: record.id,
      person,
      actor,
      at: now,
      day,
      channel: record.channel,
      model: end.model,
      input_tokens: end.usage.inputTokens,
      cached_tokens: end.usage.cachedInputTokens,
      output_tokens: end.usage.outputTokens,
      tools: toJson(end.tools),
      amount: cost,
      billed: billed ? 1 : 0,
      outcome: end.outcome,
    })
    .onConflict(conflict => conflict.column('turn').doNothing())
    .returning('turn')
    .executeTakeFirst()
  if (!charge) {
    if (hold) await giveBack(tx, record.id, hold, now)
    return false
  }
  if (billed || asksBefore(policy)) await changeBalance(tx, person, { back: billed ? held - cost : 0n, held, cost })
  if (policy.oracleBudget !== undefined) await chargeDay(tx, { day, person: everybody, amount: cost })
  if (hold) await chargeOrigin(tx, { day, origin: hold.origin, amount: cost })
  if (hold) await freeBudgets(tx, hold)
  if (policy.personBudget !== undefined) await chargeDay(tx, { day, person, amount: cost })
  await postTransaction(tx, {
    key: `charge:${record.id}`,
    kind: 'charge',
    person,
    at: now,
    lines: billed ? { held: -held, person: held - cost, oracle: cost } : { unbilled: -cost, oracle: cost },
  })
  return true
}

/**
 * Releases the hold of a turn that will not be settled.
 *
 * @returns false if it has no hold
 */
const releaseTurn = async (tx: CreditsTransaction, turn: string, now: number): Promise<boolean> => {
  const hold = await takeHold(tx, turn)
  if (!hold) return false
  await giveBack(tx, turn, hold, now)
  return true
}

const giveBack = async (tx: CreditsTransaction, turn: string, hold: Hold, now: number): Promise<void> => {
  const held = microOf(hold.amount)
  await changeBalance(tx, hold.person, { back: held, held })
  await freeBudgets(tx, hold)
  await postTransaction(tx, {
    key: `release:${turn}:${now}`,
    kind: 'release',
    person: hold.person,
    at: now,
    lines: { held: -held, person: held },
  })
}

const takeHold = (tx: CreditsTransaction, turn: string): Promise<Hold | undefined> =>
  tx
    .deleteFrom('credits_holds')
    .where('turn', '=', turn)
    .returning(['person', 'amount', 'reserved', 'budgets', 'origin', 'day'])
    .executeTakeFirst()

/** Returns the person who pays for a turn that began without a hold. */
const payer = async (tx: CreditsTransaction, { grant }: Policy, did: string, now: number): Promise<number> => {
  if (grant !== undefined) await welcome(tx, did, grant, now)
  return personOf(tx, did)
}

/** @param change.cost counts toward the person's recent cost */
const changeBalance = async (
  tx: CreditsTransaction,
  person: number,
  { back, held, cost }: { readonly back: Micro; readonly held: Micro; readonly cost?: Micro },
): Promise<void> => {
  await tx
    .updateTable('credits_people')
    .set({
      available: sql<bigint>`available + ${back}`,
      held: sql<bigint>`held - ${held}`,
      ...(cost === undefined ? {} : { typical: sql<bigint>`(typical * 3 + ${cost}) / 4` }),
    })
    .where('person', '=', person)
    .execute()
}

const freeBudgets = async (tx: CreditsTransaction, { person, reserved, budgets, origin, day }: Hold): Promise<void> => {
  const amount = microOf(reserved)
  await releaseOfOrigin(tx, { day, origin, amount })
  if (budgets >= budgetsOf.everybody) await releaseReserved(tx, { day, person: everybody, amount })
  if (budgets % budgetsOf.everybody === budgetsOf.person) await releaseReserved(tx, { day, person, amount })
}

/**
 * Time after which a hold is released if its turn was not settled, in milliseconds. A later settlement pays without the
 * hold.
 */
export const holdKeptMs = 900_000

/** Number of holds that one write releases. */
const perWrite = 100

/**
 * Releases the holds of turns that disappeared between their hold and their start.
 *
 * @param now milliseconds since 1970
 * @returns their number
 */
export const releaseHolds = async (storage: CreditsStorage, now: number, signal?: AbortSignal): Promise<number> => {
  let released = 0
  while (!signal?.aborted) {
    const rows = await storage.read
      .selectFrom('credits_holds')
      .select('turn')
      .where('at', '<', now - holdKeptMs)
      .limit(perWrite)
      .execute()
    if (rows.length === 0) break
    released += await storage.write(async tx => {
      let count = 0
      for (const { turn } of rows) if (await releaseTurn(tx, turn, now)) count += 1
      return count
    }, decidedByRows)
  }
  return released
}

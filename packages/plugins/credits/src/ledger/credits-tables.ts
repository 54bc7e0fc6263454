import { column, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { z } from 'zod'

/** People by number, so that their DID is stored once and can be removed. */
const people = defineTable('credits_people', {
  person: column.serial(),
  did: column.text().unique(),
  /** Sum of their lines in the account `person`. */
  available: column.bigInteger(),
  /** Sum of their lines in the account `held`. */
  held: column.bigInteger(),
  /** Recent cost of their turns, weighted toward the latest. */
  typical: column.bigInteger(),
  /** Amount of the last hold. */
  last_hold: column.bigInteger(),
  /** 1 after the default grant. */
  welcomed: column.integer(),
})

/** People who had the default grant before they were erased, by their `erasedMark`. */
const erased = defineTable(
  'credits_erased',
  {
    mark: column.text().primaryKey(),
  },
  { storedByKey: true },
)

/** Transactions, each with its lines in its row, which sum to 0. They never change. */
const transactions = defineTable(
  'credits_transactions',
  {
    /** `<kind>:<id>`, such as `charge:turn_…`; the key makes an event unique. */
    key: column.text().primaryKey(),
    kind: column.text<'grant' | 'hold' | 'charge' | 'release'>(),
    person: column.integer(),
    at: column.timestamp(),
    to_issued: column.bigInteger(),
    to_unbilled: column.bigInteger(),
    to_person: column.bigInteger(),
    to_held: column.bigInteger(),
    to_oracle: column.bigInteger(),
  },
  {
    checks: { credits_balanced: 'to_issued + to_unbilled + to_person + to_held + to_oracle = 0' },
    indexes: { credits_transactions_by_time: ['at', 'key'] },
    storedByKey: true,
  },
)

const grants = defineTable(
  'credits_grants',
  {
    /** Hash of the operator's idempotency key, or random. */
    id: column.text().primaryKey(),
    person: column.integer(),
    amount: column.bigInteger(),
    /** The operator's reason; blank after the person was erased. */
    reason: column.text(),
    at: column.timestamp(),
  },
  { indexes: { credits_grants_of: ['person', 'at'] } },
)

/** Holds for running turns. */
export const holds = defineTable(
  'credits_holds',
  {
    turn: column.text().primaryKey(),
    person: column.integer(),
    /** Held amount; 0 if turns are only metered. */
    amount: column.bigInteger(),
    /** Prices of the tool calls that began. */
    tools: column.bigInteger().nullable().since('0101-tools-of-holds'),
    /** Amount reserved in the day's budgets, and the budgets: 1 the person's, 2 the oracle's, 3 both. */
    reserved: column.bigInteger(),
    budgets: column.integer(),
    /** Address whose share of the oracle's budget is reserved as well. */
    origin: column.text().nullable(),
    day: column.text(),
    at: column.timestamp(),
  },
  { storedByKey: true },
)

/** Cost of each completed turn. */
const charges = defineTable(
  'credits_charges',
  {
    turn: column.text().primaryKey(),
    /** Person whose account pays. */
    person: column.integer(),
    /** Person who ran the turn, if another one pays. */
    actor: column.integer().nullable(),
    at: column.timestamp(),
    day: column.text(),
    channel: column.text(),
    model: column.text(),
    input_tokens: column.integer(),
    cached_tokens: column.integer(),
    output_tokens: column.integer(),
    /** JSON: number of runs by tool. */
    tools: column.json(z.custom<Readonly<Record<string, number>>>()),
    amount: column.bigInteger(),
    /** 0 if it was only metered. */
    billed: column.integer(),
    outcome: column.text(),
  },
  {
    indexes: {
      credits_charges_by_actor: ['actor', 'at', 'turn'],
      credits_charges_by_day: ['day', 'person', 'amount'],
      credits_charges_of: ['person', 'at', 'turn'],
    },
    storedByKey: true,
  },
)

/** Usage and reservations by UTC day: of people if they have a budget, and as person 0 of all. */
const days = defineTable(
  'credits_days',
  {
    day: column.text(),
    person: column.integer(),
    charged: column.bigInteger(),
    reserved: column.bigInteger(),
  },
  { primaryKey: ['day', 'person'], storedByKey: true },
)

/** The same by address, for the shares of the oracle's budget. */
const origins = defineTable(
  'credits_origins',
  {
    day: column.text(),
    origin: column.text(),
    charged: column.bigInteger(),
    reserved: column.bigInteger(),
  },
  { primaryKey: ['day', 'origin'], storedByKey: true },
)

export const creditsTables = [people, erased, transactions, grants, holds, charges, days, origins] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type CreditsTables = TablesOf<typeof creditsTables>

/** Accounts of the ledger, in display order. */
export const ledgerAccounts = [
  /** Granted credits; negative by the sum of the other accounts. */
  'issued',
  /** Usage while turns were only metered, which is not owed. */
  'unbilled',
  /** Credits that the transaction's person may use. */
  'person',
  /** Credits of that person that are held for running turns. */
  'held',
  /** Income of the oracle. */
  'oracle',
] as const

export type LedgerAccount = (typeof ledgerAccounts)[number]

export type CreditsStorage = Host<unknown, CreditsTables>['storage']

export type CreditsTransaction = Parameters<Parameters<CreditsStorage['write']>[0]>[0]

/** Transaction options for writes that decide by the rows that their statements change and return. */
export const decidedByRows = { isolation: 'read committed' } as const

import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'

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

/** Lines of a transaction: the amount that it adds to each account. */
type LedgerLines = { readonly [Account in LedgerAccount as `to_${Account}`]: bigint | number }

/** The tables of the plugin. Amounts are whole millionths of a credit. */
export interface CreditsTables {
  /** People by number, so that their DID is stored once and can be removed. */
  credits_people: {
    person: Generated<number>
    did: string
    /** Sum of their lines in the account `person`. */
    available: bigint | number
    /** Sum of their lines in the account `held`. */
    held: bigint | number
    /** Recent cost of their turns, weighted toward the latest. */
    typical: bigint | number
    /** Amount of the last hold. */
    last_hold: bigint | number
    /** 1 after the default grant. */
    welcomed: number
  }
  /** People who had the default grant before they were erased, by their `erasedMark`. */
  credits_erased: { mark: string }
  /** Transactions, each with its lines in its row, which sum to 0. They never change. */
  credits_transactions: LedgerLines & {
    /** `<kind>:<id>`, such as `charge:turn_…`; the key makes an event unique. */
    key: string
    kind: 'grant' | 'hold' | 'charge' | 'release'
    person: number
    at: number
  }
  credits_grants: {
    /** Hash of the operator's idempotency key, or random. */
    id: string
    person: number
    amount: bigint | number
    /** The operator's reason; blank after the person was erased. */
    reason: string
    at: number
  }
  /** Holds for running turns. */
  credits_holds: {
    turn: string
    person: number
    /** Held amount; 0 if turns are only metered. */
    amount: bigint | number
    /** Amount reserved in the day's budgets, and the budgets: 1 the person's, 2 the oracle's, 3 both. */
    reserved: bigint | number
    budgets: number
    /** Address whose share of the oracle's budget is reserved as well. */
    origin: string | null
    day: string
    at: number
  }
  /** Cost of each completed turn. */
  credits_charges: {
    turn: string
    /** Person whose account pays. */
    person: number
    /** Person who ran the turn, if another one pays. */
    actor: number | null
    at: number
    day: string
    channel: string
    model: string
    input_tokens: number
    cached_tokens: number
    output_tokens: number
    /** JSON: number of runs by tool. */
    tools: JsonColumn<Readonly<Record<string, number>>>
    amount: bigint | number
    /** 0 if it was only metered. */
    billed: number
    outcome: string
  }
  /** Usage and reservations by UTC day: of people if they have a budget, and as person 0 of all. */
  credits_days: {
    day: string
    person: number
    charged: bigint | number
    reserved: bigint | number
  }
  /** The same by address, for the shares of the oracle's budget. */
  credits_origins: {
    day: string
    origin: string
    charged: bigint | number
    reserved: bigint | number
  }
}

export type CreditsStorage = Host<unknown, CreditsTables>['storage']

export type CreditsTransaction = Parameters<Parameters<CreditsStorage['write']>[0]>[0]

/** Transaction options for writes that decide by the rows that their statements change and return. */
export const decidedByRows = { isolation: 'read committed' } as const

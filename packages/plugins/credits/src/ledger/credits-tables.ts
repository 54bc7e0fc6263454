import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'

/** Where a line of a transaction is booked, in the order in which lines are shown. */
export const ledgerAccounts = [
  /** What was granted; below 0 by as much as there is elsewhere. */
  'issued',
  /** What was used while turns were only metered, which nobody owes. */
  'unbilled',
  /** What the transaction's person may use. */
  'person',
  /** What is held of that person for turns that run. */
  'held',
  /** What the oracle earned. */
  'oracle',
] as const

export type LedgerAccount = (typeof ledgerAccounts)[number]

/** What a transaction adds to each account: its lines. */
type LedgerLines = { readonly [Account in LedgerAccount as `to_${Account}`]: bigint | number }

/** The tables of the plugin. Amounts are whole millionths of a credit. */
export interface CreditsTables {
  /** People by number, so that their DID stands once and can be taken out. */
  credits_people: {
    person: Generated<number>
    did: string
    /** The sum of their lines at `person`. */
    available: bigint | number
    /** The sum of their lines at `held`. */
    held: bigint | number
    /** What their turns cost lately, the last ones counting most. */
    typical: bigint | number
    /** How much was held last. */
    last_hold: bigint | number
    /** 1 once they have had the default grant. */
    welcomed: number
  }
  /** Who had the default grant before they were erased, by their `erasedMark`. */
  credits_erased: { mark: string }
  /** Each with its lines in its row, which sum to 0. Nothing of it is ever changed. */
  credits_transactions: LedgerLines & {
    /** `<kind>:<id>`, such as `charge:turn_…`: what must not happen twice has one key. */
    key: string
    kind: 'grant' | 'hold' | 'charge' | 'release'
    person: number
    at: number
  }
  credits_grants: {
    /** A hash of the operator's idempotency key, or of chance. */
    id: string
    person: number
    amount: bigint | number
    /** What the operator said; blank once the person was erased. */
    reason: string
    at: number
  }
  /** What is held for turns that run. */
  credits_holds: {
    turn: string
    person: number
    /** What was booked as held; 0 where turns are only metered. */
    amount: bigint | number
    /** How much of the day's budgets is kept free, and of which: 1 the person's, 2 the oracle's, 3 both. */
    reserved: bigint | number
    budgets: number
    /** The address whose share of the oracle's budget is kept free as well. */
    origin: string | null
    day: string
    at: number
  }
  /** What each turn that is over cost. */
  credits_charges: {
    turn: string
    /** Whose account paid. */
    person: number
    /** Whose turn it was, where another one pays. */
    actor: number | null
    at: number
    day: string
    channel: string
    model: string
    input_tokens: number
    cached_tokens: number
    output_tokens: number
    /** JSON: how often each tool ran. */
    tools: JsonColumn<Readonly<Record<string, number>>>
    amount: bigint | number
    /** 0 where it was only metered. */
    billed: number
    outcome: string
  }
  /** What was used in a day of UTC, and what is kept free: of persons where they have a budget, as person 0 of all. */
  credits_days: {
    day: string
    person: number
    charged: bigint | number
    reserved: bigint | number
  }
  /** The same of addresses, which have a share of the oracle's budget. */
  credits_origins: {
    day: string
    origin: string
    charged: bigint | number
    reserved: bigint | number
  }
}

export type CreditsStorage = Host<unknown, CreditsTables>['storage']

export type CreditsTransaction = Parameters<Parameters<CreditsStorage['write']>[0]>[0]

/** Each write decides by what its statements change and return. */
export const decidedByRows = { isolation: 'read committed' } as const

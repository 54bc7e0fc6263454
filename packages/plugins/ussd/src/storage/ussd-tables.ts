import type { Host } from '@sibyl/plugin'

/** Tables of the plugin. */
export type UssdTables = SessionTables & CustomerTables & QuestionTables

/** Storage with the plugin's tables. */
export type UssdStorage = Host<unknown, UssdTables>['storage']

/** A transaction of `UssdStorage.write`. */
export type WriteTransaction = Parameters<Parameters<UssdStorage['write']>[0]>[0]

export interface SessionTables {
  ussd_sessions: SessionTable
}

/** A session. Input, replies and phone number are sealed. */
export interface SessionTable {
  /** A keyed hash over provider, session id, phone number and base service code. */
  readonly key: string
  readonly session_id: string
  readonly provider: string
  /** The base code, without what was dialled behind it. */
  readonly service_code: string
  /** Sealed for `ussd_sessions.phone:<key>`. */
  readonly phone: string
  /** A keyed hash over provider, phone number and base service code; null where no call may be resumed. */
  readonly caller: string | null
  /** A `SessionRecord`, sealed for `ussd_sessions.state:<key>`. */
  readonly state: string
  readonly status: SessionStatus
  /** Number of moves: a write of move n needs n - 1. */
  readonly version: number
  readonly born_at: number
  /** Time of the caller's last input. */
  readonly updated_at: number
  readonly expires_at: number
  /** End of the lease of the process that runs this session's action; null while none runs. */
  readonly run_until: number | null
}

/** `ended`: the flow or the person ended it; `dropped`: the network did, or another call took it over. */
export type SessionStatus = 'active' | 'ended' | 'dropped'

/** Tables of customers. Times are milliseconds since 1970; `key_id` is the oldest key that a row needs. */
export interface CustomerTables {
  /** Phones that something is stored of; a row `noted:<did>` marks that they are complete for a key of the oracle. */
  ussd_people: {
    /** The pairwise DID of the phone. */
    readonly did: string
    /** Sealed phone number. */
    readonly phone: string
    readonly key_id: string
  }
  ussd_customers: {
    readonly id: string
    /** Finds the customers of a phone; several may share one. */
    readonly phone_hash: string
    /** Sealed JSON: name, e-mail, phone number. */
    readonly profile: string
    /** Sealed, with this row as its place. */
    readonly pin: string
    /** When a one-time PIN ends; null for one that the customer chose. */
    readonly pin_until: number | null
    readonly created_at: number
    readonly key_id: string
  }
  ussd_phones: {
    readonly phone_hash: string
    /** Sealed phone number. */
    readonly phone: string
    readonly language: string
    readonly updated_at: number
    readonly key_id: string
  }
  ussd_attempts: {
    /** Keyed hash of what attempts are counted for: an account, known or not, or a phone. */
    readonly subject: string
    /** Of a part, the hash of the subject that it is a part of: of an account that a phone tried, the hash of the phone. */
    readonly whole: string | null
    /** Sealed: what the hash is of. */
    readonly who: string
    /** Number of attempts ever made. */
    readonly attempts: number
    /** Up to which of them they are forgiven. */
    readonly cleared: number
    readonly last_at: number
    readonly key_id: string
  }
  ussd_reset_codes: {
    /** Keyed hash of the customer id that it was asked for, known or not. */
    readonly subject: string
    /** Sealed. */
    readonly code: string
    readonly tries: number
    readonly sent_at: number
  }
  ussd_actions: {
    readonly id: string
    readonly kind: string
    /** Finds the requests about a phone; null once it is erased, and where none is stored. */
    readonly phone_hash: string | null
    /** Sealed JSON: operator, reason, customer id, phone number. */
    readonly details: string
    /** Keyed hash of the word that confirms it; null where nothing is to be confirmed. */
    readonly confirmation: string | null
    readonly tries: number
    readonly requested_at: number
    readonly done_at: number | null
    readonly key_id: string
  }
}

export interface QuestionTables {
  /** Questions to the oracle and their answers. */
  ussd_questions: {
    /** The idempotency key it was asked with. */
    readonly id: string
    /** Keyed hash of the phone number: what export and erasure go by. */
    readonly phone_hash: string
    /** Keyed hash of phone number and customer: who may read it. */
    readonly owner_hash: string
    /** Sealed. */
    readonly question: string
    /** Sealed; null unless `outcome` is `answered`. */
    answer: string | null
    /** Null until the turn has ended. */
    outcome: 'answered' | 'failed' | 'interrupted' | null
    /** Milliseconds since 1970. */
    readonly asked_at: number
    /** Milliseconds since 1970. */
    readonly expires_at: number
  }
}

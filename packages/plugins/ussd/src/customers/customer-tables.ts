/** The tables of this room. Times are milliseconds since 1970; `key_id` is the oldest key that a row needs. */
export interface CustomerTables {
  /** Whose phone it is that something is stored of; a row `noted:<did>` says that this is complete under a key of the oracle. */
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
    /** How many were ever made. */
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
    /** Finds the requests about a phone; null once it is erased, and where none is kept. */
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

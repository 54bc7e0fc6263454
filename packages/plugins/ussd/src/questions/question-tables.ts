/** The tables of this room. */
export interface QuestionTables {
  /** Questions to the oracle and their answers, kept for a while. */
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

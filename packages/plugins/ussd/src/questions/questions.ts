import type { WriteTransaction } from '../storage/ussd-tables.ts'

/** A caller: by phone, and by account if they are signed in. */
export interface Asker {
  /** E.164 with its plus. */
  readonly phoneNumber: string
  /** Another customer on the same phone neither reads the answer nor continues the conversation. */
  readonly customerId?: string | undefined
}

export interface Question extends Asker {
  /** Text of the question. */
  readonly question: string
  /** Questions with the same key are one, also after a restart. */
  readonly idempotencyKey: string
}

/** Reason for the rejection of a question. */
export type QuestionRefusal =
  /** The previous question is still being answered. */
  | 'busy'
  /** The token budget of the day is used up. */
  | 'budget'
  /** The user has no credit left. */
  | 'credit'
  /** The oracle has no language model or no signing key. */
  | 'not-set-up'
  | 'unavailable'

export type Answer =
  /** Plain text for a phone, 1 to 600 characters. */
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: QuestionRefusal }
  /** The turn failed. */
  | { readonly kind: 'failed' }
  /** The process ended during the turn, or the turn was stopped; it may be repeated. */
  | { readonly kind: 'interrupted' }
  /** The turn did not end, and some of it may be done. */
  | { readonly kind: 'acted' }

/** An accepted question with its answer. */
export interface AnsweredQuestion {
  readonly question: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly answer: Answer
}

/** Questions of callers to the oracle, and their answers, which are stored for a limited time. */
export interface Questions {
  /**
   * Sends a question, and waits for the answer; after the wait it is available in `last`. The turn continues after the
   * call has ended, and is the same for the same key, in any process.
   */
  ask(question: Question): Promise<Answer>
  /** Returns the caller's last answered question; undefined if none is stored. */
  last(asker: Asker): Promise<AnsweredQuestion | undefined>
  export(
    phoneNumber: string,
  ): Promise<readonly { readonly question: string; readonly answer?: string; readonly askedAt: number }[]>
  erase(phoneNumber: string): (tx: WriteTransaction) => Promise<void>
}

import type { WriteTransaction } from '../storage/ussd-tables.ts'

/** A caller: by phone, and by account where they are signed in. */
export interface Asker {
  /** E.164 with its plus. */
  readonly phoneNumber: string
  /** Another customer on the same phone neither reads the answer nor goes on with the conversation. */
  readonly customerId?: string | undefined
}

export interface Question extends Asker {
  /** The person's own words. */
  readonly question: string
  /** Two questions of one key are one, also after a restart. */
  readonly idempotencyKey: string
}

/** Reason why the oracle does not take a question. */
export type QuestionRefusal =
  /** It still answers the person's last one. */
  | 'busy'
  /** The tokens of the day are used up. */
  | 'budget'
  /** The person has no credit left. */
  | 'credit'
  /** It has no language model or no signing key. */
  | 'not-set-up'
  | 'unavailable'

export type Answer =
  /** Plain text for a phone, 1 to 600 characters. */
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: QuestionRefusal }
  /** The oracle tried, and could not. */
  | { readonly kind: 'failed' }
  /** The process ended while it answered, or the turn was stopped; it may be asked again. */
  | { readonly kind: 'interrupted' }

/** A question that was taken, with its answer. */
export interface AnsweredQuestion {
  readonly question: string
  /** Milliseconds since 1970. */
  readonly askedAt: number
  readonly answer: Answer
}

/** Questions of callers to the oracle, and their answers, which are stored for a while. */
export interface Questions {
  /**
   * Asks a question, and waits for the answer; after the wait it is available in `last`. It continues after the call
   * has ended, and is one turn of the agent for the same key, in any process.
   */
  ask(question: Question): Promise<Answer>
  /** Returns the caller's last question, once it is answered; undefined where none is stored. */
  last(asker: Asker): Promise<AnsweredQuestion | undefined>
  export(
    phoneNumber: string,
  ): Promise<readonly { readonly question: string; readonly answer?: string; readonly askedAt: number }[]>
  erase(phoneNumber: string): (tx: WriteTransaction) => Promise<void>
}

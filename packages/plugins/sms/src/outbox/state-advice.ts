import type { MessageState } from '../storage/sms-tables.ts'

/** What there is to do about messages in states that do not end by themselves as one hoped. */
export type StateAdvice = Readonly<Partial<Record<MessageState, string>>>

/** What people read, of their own messages. */
export const personAdvice: StateAdvice = {
  unknown: 'The answer was lost: it may have arrived or not. Ask whoever has the phone before you send it again.',
  failed: 'It did not arrive. Check the number, and send it again if it still matters.',
  refused: 'The phone gets no SMS from here until somebody writes START on it.',
}

/** What operators read in the outbox. */
export const operatorAdvice: StateAdvice = {
  unknown:
    'The answer was lost: it may have been sent or not, and is never sent again by itself. Look in the console of the ' +
    'provider for this number at `sentAt`; where it is missing, have it sent anew.',
}

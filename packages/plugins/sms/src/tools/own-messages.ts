import { maskNumber } from '../numbers/phone-number.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import { personAdvice } from '../outbox/state-advice.ts'
import { messagesOfPerson } from '../people/messages-of-person.ts'
import type { SmsStorage } from '../storage/sms-tables.ts'

/** A message as its person sees it. */
export interface OwnMessage {
  readonly id: string
  readonly direction: 'to' | 'from'
  /** Masked. */
  readonly phone: string
  /** Missing where it is secret. */
  readonly text?: string
  readonly state: string
  /** What there is to do, where the state leaves that open. */
  readonly advice?: string
  readonly parts?: number
  readonly cost?: string
  /** ISO 8601. */
  readonly at: string
}

/** The messages of people. */
export interface OwnMessages {
  /** What a person wrote, had sent and got: the latest first. */
  of(did: string, limit: number): Promise<readonly OwnMessage[]>
}

/** Reads the messages of people. */
export const createOwnMessages = (from: {
  readonly storage: SmsStorage
  readonly numbers: SealedNumbers
}): OwnMessages => ({
  async of(did, limit) {
    const { sent, received } = await messagesOfPerson(from, did, limit)
    return [
      ...sent.map(row => ({
        at: row.created_at,
        message: {
          id: row.id,
          direction: 'to' as const,
          phone: maskNumber(row.phone),
          ...(row.sensitive ? {} : { text: row.text }),
          state: row.state,
          ...(personAdvice[row.state] === undefined ? {} : { advice: personAdvice[row.state] }),
          parts: row.parts,
          ...(row.cost === null ? {} : { cost: row.cost }),
        },
      })),
      ...received.map(row => ({
        at: row.received_at,
        message: {
          id: row.id,
          direction: 'from' as const,
          phone: maskNumber(row.phone),
          text: row.text,
          state: row.state,
        },
      })),
    ]
      .sort((one, other) => other.at - one.at)
      .slice(0, limit)
      .map(({ at, message }) => ({ ...message, at: new Date(at).toISOString() }))
  },
})

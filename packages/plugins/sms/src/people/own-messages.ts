import { z } from 'zod'
import type { InboundRow, MessageRow, MessageState, SmsStorage } from '../definitions/sms-tables.ts'
import { maskNumber } from '../numbers/phone-number.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'

/**
 * Reads the messages of a person that are not erased, the latest first, with their numbers opened.
 *
 * @param limit how many at most, each way
 */
export const messagesOfPerson = async (
  { storage, numbers }: { readonly storage: SmsStorage; readonly numbers: SealedNumbers },
  did: string,
  limit: number,
) => {
  const [sent, received] = await Promise.all([
    storage.read
      .selectFrom('sms_messages')
      .selectAll()
      .where(of => of.or([of('did', '=', did), of('cause', '=', did)]))
      .where('state', '!=', 'erased')
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute(),
    storage.read
      .selectFrom('sms_inbound')
      .selectAll()
      .where('did', '=', did)
      .where('state', '!=', 'erased')
      .orderBy('received_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute(),
  ])
  const opened = <Row extends MessageRow | InboundRow>(table: 'sms_messages' | 'sms_inbound', row: Row): Row => ({
    ...row,
    phone: numbers.open(row.phone, { table, row: row.id }) ?? '',
  })
  return {
    sent: sent.map(row => opened('sms_messages', row)),
    received: received.map(row => opened('sms_inbound', row)),
  }
}

/** Schema of a message as its person sees it. */
export const ownMessage = z.object({
  id: z.string(),
  direction: z.enum(['to', 'from']),
  phone: z.string().meta({ description: 'The number, masked' }),
  text: z.string().optional(),
  state: z.string(),
  advice: z.string().optional().meta({ description: 'What there is to do, where the state leaves that open' }),
  parts: z.int().optional(),
  cost: z.string().optional(),
  at: z.iso.datetime(),
})

export type OwnMessages = ReturnType<typeof createOwnMessages>

/** Creates the reader of the messages that a person wrote, had sent and got: the latest first. */
export const createOwnMessages = (from: { readonly storage: SmsStorage; readonly numbers: SealedNumbers }) => ({
  async of(did: string, limit: number): Promise<z.output<typeof ownMessage>[]> {
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

/** Advice about messages in states that need somebody to act. */
type StateAdvice = Readonly<Partial<Record<MessageState, string>>>

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

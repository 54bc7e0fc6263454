import { maskPhone } from '@sibyl/plugin/phones'
import { z } from 'zod'
import type { InboundRow, MessageRow, MessageState, SmsStorage } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'

/**
 * Reads the messages of a person that are not erased, latest first, with decrypted numbers.
 *
 * @param limit maximum number in each direction
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

/** Schema of a message for its user. */
export const ownMessage = z.object({
  id: z.string(),
  direction: z.enum(['to', 'from']),
  phone: z.string().meta({ description: 'The number, masked' }),
  text: z.string().optional(),
  state: z.string(),
  advice: z.string().optional().meta({ description: 'Advice, if the state needs action' }),
  parts: z.int().optional(),
  cost: z.string().optional(),
  at: z.iso.datetime(),
})

export type OwnMessages = ReturnType<typeof createOwnMessages>

/** Creates the reader of the messages that a person wrote, sent and received, latest first. */
export const createOwnMessages = (from: { readonly storage: SmsStorage; readonly numbers: SealedNumbers }) => ({
  async of(did: string, limit: number): Promise<z.output<typeof ownMessage>[]> {
    const { sent, received } = await messagesOfPerson(from, did, limit)
    return [
      ...sent.map(row => ({
        at: row.created_at,
        message: {
          id: row.id,
          direction: 'to' as const,
          phone: maskPhone(row.phone),
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
          phone: maskPhone(row.phone),
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

/** Advice about messages in states that need action. */
type StateAdvice = Readonly<Partial<Record<MessageState, string>>>

/** Advice for users about their own messages. */
const personAdvice: StateAdvice = {
  unknown: 'The response was lost, so the message may have arrived or not. Ask the recipient before you send it again.',
  failed: 'The message did not arrive. Check the number, and send it again if necessary.',
  refused: 'The phone gets no SMS from here until its owner writes START.',
}

/** Advice for operators in the outbox. */
const operatorAdvice: StateAdvice = {
  unknown:
    'The response was lost, so the message may have been sent or not. It is not sent again automatically. Check this number at `sentAt` ' +
    'in the console of the provider; if it is missing, have the message sent again.',
}

/** Returns the members of a sent message that the operator sees by its state; no text of one-time codes and erased messages. */
export const shownToOperator = (row: MessageRow, showsSecrets: boolean) => ({
  ...((row.sensitive && !showsSecrets) || row.state === 'erased' ? {} : { text: row.text }),
  ...(row.reason === null ? {} : { reason: row.reason }),
  ...(operatorAdvice[row.state] === undefined ? {} : { advice: operatorAdvice[row.state] }),
})

import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { InboundRow, MessageRow, SmsStorage } from '../storage/sms-tables.ts'

/** What a person had sent or got, and what they wrote. */
export interface MessagesOfPerson {
  readonly sent: readonly MessageRow[]
  readonly received: readonly InboundRow[]
}

/**
 * Reads the messages of a person that are not erased, the latest first, with their numbers opened.
 *
 * @param limit how many at most, each way
 */
export const messagesOfPerson = async (
  { storage, numbers }: { readonly storage: SmsStorage; readonly numbers: SealedNumbers },
  did: string,
  limit: number,
): Promise<MessagesOfPerson> => {
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

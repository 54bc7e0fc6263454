import type { PersonalRecords } from '@sibyl/core'
import type { InboundRow, MessageRow, SmsStorage } from '../storage/sms-tables.ts'
import { messagesOfPerson } from './messages-of-person.ts'
import type { SmsPeople } from './sms-people.ts'

/** The most messages of a person in an export, each way. */
const mostExported = 5_000

/**
 * What is kept of a person: their phone, what they wrote, what was sent to them and what they had sent. What is left after
 * an erasure is that a message was there, so that none is sent or answered twice, and that a phone wants nothing: a hash.
 */
export const smsRecords = (storage: SmsStorage, people: SmsPeople): PersonalRecords => ({
  async export(did) {
    const phone = await people.phoneOf(did)
    const { sent, received } = await messagesOfPerson(storage, did, mostExported)
    if (phone === undefined && sent.length === 0 && received.length === 0) return undefined
    return {
      ...(phone === undefined ? {} : { phone, wantsNothing: await people.wantsNothing(phone) }),
      sent: sent.map(sentRecord),
      received: received.map(receivedRecord),
    }
  },
  async erase(did) {
    await storage.write(
      async tx => {
        await tx
          .updateTable('sms_messages')
          .set({ phone: '', did: '', cause: null, text: '', provider_id: null, reason: null, state: 'erased' })
          .where(of => of.or([of('did', '=', did), of('cause', '=', did)]))
          .execute()
        await tx
          .updateTable('sms_inbound')
          .set({ phone: '', did: '', text: '', state: 'erased' })
          .where('did', '=', did)
          .execute()
        const phones = await tx.deleteFrom('sms_phones').where('did', '=', did).returning('phone').execute()
        for (const { phone } of phones) await tx.deleteFrom('sms_early_reports').where('phone', '=', phone).execute()
      },
      { scrub: true },
    )
  },
})

const sentRecord = ({ phone, text, sensitive, state, created_at }: MessageRow) => ({
  to: phone,
  ...(sensitive ? { secret: true } : { text }),
  state,
  at: new Date(created_at).toISOString(),
})

const receivedRecord = ({ text, state, received_at }: InboundRow) => ({
  text,
  state,
  at: new Date(received_at).toISOString(),
})

import type { Clock, PersonalRecords } from '@sibyl/plugin'
import { maskPhone } from '@sibyl/plugin/phones'
import { sql, updateInParts } from '@sibyl/plugin/storage'
import type { InboundRow, MessageRow, SmsStorage } from '../definitions/sms-tables.ts'
import type { SealedNumbers } from '../numbers/sealed-numbers.ts'
import type { LinkedPhone, LinkStore } from './link-store.ts'
import { messagesOfPerson } from './own-messages.ts'
import type { SmsPeople } from './sms-people.ts'

/** Maximum number of messages of a person in an export, in each direction. */
const maxExported = 5_000

/** Time for which the daily limits count messages, in milliseconds. */
const dayMs = 86_400_000

/** Maximum number of rows of a table with which a person is erased in one write. */
const fewRows = 200

/** Replaces a person who sent an SMS to another person and was erased. */
const erasedCause = 'erased'

export interface SmsRecordsDependencies {
  readonly storage: SmsStorage
  readonly people: SmsPeople
  readonly links: LinkStore
  readonly numbers: SealedNumbers
  readonly clock: Clock
}

/**
 * Creates the personal records: the phones of a person, and the messages that they wrote, received and sent. An erasure
 * keeps that a message existed, so that none is sent or answered twice; for a day the hash for limits; and opt-outs.
 */
export const smsRecords = ({ storage, people, links, numbers, clock }: SmsRecordsDependencies): PersonalRecords => ({
  async export(did) {
    const phone = await people.phoneOf(did)
    const linked = await links.list(did)
    const { sent, received } = await messagesOfPerson({ storage, numbers }, did, maxExported)
    if (phone === undefined && linked.length + sent.length + received.length === 0) return undefined
    return {
      ...(phone === undefined ? {} : { phone, wantsNothing: await people.wantsNothing(phone) }),
      ...(linked.length === 0 ? {} : { linkedPhones: linked.map(linkRecord) }),
      sent: sent.map(sentRecord),
      received: received.map(receivedRecord),
    }
  },
  async erase(did) {
    const isTheirs = sql<boolean>`(did = ${did} or cause = ${did})`
    const limitsCount = sql<boolean>`created_at > ${clock.now() - dayMs}`
    const erased = {
      phone: '',
      phone_hash: sql<string>`case when ${limitsCount} then phone_hash else '' end`,
      did: '',
      cause: sql<string | null>`case when ${limitsCount} and cause <> did then ${erasedCause} else null end`,
      holder: sql<string | null>`case when ${limitsCount} and holder <> ${did} then holder else null end`,
      text: '',
      provider_id: null,
      reason: null,
      state: 'erased' as const,
    }
    const erasedInbound = { phone: '', did: '', text: '', state: 'erased' as const }
    // Large tables are erased in batches; the phones of the person come last.
    const inParts = { scrub: true, leave: fewRows }
    await updateInParts(storage, { table: 'sms_messages', key: ['id'], where: () => isTheirs, set: erased, ...inParts })
    await updateInParts(storage, {
      table: 'sms_inbound',
      key: ['id'],
      where: of => of('did', '=', did),
      set: erasedInbound,
      ...inParts,
    })
    await storage.write(
      async tx => {
        await tx.updateTable('sms_messages').set(erased).where(isTheirs).execute()
        await tx.updateTable('sms_messages').set({ holder: null }).where('holder', '=', did).execute()
        await tx.updateTable('sms_inbound').set(erasedInbound).where('did', '=', did).execute()
        await tx.deleteFrom('sms_links').where('did', '=', did).execute()
        const phones = await tx.deleteFrom('sms_phones').where('did', '=', did).returning('phone').execute()
        for (const { phone: stored } of phones) {
          const phone = numbers.open(stored, { table: 'sms_phones', row: did })
          if (phone !== undefined) await tx.deleteFrom('sms_early_reports').where(numbers.isOf(phone)).execute()
        }
      },
      { scrub: true },
    )
  },
})

const linkRecord = ({ phone = '', linkedAt }: LinkedPhone) => ({
  phone: phone === '' ? maskPhone(phone) : phone,
  linkedAt: new Date(linkedAt).toISOString(),
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

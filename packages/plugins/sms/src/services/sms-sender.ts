import type { SmsSender } from '@sibyl/protocol'
import { readPhoneNumber } from '../numbers/phone-number.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { smsFailures } from '../sms-errors.ts'

/** Sends what other plugins have to tell a phone that asked for it just now: one-time codes, receipts. */
export const smsSenderOf = (outbox: Outbox): SmsSender => ({
  async send({ to, text, sensitive = false, idempotencyKey }) {
    const phone = readPhoneNumber(to)
    if (phone === undefined) throw smsFailures.sms_number_invalid()
    await outbox.take({ key: `service ${idempotencyKey}`, to: phone, text, sensitive, purpose: 'service' })
  },
})

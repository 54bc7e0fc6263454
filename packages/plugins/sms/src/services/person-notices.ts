import type { PersonNotices } from '@sibyl/protocol'
import { maskNumber, readPhoneNumber } from '../numbers/phone-number.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { SmsNumberInvalid, SmsOptedOut, SmsPhoneUnknown } from '../sms-errors.ts'

/** Notices by SMS: to the person's own phone, or to one that they named and that somebody approved. */
export const personNoticesOf = (outbox: Outbox, people: SmsPeople): PersonNotices => {
  const phoneFor = async (did: string, to: string | undefined): Promise<string> => {
    const phone = to === undefined ? await people.phoneOf(did) : readPhoneNumber(to)
    if (phone === undefined) throw to === undefined ? new SmsPhoneUnknown() : new SmsNumberInvalid()
    return phone
  }
  return {
    async addressOf({ did, to }) {
      const phone = await phoneFor(did, to)
      if (await people.wantsNothing(phone)) throw new SmsOptedOut()
      return { to: phone, shown: maskNumber(phone) }
    },
    async send({ did, to, text, idempotencyKey }) {
      const phone = await phoneFor(did, to)
      await outbox.take({ key: `notice ${did} ${idempotencyKey}`, to: phone, text, purpose: 'notice', cause: did })
    },
  }
}

import type { Clock } from '@sibyl/plugin'
import { maskPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import type { personNotices, ServiceOf, smsSender } from '@sibyl/protocol'
import { phoneNotOwn, smsFailures } from '../definitions/sms-errors.ts'
import type { SmsStorage } from '../definitions/sms-tables.ts'
import { requirePhoneNumber } from '../numbers/phone-number.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { LinkStore } from '../people/link-store.ts'
import type { SmsPeople } from '../people/sms-people.ts'

export interface NoticesDependencies {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly outbox: Outbox
  readonly people: SmsPeople
  readonly links: LinkStore
  readonly access: 'open' | 'delegated'
}

/** Reference to the phone that the person writes from. */
const ownPhone = 'own'

/** A phone, and its reference for other plugins, which never receive the number. */
interface Address {
  readonly to: string
  readonly phone: string
}

/** Creates the service of notices by SMS: to the phone that the person writes from, or to one that they linked. */
export const personNoticesOf = ({
  storage,
  clock,
  outbox,
  people,
  links,
  access,
}: NoticesDependencies): ServiceOf<typeof personNotices.sms> => {
  const namedPhone = async (did: string, to: string): Promise<Address> => {
    const phone = requirePhoneNumber(to)
    if (people.didOf(phone) === did) {
      if ((await people.phoneOf(did)) === undefined) await storage.write(tx => people.meet(phone, clock.now(), tx))
      return { to: ownPhone, phone }
    }
    const linked = await links.find(did, { phone })
    if (!linked) throw phoneNotOwn(access)
    return { to: linked.id, phone }
  }
  const firstPhone = async (did: string): Promise<Address> => {
    const phone = await people.phoneOf(did)
    if (phone !== undefined) return { to: ownPhone, phone }
    const linked = (await links.list(did)).find(link => link.phone !== undefined)
    if (linked?.phone === undefined) throw smsFailures.sms_phone_unknown()
    return { to: linked.id, phone: linked.phone }
  }
  /** Resolves an address from `addressOf`, or a number from before addresses were references. */
  const phoneAt = async (did: string, to: string): Promise<string> => {
    if (readPhoneNumber(to) !== undefined) return (await namedPhone(did, to)).phone
    const phone = to === ownPhone ? await people.phoneOf(did) : (await links.find(did, { id: to }))?.phone
    if (phone === undefined) throw smsFailures.sms_phone_unknown()
    return phone
  }
  return {
    async addressOf({ did, to }) {
      const address = to === undefined ? await firstPhone(did) : await namedPhone(did, to)
      if (await people.wantsNothing(address.phone)) throw smsFailures.sms_opted_out()
      return { to: address.to, shown: maskPhone(address.phone) }
    },
    async send({ did, actor, to, text, idempotencyKey }) {
      const phone = await phoneAt(did, to)
      const key = `notice ${did} ${idempotencyKey}`
      await outbox.take({ key, to: phone, text, purpose: 'notice', cause: did, ...(actor && { actor }) })
    },
  }
}

/** Creates the service by which other plugins send requested messages to a phone: one-time codes, receipts. */
export const smsSenderOf = (outbox: Outbox): ServiceOf<typeof smsSender> => ({
  async send({ to, text, sensitive = false, idempotencyKey }) {
    const phone = requirePhoneNumber(to)
    await outbox.take({ key: `service ${idempotencyKey}`, to: phone, text, sensitive, purpose: 'service' })
  },
})

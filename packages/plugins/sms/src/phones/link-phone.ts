import { randomInt, randomUUID } from 'node:crypto'
import type { Actor, Clock } from '@sibyl/plugin'
import type { Outbox } from '../outbox/outbox.ts'
import type { SmsPeople } from '../people/sms-people.ts'
import { SmsPhoneNotOwn, smsFailures } from '../sms-errors.ts'
import type { SmsStorage } from '../storage/sms-tables.ts'
import { linkCodeText } from './link-code-text.ts'
import { type LinkedPhone, type LinkStore, linkCodeLifeMs } from './link-store.ts'
import type { PhoneRights } from './phone-rights.ts'

/** Links phones to people who do not write from them, by a code that is sent there. */
export interface PhoneLinks {
  /**
   * Sends a code to a phone, unless it is the actor's own already.
   *
   * @throws SmsPhoneNotOwn `sms_phone_not_own`, SmsOptedOut `sms_opted_out`, SmsLimitReached `sms_limit_reached`,
   * SmsLinksFull `sms_links_full`
   */
  begin(actor: Actor, phone: string): Promise<{ readonly linked: boolean; readonly expiresAt?: number }>
  /** @throws SmsCodeInvalid `sms_code_invalid` */
  confirm(actor: Actor, phone: string, code: string): Promise<LinkedPhone>
}

export interface PhoneLinksDependencies {
  readonly storage: SmsStorage
  readonly clock: Clock
  readonly store: LinkStore
  readonly people: Pick<SmsPeople, 'didOf' | 'languageOf'>
  readonly outbox: Pick<Outbox, 'takeWithinLimits'>
  readonly rights: PhoneRights
  readonly access: 'open' | 'delegated'
  /** The oracle's name. */
  readonly name: string
}

export const createPhoneLinks = (dependencies: PhoneLinksDependencies): PhoneLinks => {
  const { storage, clock, store, people, outbox, rights, access, name } = dependencies
  return {
    async begin(actor, phone) {
      const { did } = actor
      if (await store.isOwn(did, phone)) return { linked: true }
      if (!rights.mayLink(actor)) throw new SmsPhoneNotOwn(access)
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
      const text = linkCodeText(await people.languageOf(people.didOf(phone), did), name, code)
      await storage.write(async tx => {
        await store.openCode({ did, phone, code }, tx)
        const key = `code ${randomUUID()}`
        await outbox.takeWithinLimits({ key, to: phone, text, purpose: 'code', sensitive: true, cause: did, actor }, tx)
      })
      return { linked: false, expiresAt: clock.now() + linkCodeLifeMs }
    },
    async confirm({ did }, phone, code) {
      const linked = await store.redeem({ did, phone, code })
      if (!linked) throw smsFailures.sms_code_invalid()
      return linked
    },
  }
}

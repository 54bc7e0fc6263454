import { randomInt, randomUUID } from 'node:crypto'
import type { Actor, Clock } from '@sibyl/plugin'
import { phoneNotOwn, smsFailures } from '../definitions/sms-errors.ts'
import type { SmsStorage } from '../definitions/sms-tables.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { type LinkStore, linkCodeLifeMs } from '../people/link-store.ts'
import type { PhoneRights } from '../people/phone-rights.ts'
import type { SmsPeople } from '../people/sms-people.ts'

export type PhoneLinks = ReturnType<typeof createPhoneLinks>

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

/** Creates the links of phones to people who do not write from them, by a code that is sent to the phone. */
export const createPhoneLinks = (dependencies: PhoneLinksDependencies) => {
  const { storage, clock, store, people, outbox, rights, access, name } = dependencies
  return {
    /**
     * Sends a code to a phone, unless it already belongs to the actor.
     *
     * @throws `sms_phone_not_own`, `sms_opted_out`, `sms_limit_reached`, `sms_links_full`
     */
    async begin(actor: Actor, phone: string): Promise<{ readonly linked: boolean; readonly expiresAt?: number }> {
      const { did } = actor
      if (await store.isOwn(did, phone)) return { linked: true }
      if (!rights.mayLink(actor)) throw phoneNotOwn(access)
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
      const text = linkCodeText(await people.languageOf(people.didOf(phone), did), name, code)
      await storage.write(async tx => {
        await store.openCode({ did, phone, code }, tx)
        const key = `code ${randomUUID()}`
        await outbox.takeWithinLimits({ key, to: phone, text, purpose: 'code', sensitive: true, cause: did, actor }, tx)
      })
      return { linked: false, expiresAt: clock.now() + linkCodeLifeMs }
    },
    /** @throws `sms_code_invalid` */
    async confirm({ did }: Actor, phone: string, code: string) {
      const linked = await store.redeem({ did, phone, code })
      if (!linked) throw smsFailures.sms_code_invalid()
      return linked
    },
  }
}

const texts: Readonly<Record<string, (name: string, code: string) => string>> = {
  en: (name, code) =>
    `${name}: your code is ${code}. It lets its owner send SMS to this phone. Not requested? Ignore it. STOP ends all SMS.`,
  fr: (name, code) =>
    `${name} : votre code est ${code}. Qui l'a peut faire envoyer des SMS ici. Rien demandé ? Ignorez-le. STOP arrête tout.`,
  sw: (name, code) =>
    `${name}: msimbo wako ni ${code}. Aliye nao anaweza kutuma SMS kwa simu hii. Hukuomba? Upuuze. ACHA huzuia SMS zote.`,
}

/** Returns the SMS with the code that links a phone, in one part. @param name the oracle's name */
const linkCodeText = (language: string | undefined, name: string, code: string): string => {
  const [short = ''] = (language ?? '').toLowerCase().split('-')
  const text = Object.hasOwn(texts, short) ? texts[short] : texts.en
  return text?.(name.slice(0, 30), code) ?? ''
}

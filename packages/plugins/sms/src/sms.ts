import { definePlugin, type PersonChannels, provide } from '@sibyl/plugin'
import { maskPhone, readPhoneNumber } from '@sibyl/plugin/phones'
import { personNotices, smsSender, userPreferences } from '@sibyl/protocol'
import { smsEnv } from './definitions/sms-env.ts'
import { type SmsTables, smsMigrations } from './definitions/sms-tables.ts'
import { defineAnswering } from './inbox/define-answering.ts'
import { manifest } from './manifest.ts'
import { sealNumbers } from './numbers/seal-numbers.ts'
import { createSealedNumbers } from './numbers/sealed-numbers.ts'
import { defineSending } from './outbox/define-sending.ts'
import { operatorOutbox } from './outbox/operator-outbox.ts'
import { createOutbox } from './outbox/outbox.ts'
import { createQuietHold } from './outbox/quiet-hold.ts'
import { defineForgetting } from './people/define-forgetting.ts'
import { createLinkStore, type LinkStore } from './people/link-store.ts'
import { createOwnMessages } from './people/own-messages.ts'
import { smsRecords } from './people/personal-records.ts'
import { phoneRights } from './people/phone-rights.ts'
import { createPeople, type SmsPeople } from './people/sms-people.ts'
import { makeProvider } from './providers/make-provider.ts'
import { callbackProof, callbackRoutes } from './routes/callback-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { phoneRoutes } from './routes/phone-routes.ts'
import { threadRoute } from './routes/thread-route.ts'
import { createPhoneLinks } from './services/link-phone.ts'
import { personNoticesOf, smsSenderOf } from './services/sms-services.ts'
import { readQuietHours } from './time/quiet-hours.ts'
import { phoneTools } from './tools/phone-tools.ts'
import { smsTools } from './tools/sms-tools.ts'

/**
 * Sends SMS to phones and answers incoming SMS.
 *
 * @example
 * await createOracleApp({ config, plugins: [sms()] })
 */
export const sms = () =>
  definePlugin<typeof smsEnv, SmsTables>({
    name: 'sms',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: smsEnv,
    optIn: ['SMS_PROVIDER'],
    uses: ['user-preferences'],
    migrations: smsMigrations,
    async setup(host) {
      const { storage, jobs, clock, log, env, identity, oracle } = host
      const { SMS_MAX_PER_PERSON_PER_DAY: perDay, SMS_PRICE_PER_PART: perPart } = env
      const access = host.access.mode
      const numbers = createSealedNumbers(env, identity)
      const people = createPeople({ storage, identity, numbers, preferences: host.optionalService(userPreferences) })
      const shared = { storage, jobs, clock, log, numbers, people }
      const rights = phoneRights(host.access)
      const store = createLinkStore(shared)
      const provider = makeProvider(env)
      const outbox = createOutbox({
        ...shared,
        ...{ links: store, access, shareOf: host.limits.shareOf, perDay },
        toOthersPerDay: env.SMS_MAX_TO_OTHERS_PER_DAY,
      })
      const links = createPhoneLinks({ ...shared, store, outbox, rights, access, name: oracle.name })
      const quietHours = env.SMS_QUIET_HOURS === undefined ? undefined : readQuietHours(env.SMS_QUIET_HOURS)
      const heldUntil = createQuietHold({ ...shared, quietHours, timeZone: env.SMS_TIME_ZONE })
      let violation: string | undefined
      const noteError = (reason: string | undefined) => {
        violation = reason
      }
      defineSending({ ...shared, provider, heldUntil, noteError })
      defineAnswering({ ...shared, outbox, host, perMinute: env.SMS_INBOUND_PER_MINUTE, perDay })
      if (!numbers.vault) log.warn('phone numbers are stored unencrypted: set ORACLE_MNEMONIC or PIN_ENCRYPTION_KEY')
      await sealNumbers(shared)
      await defineForgetting({ ...shared, keepDays: env.SMS_KEEP_DAYS })
      const messages = createOwnMessages(shared)
      const showsSecrets = provider.name === 'embedded'
      const price = perPart === undefined ? undefined : { perPart, currency: env.SMS_CURRENCY }
      const proof = callbackProof(env.SMS_INBOUND_SECRET)
      return {
        tools: { ...smsTools({ outbox, messages, price, people, heldUntil, rights }), ...phoneTools(links) },
        routes: [
          ...callbackRoutes({ ...shared, provider, proof }),
          ...messageRoutes({ ...shared, messages, showsSecrets }),
          threadRoute({ ...shared, showsSecrets }),
          ...phoneRoutes(links, store),
        ],
        services: [
          provide(smsSender, smsSenderOf(outbox)),
          provide(personNotices.sms, personNoticesOf({ ...shared, outbox, links: store, access })),
        ],
        personalRecords: { ...smsRecords({ ...shared, links: store }), channels: phoneChannels(people, store) },
        outboxes: [operatorOutbox(shared)],
        state: () => (violation === undefined ? 'ready' : 'degraded'),
        reason: () => violation,
      }
    },
  })

/** Maximum people found by one phone. */
const maxOwners = 20

/** Creates the phones of people for the operator: the one that they write from, and those that they linked. */
const phoneChannels = (
  people: Pick<SmsPeople, 'phonesOf' | 'didOf'>,
  links: Pick<LinkStore, 'listAll' | 'owners'>,
): PersonChannels => ({
  async of(dids) {
    const [phones, linked] = await Promise.all([people.phonesOf(dids), links.listAll(dids)])
    const all = [...phones, ...linked.map(({ did, phone = '' }) => [did, phone] as const)]
    const masked = new Map<string, string[]>()
    for (const [did, phone] of all) masked.set(did, [...(masked.get(did) ?? []), maskPhone(phone)])
    return masked
  },
  async find(address) {
    const phone = readPhoneNumber(address)
    if (phone === undefined) return []
    const own = people.didOf(phone)
    const writes = own !== '' && (await people.phonesOf([own])).has(own)
    return [...(writes ? [own] : []), ...(await links.owners(phone, maxOwners))]
  },
})

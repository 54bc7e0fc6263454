import { definePlugin, type Host, provide } from '@sibyl/plugin'
import { smsNotices, smsSender, userPreferences } from '@sibyl/protocol'
import { defineAnswering } from './inbox/define-answering.ts'
import { manifest } from './manifest.ts'
import { sealNumbers } from './numbers/seal-numbers.ts'
import { createSealedNumbers } from './numbers/sealed-numbers.ts'
import { defineSending } from './outbox/define-sending.ts'
import { createOutbox } from './outbox/outbox.ts'
import { defineForgetting } from './people/define-forgetting.ts'
import { smsRecords } from './people/personal-records.ts'
import { createPeople } from './people/sms-people.ts'
import { createPhoneLinks } from './phones/link-phone.ts'
import { createLinkStore } from './phones/link-store.ts'
import { phoneRights } from './phones/phone-rights.ts'
import { makeProvider } from './providers/make-provider.ts'
import { callbackProof } from './routes/callback-proof.ts'
import { callbackRoutes } from './routes/callback-routes.ts'
import { messageRoutes } from './routes/message-routes.ts'
import { phoneRoutes } from './routes/phone-routes.ts'
import { personNoticesOf } from './services/person-notices.ts'
import { smsSenderOf } from './services/sms-sender.ts'
import { type SmsEnv, smsEnv } from './sms-env.ts'
import { smsMigrations } from './storage/sms-migrations.ts'
import type { SmsTables } from './storage/sms-tables.ts'
import { createQuietHold } from './time/quiet-hold.ts'
import { readQuietHours } from './time/quiet-hours.ts'
import { createOwnMessages } from './tools/own-messages.ts'
import { phoneTools } from './tools/phone-tools.ts'
import { smsTools } from './tools/sms-tools.ts'

/**
 * SMS, out and in.
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
      const { storage, jobs, clock, env, log } = host
      const { people, numbers, links, store, rights, provider, outbox, fault, heldUntil } = makeParts(host)
      const access = host.access.mode
      if (!numbers.vault) log.warn('phone numbers are stored unsealed: set ORACLE_MNEMONIC or PIN_ENCRYPTION_KEY')
      await sealNumbers({ storage, jobs, log, numbers })
      await defineForgetting({ storage, jobs, clock, keepDays: env.SMS_KEEP_DAYS })
      const messages = createOwnMessages({ storage, numbers })
      const price =
        env.SMS_PRICE_PER_PART === undefined
          ? undefined
          : { perPart: env.SMS_PRICE_PER_PART, currency: env.SMS_CURRENCY }
      const proof = callbackProof(env.SMS_INBOUND_SECRET)
      return {
        tools: { ...smsTools({ outbox, messages, price, people, heldUntil, rights }), ...phoneTools(links) },
        routes: [
          ...callbackRoutes({ storage, jobs, clock, people, numbers, provider, proof }),
          ...messageRoutes({ storage, messages, numbers, showsSecrets: provider.name === 'embedded' }),
          ...phoneRoutes({ links, store }),
        ],
        services: [
          provide(smsSender, smsSenderOf(outbox)),
          provide(smsNotices, personNoticesOf({ storage, clock, outbox, people, links: store, access })),
        ],
        personalRecords: smsRecords({ storage, people, links: store, numbers, clock }),
        state: () => (fault.reason === undefined ? 'ready' : 'degraded'),
        reason: () => fault.reason,
      }
    },
  })

/** Makes what the plugin's rooms share, and defines its jobs. */
const makeParts = (host: Host<SmsEnv, SmsTables>) => {
  const { storage, jobs, clock, log, env, identity, limits } = host
  const { SMS_QUIET_HOURS: quiet, SMS_MAX_PER_PERSON_PER_DAY: perDay, SMS_MAX_TO_OTHERS_PER_DAY: toOthersPerDay } = env
  const access = host.access.mode
  const numbers = createSealedNumbers(env, identity)
  const people = createPeople({ storage, identity, numbers, preferences: host.optionalService(userPreferences) })
  const rights = phoneRights(host.access)
  const store = createLinkStore({ storage, clock, numbers, people })
  const provider = makeProvider(env)
  const { shareOf } = limits
  const outbox = createOutbox({
    ...{ storage, jobs, clock, people, numbers, links: store, access, shareOf, perDay, toOthersPerDay },
  })
  const { name } = host.oracle
  const links = createPhoneLinks({ storage, clock, store, people, outbox, rights, access, name })
  const heldUntil = createQuietHold({
    quietHours: quiet === undefined ? undefined : readQuietHours(quiet),
    timeZone: env.SMS_TIME_ZONE,
    people,
    clock,
    log,
  })
  const fault: { reason: string | undefined } = { reason: undefined }
  defineSending({
    storage,
    jobs,
    clock,
    log,
    people,
    numbers,
    provider,
    heldUntil,
    noteFault: reason => {
      fault.reason = reason
    },
  })
  defineAnswering({ storage, clock, log, people, numbers, outbox, host, perMinute: env.SMS_INBOUND_PER_MINUTE, perDay })
  return { people, numbers, links, store, rights, provider, outbox, fault, heldUntil }
}

import { definePlugin } from '@sibyl/core'
import type { Flow } from './flow/flow.ts'
import type { FlowServices } from './flow/flow-services.ts'
import { createGateway } from './gateway/gateway.ts'
import { makeOperatorLock } from './gateway/operator-lock.ts'
import { plainRoute } from './gateway/plain-route.ts'
import { providerRoutes } from './gateway/provider-routes.ts'
import { sessionRoutes } from './gateway/session-routes.ts'
import { makeTrust } from './gateway/trust.ts'
import { createVault } from './keys/create-vault.ts'
import { keyCommand, readPinKey, readPinKeys } from './keys/read-pin-key.ts'
import { bundledProviders } from './providers/bundled-providers.ts'
import type { UssdProvider } from './providers/ussd-provider.ts'
import { requestFields } from './requests/request-fields.ts'
import { standInEngine } from './stand-in-engine.ts'
import { ussdMigrations } from './storage/ussd-migrations.ts'
import type { UssdTables } from './storage/ussd-tables.ts'
import { ussdEnv } from './ussd-env.ts'

/** How the gateway works, where its variables do not say. */
export interface UssdOptions {
  /** The menus. @default the bundled flow: Know More, Account Menu, Exit */
  readonly flow?: Flow | ((services: FlowServices) => Flow)
  /** Providers besides the bundled ones; one of a bundled name takes its place. */
  readonly providers?: readonly UssdProvider[]
}

/**
 * Gives every GSM phone a way to the oracle: the routes `/api/ussd` and `/api/ussd/<provider>` for telecom gateways.
 *
 * @example
 * await createOracleApp({ config, plugins: [ussd()] })
 */
export const ussd = ({ providers = [] }: UssdOptions = {}) =>
  definePlugin<typeof ussdEnv, UssdTables>({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: {
      title: 'USSD',
      summary: 'Menus on any GSM phone.',
      whenToUse: ['someone asks what callers see on their phones'],
      load: 'always',
    },
    env: ussdEnv,
    optIn: ['PIN_ENCRYPTION_KEY'],
    uses: ['sms', 'claims', 'user-preferences'],
    migrations: ussdMigrations,
    setup({ env, environment, limits, log }) {
      const key = readPinKey(env.PIN_ENCRYPTION_KEY)!
      const oldKeys = readPinKeys(env.PIN_ENCRYPTION_OLD_KEYS ?? '') ?? []
      if (key.isPhrase) log.warn(`PIN_ENCRYPTION_KEY is a text that may be guessed. Make a key with: ${keyCommand}`)
      if (environment === 'production' && !env.USSD_GATEWAY_ONLY) log.warn(openGateway)
      const vault = createVault({ current: key.bytes, old: oldKeys.map(({ bytes }) => bytes) })
      const engine = standInEngine()
      const gateway = createGateway({ engine, vault, limits, trust: makeTrust(env), log, settings: env })
      const fields = requestFields(env.USSD_TEXT_LIMIT)
      const accumulated = requestFields(Math.max(env.USSD_TEXT_LIMIT, accumulatedTextLimit))
      const lock = makeOperatorLock({
        token: env.USSD_OPERATOR_TOKEN,
        openWithoutToken: environment === 'development',
      })
      const routes = [
        plainRoute({ gateway, fields, textMode: env.USSD_TEXT_MODE }),
        ...sessionRoutes(engine, lock),
        ...byName([...bundledProviders(), ...providers]).flatMap(provider =>
          providerRoutes(provider, { gateway, fields: provider.textMode === 'last' ? fields : accumulated }),
        ),
      ]
      return {
        routes,
        getAuthExcludedRoutes: () => routes.map(({ definition: { method, path } }) => ({ method, path })),
      }
    },
  })

/** The providers, the last of each name. */
const byName = (providers: readonly UssdProvider[]): UssdProvider[] => [
  ...new Map(providers.map(provider => [provider.name, provider])).values(),
]

/** The longest text of a session, in characters, at a provider that is known to send all of it. */
const accumulatedTextLimit = 2000

const openGateway =
  'anybody who reaches /api/ussd may call it in the name of any phone. Name the telecom gateways in USSD_TRUSTED_GATEWAYS or ' +
  'give them USSD_GATEWAY_SECRET, and set USSD_GATEWAY_ONLY=true'

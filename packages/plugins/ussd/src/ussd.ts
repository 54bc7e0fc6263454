import { definePlugin, type Route } from '@sibyl/plugin'
import { FlowCounts } from './counts/flow-counts.ts'
import { defaultFlow } from './default-flow/default-flow.ts'
import type { FlowServices } from './default-flow/menu-kit.ts'
import { createFlowMachine } from './flow/create-flow-machine.ts'
import type { Flow } from './flow/flow.ts'
import { allProviders, gatewayRoutes } from './gateway/gateway-routes.ts'
import { keysRoute } from './keys/keys-route.ts'
import { manifest } from './manifest.ts'
import { customerRoutes } from './operators/customer-routes.ts'
import { flowRoutes } from './operators/flow-routes.ts'
import { createOperatorActions } from './operators/operator-actions.ts'
import { createOperatorLock } from './operators/operator-lock.ts'
import { sessionRoutes } from './operators/session-routes.ts'
import { personRecords, ussdRecords } from './people/person-records.ts'
import type { UssdProvider } from './providers/ussd-provider.ts'
import { phoneInstructions } from './questions/create-questions.ts'
import { createSessionEngine, type SessionEngine } from './sessions/session-engine.ts'
import { sessionSettings } from './sessions/session-env.ts'
import type { UssdTables } from './storage/ussd-tables.ts'
import { ussdMigrations } from './storage/ussd-tables.ts'
import { previewUssdMenuTool } from './tools/preview-ussd-menu-tool.ts'
import { type UssdEnv, ussdEnv } from './ussd-env.ts'
import { createServices, startMaintenance, type UssdHost, type UssdServices } from './ussd-services.ts'

export interface UssdOptions {
  /**
   * The menus; `bundled` creates the bundled flow with the texts of the variables, for `extendFlow`.
   * @default the bundled flow: Know More, Account Menu, Exit
   */
  readonly flow?: Flow | ((services: FlowServices, bundled: () => Flow) => Flow)
  /** Additional providers; one with a bundled name replaces the bundled one. */
  readonly providers?: readonly UssdProvider[]
}

/**
 * Creates the USSD plugin, which connects every GSM phone to the oracle: the routes `/api/ussd` and `/api/ussd/<provider>` for telecom gateways.
 *
 * @example
 * await createOracleApp({ config, plugins: [ussd()] })
 */
export const ussd = (options: UssdOptions = {}) =>
  definePlugin<typeof ussdEnv, UssdTables>({
    name: 'ussd',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    env: ussdEnv,
    optIn: ['PIN_ENCRYPTION_KEY'],
    uses: ['sms', 'claims', 'user-preferences'],
    migrations: ussdMigrations,
    async setup(host) {
      const { env, storage, jobs, clock, log } = host
      const services = createServices(host)
      const { vault, phones, people, origins, records } = services
      // Before the engine, which takes over the actions of crashed processes: their turns run only once the oracle has booted.
      await startMaintenance(host, services)
      const flow = flowOf(options, services, env)
      const machine = createFlowMachine(flow)
      const settings = sessionSettings(env)
      const knownLanguage = (phoneNumber: string) => phones.language(phoneNumber)
      const counts = new FlowCounts({ storage, clock, log })
      const engine = createSessionEngine({ storage, jobs, vault, machine, clock, log, settings, counts, knownLanguage })
      const routes = [
        ...gatewayRoutes({ host, engine, vault, origins }, options.providers),
        ...operatorRoutes(host, services, engine),
        ...flowRoutes({ flow, storage, clock, gateway: gatewayFacts(options, env) }),
      ]
      return {
        tools: { preview_ussd_menu: previewUssdMenuTool(flow, machine) },
        instructions: phoneInstructions,
        routes,
        personalRecords: { ...ussdRecords(storage, people, records), channels: people.channels },
        getAuthExcludedRoutes: () =>
          routes.flatMap(({ access, definition: { method, path } }) =>
            access === 'operator' ? [] : [{ method, path }],
          ),
        async dispose() {
          await engine.dispose()
          await counts.close()
        },
      }
    },
  })

/**
 * Returns the operator's routes; without `USSD_OPERATOR_TOKEN` those of customers and keys are closed in every
 * environment.
 */
const operatorRoutes = (host: UssdHost, services: UssdServices, engine: SessionEngine): Route[] => {
  const { env, environment, storage, clock } = host
  const { vault, lockout } = services
  const records = [...services.records, personRecords(host)]
  const lock = createOperatorLock(env.USSD_OPERATOR_TOKEN)
  return [
    ...sessionRoutes(engine, createOperatorLock(env.USSD_OPERATOR_TOKEN, environment === 'development')),
    ...customerRoutes(createOperatorActions({ storage, vault, clock, lockout, records }), host.people, lock),
    keysRoute(storage, vault, lock),
  ]
}

const gatewayFacts = ({ providers }: UssdOptions, env: UssdEnv) => ({
  onlyTrusted: env.USSD_GATEWAY_ONLY,
  textMode: env.USSD_TEXT_MODE,
  serviceCodes: [...env.USSD_SERVICE_CODES],
  sessionSeconds: env.USSD_SESSION_TTL_SECONDS,
  replySeconds: env.USSD_REPLY_TIMEOUT_SECONDS,
  providers: allProviders(providers).map(({ name, title }) => ({ name, title })),
})

const flowOf = ({ flow }: UssdOptions, services: FlowServices, env: UssdEnv): Flow => {
  const { USSD_ABOUT: about, USSD_PRICING: pricing, USSD_DELIVERY: delivery, USSD_SUPPORT_CONTACT: contact } = env
  const bundled = () => defaultFlow(services, { about, pricing, delivery, contact })
  if (flow === undefined) return bundled()
  return typeof flow === 'function' ? flow(services, bundled) : flow
}

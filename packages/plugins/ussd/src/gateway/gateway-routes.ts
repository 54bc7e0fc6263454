import type { Route } from '@sibyl/plugin'
import { z } from 'zod'
import { bundledProviders } from '../providers/bundled-providers.ts'
import type { UssdProvider } from '../providers/ussd-provider.ts'
import { requestFields } from '../requests/request-fields.ts'
import { createGateway, type GatewayDependencies } from './gateway.ts'
import { plainRoute } from './plain-route.ts'
import { providerRoutes } from './provider-routes.ts'

/** Maximum length of a session's text, in characters, for a provider that sends all of it. */
const accumulatedTextLimit = 2_000

/**
 * Returns all routes of telecom gateways; a provider with a bundled name replaces the bundled one. Logs a warning if
 * production accepts any caller, or none.
 */
export const gatewayRoutes = (dependencies: GatewayDependencies, providers: readonly UssdProvider[] = []): Route[] => {
  const { env, environment, log, variable } = dependencies.host
  const namesGateways = env.USSD_TRUSTED_GATEWAYS !== undefined || env.USSD_GATEWAY_SECRET !== undefined
  if (environment === 'production' && !env.USSD_GATEWAY_ONLY) log.warn(openToAll)
  if (env.USSD_GATEWAY_ONLY && !namesGateways) log.warn(closedToEverybody)
  const behindProxy = z.stringbool().safeParse(variable('TRUST_PROXY_ENABLED')).data
  if (behindProxy && env.USSD_TRUSTED_GATEWAYS && env.USSD_GATEWAY_SECRET === undefined) log.warn(addressesAlone)
  const gateway = createGateway(dependencies)
  const fields = requestFields(env.USSD_TEXT_LIMIT)
  const accumulated = requestFields(Math.max(env.USSD_TEXT_LIMIT, accumulatedTextLimit))
  return [
    plainRoute(gateway, fields, env.USSD_TEXT_MODE),
    ...allProviders(providers).flatMap(provider =>
      providerRoutes(provider, gateway, provider.textMode === 'last' ? fields : accumulated),
    ),
  ]
}

/** Returns the bundled providers with additional ones; one with a bundled name replaces it. */
export const allProviders = (providers: readonly UssdProvider[] = []): UssdProvider[] => [
  ...new Map([...bundledProviders(), ...providers].map(provider => [provider.name, provider])).values(),
]

const closedToEverybody =
  'USSD_GATEWAY_ONLY is on and no gateway is named, so every call is rejected. Name the telecom gateways in ' +
  'USSD_TRUSTED_GATEWAYS, or give them USSD_GATEWAY_SECRET'

const addressesAlone =
  'USSD_TRUSTED_GATEWAYS is used behind a proxy without a secret: a caller who makes the proxy forward a false address can ' +
  'act as a gateway. Set USSD_GATEWAY_SECRET, and limit TRUST_PROXY_FROM to the proxy'

const openToAll =
  'any caller who reaches /api/ussd can claim any phone number. Name the telecom gateways in USSD_TRUSTED_GATEWAYS or ' +
  'give them USSD_GATEWAY_SECRET, and set USSD_GATEWAY_ONLY=true'

import type { Host, Route } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { z } from 'zod'
import { bundledProviders } from '../providers/bundled-providers.ts'
import type { UssdProvider } from '../providers/ussd-provider.ts'
import type { PhoneOrigins } from '../requests/phone-origins.ts'
import { requestFields } from '../requests/request-fields.ts'
import type { TextMode } from '../requests/ussd-request.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'
import { createGateway } from './gateway.ts'
import type { gatewayEnv } from './gateway-env.ts'
import { plainRoute } from './plain-route.ts'
import { providerRoutes } from './provider-routes.ts'
import { makeTrust } from './trust.ts'

/** Variables of the gateway's routes. */
export type GatewayEnv = z.output<z.ZodObject<typeof gatewayEnv>> & { readonly USSD_TEXT_MODE: TextMode }

/** Dependencies of the gateway's routes. */
export interface GatewayRoutesDependencies {
  readonly host: Pick<Host<GatewayEnv>, 'env' | 'environment' | 'limits' | 'log' | 'variable'> & {
    readonly storage: Pick<Host['storage'], 'engine'>
  }
  readonly engine: SessionEngine
  readonly vault: Pick<Vault, 'lookupHashes'>
  readonly origins: Pick<PhoneOrigins, 'note'>
  /** Besides the bundled ones; one of a bundled name takes its place. */
  readonly providers?: readonly UssdProvider[] | undefined
}

/** The longest text of a session, in characters, at a provider that is known to send all of it. */
const accumulatedTextLimit = 2_000

/** Returns all routes of telecom gateways. Logs a warning where any caller is accepted in production, or none. */
export const gatewayRoutes = ({ host, engine, vault, origins, providers = [] }: GatewayRoutesDependencies): Route[] => {
  const { env, environment, limits, log, storage } = host
  const namesGateways = env.USSD_TRUSTED_GATEWAYS !== undefined || env.USSD_GATEWAY_SECRET !== undefined
  if (environment === 'production' && !env.USSD_GATEWAY_ONLY) log.warn(openToAnybody)
  if (env.USSD_GATEWAY_ONLY && !namesGateways) log.warn(closedToEverybody)
  const behindProxy = z.stringbool().safeParse(host.variable('TRUST_PROXY_ENABLED')).data
  if (behindProxy && env.USSD_TRUSTED_GATEWAYS && env.USSD_GATEWAY_SECRET === undefined) log.warn(addressesAlone)
  const gateway = createGateway({ engine, vault, limits, storage, trust: makeTrust(env), origins, log, settings: env })
  const fields = requestFields(env.USSD_TEXT_LIMIT)
  const accumulated = requestFields(Math.max(env.USSD_TEXT_LIMIT, accumulatedTextLimit))
  return [
    plainRoute(gateway, fields, env.USSD_TEXT_MODE),
    ...lastOfEachName([...bundledProviders(), ...providers]).flatMap(provider =>
      providerRoutes(provider, gateway, provider.textMode === 'last' ? fields : accumulated),
    ),
  ]
}

const lastOfEachName = (providers: readonly UssdProvider[]): UssdProvider[] => [
  ...new Map(providers.map(provider => [provider.name, provider])).values(),
]

const closedToEverybody =
  'USSD_GATEWAY_ONLY is on and no gateway is named, so every call is refused. Name the telecom gateways in ' +
  'USSD_TRUSTED_GATEWAYS, or give them USSD_GATEWAY_SECRET'

const addressesAlone =
  'USSD_TRUSTED_GATEWAYS is used behind a proxy without a secret: whoever makes the proxy forward a false address can ' +
  'act as a gateway. Set USSD_GATEWAY_SECRET, and limit TRUST_PROXY_FROM to the proxy'

const openToAnybody =
  'anybody who reaches /api/ussd may call it in the name of any phone. Name the telecom gateways in USSD_TRUSTED_GATEWAYS or ' +
  'give them USSD_GATEWAY_SECRET, and set USSD_GATEWAY_ONLY=true'

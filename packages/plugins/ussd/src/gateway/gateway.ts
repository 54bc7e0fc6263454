import { type Host, type Logger, type RouteOptions, type RouteRefusal, withTimeout } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { PhoneOrigins } from '../requests/phone-origins.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'
import type { RouteContext, Trust } from './trust.ts'

/** Limit of all gateway routes together, for an address that is not a trusted gateway's. */
export const addressLimit = { name: 'ussd', perMinute: 100 } as const

/** Refusal of a gateway that is not trusted, where only trusted ones may call. */
const notTrusted: RouteRefusal = {
  status: 403,
  code: 'ussd_gateway_not_trusted',
  detail: 'Only trusted gateways may call. Name this one in USSD_TRUSTED_GATEWAYS, or give it USSD_GATEWAY_SECRET.',
}

/** Dependencies of a gateway. */
export interface GatewayDependencies {
  readonly engine: SessionEngine
  readonly vault: Pick<Vault, 'lookupHashes'>
  readonly limits: Host['limits']
  /** Requests are counted in memory for `sqlite`, in a table for `postgres`. */
  readonly storage: Pick<Host['storage'], 'engine'>
  readonly trust: Trust
  readonly origins: Pick<PhoneOrigins, 'note'>
  readonly log: Logger
  readonly settings: {
    readonly USSD_GATEWAY_RATE: number
    readonly USSD_PHONE_RATE: number
    readonly USSD_GATEWAY_ONLY: boolean
    readonly USSD_REPLY_TIMEOUT_SECONDS: number
  }
}

/** Checks and service that all routes for telecom gateways share. */
export interface Gateway {
  /** 100 requests a minute from an address, `USSD_GATEWAY_RATE` from one of a trusted gateway. */
  readonly rateLimit: NonNullable<RouteOptions['rateLimit']>
  /** Forbids caching, and refuses others where only trusted gateways may call: `ussd_gateway_not_trusted`. */
  readonly admit: NonNullable<RouteOptions['admit']>
  /**
   * Moves the session of a request that was checked.
   *
   * @returns what the phone shows; undefined for the end of a session, which shows nothing
   * @throws `rate_limited`, `ussd_reply_late`, StorageError where the database does not answer
   */
  serve(context: RouteContext, request: UssdRequest): Promise<UssdReply | undefined>
}

/** Creates the checks and the service that the routes for telecom gateways share. */
export const createGateway = (dependencies: GatewayDependencies): Gateway => {
  const { engine, vault, limits, storage, trust, origins, log, settings } = dependencies
  const { USSD_GATEWAY_RATE: gatewayRate, USSD_PHONE_RATE: phoneRate, USSD_GATEWAY_ONLY: gatewayOnly } = settings
  const timeoutSeconds = settings.USSD_REPLY_TIMEOUT_SECONDS

  const countPhone = async (context: RouteContext, phoneNumber: string): Promise<void> => {
    const key = storage.engine === 'sqlite' ? phoneNumber : vault.lookupHashes(phoneNumber, 'rate')[0]
    const { allowed, endsInMs } = await limits.take({ name: 'phone', key, perMinute: phoneRate })
    if (allowed) return
    context.get('answerHeaders')['retry-after'] = String(Math.max(1, Math.ceil(endsInMs / 1000)))
    throw ussdErrors.rate_limited({ perMinute: phoneRate })
  }

  return {
    rateLimit: context => (trust(context) ? { name: 'ussd-gateway', perMinute: gatewayRate } : addressLimit),
    admit: context => {
      context.get('answerHeaders')['cache-control'] = 'no-store'
      return gatewayOnly && !trust(context) ? notTrusted : undefined
    },
    async serve(context, request) {
      const isTrusted = trust(context)
      origins.note(request.phoneNumber, isTrusted ? undefined : limits.originOf(context.get('clientAddress')))
      if (phoneRate > 0 && isTrusted) await countPhone(context, request.phoneNumber)
      const served = engine.serve(request)
      return await withTimeout(() => served, {
        timeoutMs: timeoutSeconds * 1000,
        error() {
          served.catch(error => log.warn('a request failed after its phone gave up', { error }))
          return ussdErrors.ussd_reply_late({ seconds: timeoutSeconds })
        },
      })
    },
  }
}

import type { AddressList, Host, Route, RouteOptions, RouteRefusal } from '@sibyl/plugin'
import type { Vault } from '@sibyl/plugin/sealing'
import type { z } from 'zod'
import { ussdErrors } from '../errors/ussd-errors.ts'
import type { PhoneOrigins } from '../requests/phone-origins.ts'
import { isSameSecret } from '../requests/same-secret.ts'
import type { UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { SessionEngine } from '../sessions/session-engine.ts'
import type { gatewayEnv } from './gateway-env.ts'
import { ReplyDeadlines } from './reply-deadlines.ts'

export type RouteContext = Parameters<Route['handle']>[0]

/** Limit of all gateway routes together, for an address that is not a trusted gateway's. */
/** Maximum size of a request of a telecom gateway, in bytes: anyone may send one. */
export const maxBodyBytes = 50_000

export const addressLimit = { name: 'ussd', perMinute: 100 } as const

/** Rejection of an untrusted gateway, if only trusted ones may call. */
const notTrusted: RouteRefusal = {
  status: 403,
  code: 'ussd_gateway_not_trusted',
  detail: 'Only trusted gateways may call. Name this one in USSD_TRUSTED_GATEWAYS, or give it USSD_GATEWAY_SECRET.',
}

export interface GatewayDependencies {
  readonly host: Pick<
    Host<z.output<z.ZodObject<typeof gatewayEnv>>>,
    'env' | 'environment' | 'limits' | 'log' | 'variable'
  > & {
    /** Requests are counted in memory for `sqlite`, in a table for `postgres`. */
    readonly storage: Pick<Host['storage'], 'engine'>
  }
  readonly engine: SessionEngine
  readonly vault: Pick<Vault, 'lookupHashes'>
  readonly origins: Pick<PhoneOrigins, 'note'>
}

/** Checks and service that all routes for telecom gateways share. */
export interface Gateway {
  /** 100 requests per minute from an address, `USSD_GATEWAY_RATE` from one of a trusted gateway. */
  readonly rateLimit: NonNullable<RouteOptions['rateLimit']>
  /** Forbids caching, and rejects other callers if only trusted gateways may call: `ussd_gateway_not_trusted`. */
  readonly admit: NonNullable<RouteOptions['admit']>
  /**
   * Moves the session of a validated request.
   *
   * @returns the reply; undefined for the end of a session, which shows nothing
   * @throws `rate_limited`, `ussd_reply_late`, StorageError if the database does not respond
   */
  serve(context: RouteContext, request: UssdRequest): Promise<UssdReply | undefined>
}

export const createGateway = ({ host, engine, vault, origins }: GatewayDependencies): Gateway => {
  const { env, limits, storage, log } = host
  const trust = trustOf(env.USSD_TRUSTED_GATEWAYS, env.USSD_GATEWAY_SECRET)
  const seconds = env.USSD_REPLY_TIMEOUT_SECONDS
  const deadlines = new ReplyDeadlines(seconds * 1000)

  const countPhone = async (context: RouteContext, phoneNumber: string): Promise<void> => {
    const key = storage.engine === 'sqlite' ? phoneNumber : vault.lookupHashes(phoneNumber, 'rate')[0]
    const { allowed, endsInMs } = await limits.take({ name: 'phone', key, perMinute: env.USSD_PHONE_RATE })
    if (allowed) return
    context.get('answerHeaders')['retry-after'] = String(Math.max(1, Math.ceil(endsInMs / 1000)))
    throw ussdErrors.rate_limited({ perMinute: env.USSD_PHONE_RATE })
  }

  return {
    rateLimit: context => (trust(context) ? { name: 'ussd-gateway', perMinute: env.USSD_GATEWAY_RATE } : addressLimit),
    admit: context => {
      context.get('answerHeaders')['cache-control'] = 'no-store'
      return env.USSD_GATEWAY_ONLY && !trust(context) ? notTrusted : undefined
    },
    async serve(context, request) {
      const isTrusted = trust(context)
      origins.note(request.phoneNumber, isTrusted ? undefined : limits.originOf(context.get('clientAddress')))
      if (env.USSD_PHONE_RATE > 0 && isTrusted) await countPhone(context, request.phoneNumber)
      const served = engine.serve(request)
      return await deadlines.within(served, () => {
        served.catch(error => log.warn('a request failed after its phone gave up', { error }))
        return ussdErrors.ussd_reply_late({ seconds })
      })
    },
  }
}

/** Maximum number of addresses with cached trust. */
const maxAddresses = 1_000

/** Returns the check for requests of configured telecom gateways, by address or shared secret. */
const trustOf = (addresses: AddressList | undefined, secret: string | undefined) => {
  const known = new Map<string, boolean>()
  const isNamed = (address: string): boolean => {
    const before = known.get(address)
    if (before !== undefined) return before
    const named = addresses?.has(address) ?? false
    if (known.size >= maxAddresses) known.clear()
    known.set(address, named)
    return named
  }
  return (context: RouteContext): boolean => {
    const address = context.get('clientAddress')
    if (addresses && address !== undefined && isNamed(address)) return true
    const given = secret === undefined ? undefined : context.req.header('x-gateway-secret')
    return secret !== undefined && given !== undefined && isSameSecret(given, secret)
  }
}

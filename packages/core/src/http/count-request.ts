import { randomInt } from 'node:crypto'
import { type Actor, holderOf, type RouteOptions } from '@sibyl/plugin'
import { networksOf, type OriginOf, type RateVerdict, type RouteRateLimit, siteShares } from '@sibyl/plugin/host'
import type { Context, MiddlewareHandler } from 'hono'
import type { RateCounter } from '../limits/rate-counter.ts'
import { windowMs } from '../limits/window-table.ts'
import { type CoreEnvironment, pluginContext, type RequestCheck } from './core-environment.ts'
import { problemResponse } from './problem-response.ts'

export interface RequestCounting {
  readonly counter: RateCounter
  readonly originOf: OriginOf
  /** Requests per minute; 0 means unlimited. */
  readonly perAddress: number
  /** Requests per minute; 0 means unlimited. */
  readonly perDid: number
  readonly load: LoadGauge
}

/** The number of handlers at work from which the lag of the event loop counts. */
const manyHandlers = 32

/** The lag of the event loop beyond which no turn begins, and no other handler, in milliseconds. */
const [maxTurnLagMs, maxLagMs] = [100, 2_000] as const

/** The interval of measuring it, and the time without many handlers after which that stops, in milliseconds. */
const [lagIntervalMs, quietMs] = [20, 1_000] as const

/**
 * Detects that the process is late with the work that it has begun: many handlers are at work, and timers fire late. One
 * slow moment of an idle process does not count.
 */
export class LoadGauge {
  #handlers = 0
  #timer: NodeJS.Timeout | undefined
  #dueAt = 0
  #busyAt = 0
  #lagMs = 0

  /** @param maxMs The accepted lag of the event loop, in milliseconds. */
  isOverloaded(maxMs: number): boolean {
    // The timer of a loop that is late now has not fired yet.
    return this.#handlers >= manyHandlers && Math.max(this.#lagMs, performance.now() - this.#dueAt) > maxMs
  }

  begin(): void {
    this.#handlers += 1
    if (this.#handlers < manyHandlers) return
    this.#busyAt = performance.now()
    if (this.#timer) return
    this.#dueAt = this.#busyAt + lagIntervalMs
    this.#timer = setInterval(() => this.#tick(), lagIntervalMs).unref()
  }

  end(): void {
    this.#handlers -= 1
  }

  #tick(): void {
    const now = performance.now()
    this.#lagMs = Math.max(now - this.#dueAt, this.#lagMs / 2)
    this.#dueAt = now + lagIntervalMs
    if (this.#handlers >= manyHandlers) this.#busyAt = now
    if (now - this.#busyAt < quietMs) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#lagMs = 0
  }
}

/** Rejects requests that begin work while the process is overloaded, before anything is computed for them. */
export const shedLoad =
  ({ load }: Pick<RequestCounting, 'load'>, startsTurn: boolean): RequestCheck =>
  c => {
    if (!load.isOverloaded(startsTurn ? maxTurnLagMs : maxLagMs)) return undefined
    // Spread, so that the rejected do not come back at the same time.
    const seconds = randomInt(1, 6)
    return problemResponse(c, {
      status: 503,
      code: 'overloaded',
      detail: `The oracle has more work than it can begin now. Nothing was done. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    })
  }

/** Counts a handler as at work until it has answered, or its stream has begun. */
export const countHandler =
  ({ load }: Pick<RequestCounting, 'load'>): MiddlewareHandler<CoreEnvironment> =>
  async (_, next) => {
    load.begin()
    await next().finally(() => load.end())
  }

/** Rejects requests of an address beyond its limit, and adds the headers of the limit to the others. */
export const countAddress =
  (counting: RequestCounting, own?: RouteOptions['rateLimit']): RequestCheck =>
  c => {
    const limit = typeof own === 'function' ? own(pluginContext(c)) : own
    return limit === false ? undefined : overAddressLimit(c, counting, limit)
  }

/**
 * Returns the response to a request beyond the limit of its address, or beyond the multiple of it for an IPv6 /48, which has
 * 65,536 networks; requests without an address are not counted.
 */
export const overAddressLimit = (
  c: Context<CoreEnvironment>,
  { counter, perAddress }: RequestCounting,
  own?: RouteRateLimit,
): Response | undefined | Promise<Response | undefined> => {
  const address = c.get('clientAddress')
  const limit = own?.perMinute ?? perAddress
  if (address === undefined || limit === 0) return undefined
  const networks = networksOf(address)
  const name = own?.name ?? 'address'
  const refusedBy = (of: string, network: string, max: number) => {
    const taken = counter.take({ key: `${of}:${network}`, wide: `${of}:${networks.wide}` }, max)
    return taken instanceof Promise ? taken.then(verdict => judge(c, of, verdict)) : judge(c, of, taken)
  }
  const refused = refusedBy(name, networks.own, limit)
  if (networks.own === networks.site) return refused
  const refusedBySite = () => refusedBy(`${name}${siteEnding}`, networks.site, siteShares * limit)
  return refused instanceof Promise ? refused.then(answer => answer ?? refusedBySite()) : (refused ?? refusedBySite())
}

/** Ends the name of a limit for an IPv6 site. */
const siteEnding = '-site'

/** Adds the origin to the actor of a request whose DID is free to create. */
export const addOrigin =
  ({ originOf }: Pick<RequestCounting, 'originOf'>): RequestCheck =>
  c => {
    const actor = c.get('actor')
    if (actor === undefined || (actor.via !== 'ucan' && actor.via !== 'bearer')) return undefined
    const origin = originOf(c.get('clientAddress'))
    if (origin !== undefined) c.set('actor', { ...actor, origin })
    return undefined
  }

/**
 * Rejects requests of a DID, or of its delegates, beyond its limit. Operators with a grant count like others; the operator
 * token is not counted.
 */
export const countDid =
  ({ counter, perDid }: RequestCounting): RequestCheck =>
  async c => {
    const actor = c.get('actor')
    if (actor === undefined || (actor.via === 'operator' && actor.grant === undefined)) return undefined
    const key = `did:${countedAs(actor)}`
    const taken = counter.take({ key, wide: key }, perDid)
    return judge(c, 'did', taken instanceof Promise ? await taken : taken)
  }

/**
 * Returns the name that requests count against. If access is open, the holder of a right that the operator delegated is
 * the operator: each of its delegations then counts alone, with all keys that have it.
 */
const countedAs = (actor: Actor): string => {
  const holder = holderOf(actor)
  const { root, links = [] } = actor.grant ?? {}
  return (actor.via === 'operator' && holder === root ? links.at(-1)?.hash : undefined) ?? holder
}

/**
 * Adds the headers of a limit (RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers), and rejects.
 */
const judge = (
  c: Context<CoreEnvironment>,
  name: string,
  { allowed, limit, remaining, endsInMs }: RateVerdict,
): Response | undefined => {
  const headers = c.get('answerHeaders')
  const seconds = Math.max(1, Math.ceil(endsInMs / 1000))
  append(headers, 'ratelimit-policy', `"${name}";q=${limit};w=${windowMs / 1000}`)
  append(headers, 'ratelimit', `"${name}";r=${remaining};t=${seconds}`)
  if (allowed) return undefined
  const whose = name === 'did' ? 'This DID' : name.endsWith(siteEnding) ? 'The network of this address' : 'This address'
  return problemResponse(c, {
    status: 429,
    code: 'rate_limited',
    detail: `${whose} may send ${limit} requests per minute. Try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })
}

const append = (headers: Record<string, string>, name: string, value: string): void => {
  headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
}

import { createHmac } from 'node:crypto'
import type { SigningKey } from '@sibyl/identity'
import type { CountedActor } from '@sibyl/protocol'
import { networksOf } from './ip-address.ts'

/** The share of one actor in a common limit. */
export interface LimitShare {
  /** The DID that the usage is counted against. */
  readonly holder: string
  /** The site that shares the limit: IPv4 address, IPv6 /48; undefined for actors without an address share. */
  readonly origin: string | undefined
  /** The network of the actor in the site: IPv4 address, IPv6 /64; equal to `origin` if the site has one alone. */
  readonly network: string | undefined
  /** The maximum total usage at which this actor may use more; less than the limit if a part is reserved. */
  readonly ofAll: number
  /** The maximum usage of a network. */
  readonly ofOrigin: number
  /** The maximum usage of all networks of a site. */
  readonly ofSite: number
}

/** Returns the share of a limit for an actor. @param capacity At least 1. */
export type ShareOf = (actor: CountedActor, capacity: number) => LimitShare

/** Dependencies of `makeShareOf`. */
export interface LimitShareParts {
  readonly access: 'open' | 'delegated'
  /** The share of one address, in percent. */
  readonly percent: number
  /** Returns whether a DID is the oracle or one of its controllers. */
  readonly isTrusted: (did: string) => boolean
}

/** The part of a limit that is reserved for API keys and controllers, and the minimum limit with a reserve. */
const reserve = { percent: 10, leastCapacity: 4 } as const

/** The shares of all networks of an IPv6 site together, since one site has many customers, or one customer many networks. */
export const siteShares = 2

/** Returns the DID that limits are counted against. */
export const holderOf = ({ did, holder }: Pick<CountedActor, 'did' | 'holder'>): string => holder ?? did

/**
 * Creates the rule by which callers share common limits.
 *
 * With `ORACLE_ACCESS=open` a DID costs nothing, so a limit per DID does not protect a common limit. Every address then
 * gets a share of it, an IPv6 site a multiple, and a part is reserved for API keys, the oracle and its controllers. With `delegated` a root
 * granted the right to each holder, and the limit per holder is enough.
 */
export const makeShareOf =
  ({ access, percent, isTrusted }: LimitShareParts): ShareOf =>
  (actor, capacity) => {
    const holder = holderOf(actor)
    if (isKnown(actor) || isTrusted(holder)) {
      return { holder, origin: undefined, network: undefined, ofAll: capacity, ofOrigin: capacity, ofSite: capacity }
    }
    const reserved =
      access === 'delegated' || capacity < reserve.leastCapacity ? 0 : Math.ceil((capacity * reserve.percent) / 100)
    const { origin: network } = actor
    const origin = network && siteOf(network)
    const ofOrigin = Math.max(1, Math.floor((capacity * percent) / 100))
    const ofSite = network === origin ? ofOrigin : siteShares * ofOrigin
    return { holder, origin, network, ofAll: capacity - reserved, ofOrigin, ofSite }
  }

/** Returns whether the operator configured the actor. */
const isKnown = ({ via, grant }: CountedActor): boolean =>
  via === 'operator' || via === 'api-key' || grant?.apiKey !== undefined || grant?.credential?.byOperator === true

/** Returns the `origin` of an actor by the client address; undefined if addresses have no shares. */
export type OriginOf = (address: string | undefined) => string | undefined

/**
 * Creates the function that names origins: equal for all addresses of a network (IPv4 address, IPv6 /64), with the name of its
 * site (IPv6 /48) before a dot, and meaningless without the key of the oracle, so that no row and no log has an address.
 */
export const makeOriginOf = (
  access: LimitShareParts['access'],
  key: Pick<SigningKey, 'exportSecret'> | undefined,
): OriginOf => {
  if (access === 'delegated' || key === undefined) return () => undefined
  const secret = createHmac('sha256', key.exportSecret()).update('sibyl origin of requests').digest()
  const named = (network: string) => createHmac('sha256', secret).update(network).digest('base64url').slice(0, 22)
  return address => {
    if (address === undefined) return undefined
    const { own, site } = networksOf(address)
    return own === site ? named(site) : `${named(site)}.${named(own)}`
  }
}

/** Returns the site of an origin. */
export const siteOf = (origin: string): string => origin.split('.', 1)[0]!

/** Returns the names under which the usage of an origin is counted: its own, and that of its site. */
export const countedOrigins = (origin: string | null): readonly string[] =>
  origin === null ? [] : [...new Set([origin, siteOf(origin)])]

import { createHmac } from 'node:crypto'
import type { SigningKey } from '@sibyl/identity'
import type { CountedActor } from '@sibyl/protocol'
import { networksOf } from './ip-address.ts'

/** How much of a cap that is for all one actor may use. */
export interface LimitShare {
  /** The DID that the actor's use is counted against. */
  readonly holder: string
  /** The network that shares the cap with others; undefined for actors without an address share. */
  readonly origin: string | undefined
  /** The most that all together may use for this actor to use more; less than the cap where a part is reserved. */
  readonly ofAll: number
  /** The most that the actor's origin may use. */
  readonly ofOrigin: number
}

/** Returns the share of a cap for an actor. @param capacity At least 1. */
export type ShareOf = (actor: CountedActor, capacity: number) => LimitShare

/** Dependencies of `makeShareOf`. */
export interface LimitShareParts {
  readonly access: 'open' | 'delegated'
  /** The share of one address, in percent. */
  readonly percent: number
  /** The DIDs of the oracle and its controllers; asked at each call, since the did:web depends on the port. */
  readonly trusted: () => readonly string[]
}

/** The part of a cap that is reserved for API keys and controllers, and the least cap that has one. */
const reserve = { percent: 10, leastCapacity: 4 } as const

/** Returns the DID that limits are counted against. */
export const holderOf = ({ did, holder }: Pick<CountedActor, 'did' | 'holder'>): string => holder ?? did

/**
 * Makes the rule by which callers share caps that are for all.
 *
 * With `ORACLE_ACCESS=open` a DID costs nothing, so a cap for each DID protects no cap for all. Every address then gets a
 * share of it, and a part is reserved for API keys, the oracle and its controllers. With `delegated` a root granted each
 * holder its right, and the cap for each holder is enough.
 */
export const makeShareOf =
  ({ access, percent, trusted }: LimitShareParts): ShareOf =>
  (actor, capacity) => {
    const holder = holderOf(actor)
    const isTrusted = isKnown(actor) || trusted().includes(holder)
    if (isTrusted) return { holder, origin: undefined, ofAll: capacity, ofOrigin: capacity }
    const reserved =
      access === 'delegated' || capacity < reserve.leastCapacity ? 0 : Math.ceil((capacity * reserve.percent) / 100)
    return {
      holder,
      origin: actor.origin,
      ofAll: capacity - reserved,
      ofOrigin: Math.max(1, Math.floor((capacity * percent) / 100)),
    }
  }

/** Whether the operator made the actor known. */
const isKnown = ({ via, grant }: CountedActor): boolean =>
  via === 'operator' || via === 'api-key' || grant?.apiKey !== undefined

/** Returns the `origin` of an actor by the client's address; undefined where addresses have no shares. */
export type OriginOf = (address: string | undefined) => string | undefined

/**
 * Makes the function that names origins: the same for all addresses of a site (IPv4 address, IPv6 /48), and meaningless
 * without the oracle's key, so that no row and no log holds an address.
 */
export const makeOriginOf = (
  access: LimitShareParts['access'],
  key: Pick<SigningKey, 'exportSecret'> | undefined,
): OriginOf => {
  if (access === 'delegated' || key === undefined) return () => undefined
  const secret = createHmac('sha256', key.exportSecret()).update('sibyl origin of requests').digest()
  return address =>
    address === undefined
      ? undefined
      : createHmac('sha256', secret).update(networksOf(address).site).digest('base64url').slice(0, 22)
}

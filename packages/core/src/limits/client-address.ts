import { normalAddress } from './ip-address.ts'

/** How far what proxies say is believed. */
export interface ProxyTrust {
  /** How many proxies of the operator's own stand in front; 0 believes nobody. */
  readonly hops: number
}

/** What a request shows of where it comes from. */
export interface AddressSigns {
  /** The other end of the socket. */
  readonly remoteAddress: string | undefined
  /** The X-Forwarded-For headers, joined by commas in the order they came. */
  readonly forwardedFor: string | undefined
}

/**
 * The address of the client.
 *
 * Each proxy adds the address it was called from at the right end of X-Forwarded-For, so with `n` proxies in front the
 * entry `n` from the right was written by the outermost of them; whatever stands left of it is the client's own word and
 * is never read. Where that entry is no address, the next one to its right counts, at last the socket's. `Forwarded`
 * (RFC 7239) is not read: a proxy that does not set it would pass on the client's.
 *
 * @returns the address in the form of `normalAddress`; undefined where nothing names one, as on a Unix socket
 * @example
 * clientAddress({ remoteAddress: '10.0.0.2', forwardedFor: '6.6.6.6, 203.0.113.9' }, { hops: 1 }) // '203.0.113.9'
 */
export const clientAddress = (
  { remoteAddress, forwardedFor }: AddressSigns,
  { hops }: ProxyTrust,
): string | undefined => {
  const socket = remoteAddress === undefined ? undefined : (normalAddress(remoteAddress) ?? remoteAddress)
  if (hops === 0 || forwardedFor === undefined) return socket
  return (
    lastEntries(forwardedFor, hops)
      .map(normalAddress)
      .find(address => address !== undefined) ?? socket
  )
}

/** At most so many entries from the right end of a list, in their order; what stands before is not looked at. */
const lastEntries = (list: string, count: number): string[] => {
  const entries: string[] = []
  for (let end = list.length; entries.length < count && end >= 0; ) {
    const comma = list.lastIndexOf(',', end - 1)
    const start = end === 0 ? 0 : comma + 1
    entries.unshift(list.slice(start, end))
    end = start - 1
  }
  return entries
}

import type { AddressList } from '@sibyl/plugin'
import { normalAddress } from '@sibyl/plugin/host'

export interface ProxyTrust {
  /** Number of proxies of the operator; 0 trusts none. */
  readonly hops: number
  /** The addresses of these proxies. */
  readonly from: Pick<AddressList, 'has'>
}

/** The origin of a request, as it shows itself. */
export interface AddressSigns {
  /** The peer address of the socket. */
  readonly remoteAddress: string | undefined
  /** The X-Forwarded-For headers, joined by commas in order. */
  readonly forwardedFor: string | undefined
}

/** The address of a client, and the setting that would trust its proxy. */
export interface ClientAddress {
  /** In the form of `normalAddress`; undefined if unknown, as on a Unix socket. */
  readonly address: string | undefined
  /** The variable that rejects a part of X-Forwarded-For. */
  readonly ignoredBy?: 'TRUST_PROXY_ENABLED' | 'TRUST_PROXY_FROM'
}

/**
 * Returns the address of the client.
 *
 * Each proxy adds the address it was called from at the right end of X-Forwarded-For. The list is read from the right,
 * one entry for each proxy. An entry counts only if the address before it, the socket's first, is that of a proxy:
 * everything further left is the client's own word. Reading ends at an entry that is not an address. `Forwarded`
 * (RFC 7239) is not read: a proxy that does not set it would pass on the client's.
 *
 * @example
 * const trust = { hops: 1, from: readAddressList('10.0.0.0/8') }
 * clientAddress({ remoteAddress: '10.0.0.2', forwardedFor: '6.6.6.6, 203.0.113.9' }, trust).address // '203.0.113.9'
 */
export const clientAddress = (
  { remoteAddress, forwardedFor }: AddressSigns,
  { hops, from }: ProxyTrust,
): ClientAddress => {
  let address = remoteAddress === undefined ? undefined : (normalAddress(remoteAddress) ?? remoteAddress)
  if (forwardedFor === undefined) return { address }
  if (hops === 0) return { address, ignoredBy: 'TRUST_PROXY_ENABLED' }
  for (const entry of lastEntries(forwardedFor, hops).reverse()) {
    if (address === undefined || !from.has(address)) return { address, ignoredBy: 'TRUST_PROXY_FROM' }
    const next = normalAddress(entry)
    if (next === undefined) break
    address = next
  }
  return { address }
}

/** Returns the last entries of a list, in order; earlier ones are not read. */
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

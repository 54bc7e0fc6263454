import { isIP } from 'node:net'
import { OutboundRefused } from './outbound-errors.ts'
import type { AddressRules } from './public-address.ts'

/** An address that a name stands for. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Looks a name up; all of its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Where a request may go: a URL, and the addresses that it is bound to. */
export interface CheckedTarget {
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
}

/**
 * Reads an address that somebody chose, without a look at the network.
 *
 * @throws OutboundRefused `outbound_refused`
 */
export const readTarget = (text: string | URL, base?: URL): URL => {
  if (!URL.canParse(text, base)) throw new OutboundRefused('url')
  const url = new URL(text, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new OutboundRefused('scheme')
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('credentials')
  const port = portOf(url)
  if (port !== 80 && port !== 443 && port < 1024) throw new OutboundRefused('port')
  return url
}

/** The port that a URL leads to. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** The host of a URL as `node:net` takes it: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Looks up where a URL leads. All of its addresses have to be allowed, so that no second look-up can change that.
 *
 * @throws OutboundRefused `outbound_refused`; and what the look-up throws
 */
export const checkTarget = async (url: URL, resolve: ResolveName, isAllowed: AddressRules): Promise<CheckedTarget> => {
  const host = hostOf(url)
  const family = isIP(host)
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }]
  if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address))) {
    throw new OutboundRefused('address')
  }
  return { url, addresses }
}

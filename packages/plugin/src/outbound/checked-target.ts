import { isIP } from 'node:net'
import { OutboundRefused } from './outbound-errors.ts'
import type { AddressRules } from './public-address.ts'

/** A resolved address of a host name. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Resolves a host name to all its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** The checked target of a request: a URL, and the addresses that it is bound to. */
export interface CheckedTarget {
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
}

/**
 * Parses an address that a user or a model chose, without network access.
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

/** Returns the port of a URL. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)

/** Returns the host of a URL for `node:net`: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Resolves the host of a URL. All its addresses have to be allowed, so that no second resolution can change the result.
 *
 * @throws OutboundRefused `outbound_refused`; and the errors of the resolution
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

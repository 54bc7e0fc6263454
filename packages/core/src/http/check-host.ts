import { normalAddress } from '@sibyl/plugin/host'
import type { WireRefusal } from './wire-refusals.ts'

/** Returns the reason why a Host header is rejected; undefined if it is accepted. */
export type HostCheck = (host: string | undefined) => WireRefusal | undefined

/**
 * Creates the check of the Host header for a server that listens on an address.
 *
 * A server on a loopback address serves its own names and the host of PUBLIC_URL, on any port. Any other name was
 * resolved to this computer by someone else: a web page that rebinds its domain to 127.0.0.1 could read the responses.
 * A server on another address serves every host.
 *
 * @param boundTo The address that the server listens on.
 */
export const checkHostOf = (boundTo: string, publicUrl: string | undefined): HostCheck => {
  if (!isLoopback(boundTo)) return () => undefined
  const own = boundTo.includes(':') ? `[${boundTo}]` : boundTo
  const served = new Set(['localhost', '127.0.0.1', '[::1]', own])
  if (publicUrl !== undefined) served.add(new URL(publicUrl).hostname)
  return host => (served.has(hostnameOf(host)) ? undefined : 'misdirected')
}

const isLoopback = (address: string): boolean => {
  const normal = normalAddress(address)
  return normal?.startsWith('127.') || normal === '0:0:0:0:0:0:0:1'
}

/** Returns the host name of a valid Host header, in lower case and without the port. */
const hostnameOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '')

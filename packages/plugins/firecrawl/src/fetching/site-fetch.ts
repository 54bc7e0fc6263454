import type { GuardedAnswer, GuardedFetch, GuardedRequest } from '@sibyl/plugin/outbound'
import type { PrivateHosts } from './allowed-hosts.ts'

/** The product token for robots.txt. */
export const robotName = 'SibylBot'

/** Returns the User-Agent of the oracle. @param did its did:web; the domain identifies the operator */
export const userAgentOf = (did: string): string => {
  const domain = decodeURIComponent(/^did:web:([^:]+)/.exec(did)?.[1] ?? '')
  const isPublic = /^[a-z0-9.-]+\.[a-z]{2,}$/i.test(domain)
  return isPublic ? `${robotName}/1.0 (+https://${domain})` : `${robotName}/1.0`
}

/** Sends one GET, without following redirects. */
export type SiteFetch = (
  address: URL,
  request: Pick<GuardedRequest, 'maxBytes' | 'onHead'> & { readonly signal: AbortSignal },
) => Promise<GuardedAnswer>

/** Identity of the oracle for sites, and the hosts that it may read. */
export interface SiteFetchOptions {
  readonly fetch: GuardedFetch
  readonly userAgent: string
  readonly isPrivateAllowed: PrivateHosts
  /** Time limit of one request, in milliseconds. */
  readonly timeLimitMs: number
}

export const createSiteFetch =
  ({ fetch, userAgent, isPrivateAllowed, timeLimitMs }: SiteFetchOptions): SiteFetch =>
  (address, request) =>
    fetch(address, {
      ...request,
      headers: { 'user-agent': userAgent, accept: 'text/html,application/xhtml+xml,text/*;q=0.8,*/*;q=0.5' },
      maxRedirects: 0,
      timeLimitMs,
      allowPrivate: isPrivateAllowed(address),
    })

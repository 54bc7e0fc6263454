import type { GuardedAnswer, GuardedFetch, GuardedRequest } from '@sibyl/plugin/outbound'
import type { PrivateHosts } from './allowed-hosts.ts'

/** The product token that sites name in robots.txt. */
export const robotName = 'SibylBot'

/** How the oracle presents itself to sites. @param did its did:web; the domain tells whose robot it is */
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

/** How sites see the oracle, and which it may see. */
export interface SiteFetchOptions {
  readonly fetch: GuardedFetch
  readonly userAgent: string
  readonly isPrivateAllowed: PrivateHosts
  /** Milliseconds that one request may take. */
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

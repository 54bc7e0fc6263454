import type { Clock } from '@sibyl/plugin'
import { OutboundRefused } from '@sibyl/plugin/outbound'
import { decompress } from './decompress.ts'
import { allowAll, maxRobotsBytes, type RobotsRules, readRobots } from './robots-rules.ts'
import type { SiteFetch } from './site-fetch.ts'

/** Rules of sites for robots, cached. */
export interface SiteRobots {
  /**
   * Returns the rules of an address's site; `refused` while they are unavailable. Throws `OutboundRefused` and the
   * signal's reason.
   */
  rulesOf(address: URL, signal: AbortSignal): Promise<RobotsRules | 'refused'>
}

export interface SiteRobotsOptions {
  readonly fetch: SiteFetch
  /** Product token of the robot. */
  readonly robot: string
  readonly clock: Clock
}

const keptMs = 3_600_000
/** Pause before the rules of a failing site are requested again. */
const failureKeptMs = 60_000
const maxSites = 500
/** RFC 9309 §2.3.1.2 requires at least five. */
const maxRedirects = 5

/** Requests the rules of sites, and caches them for an hour. */
export const createSiteRobots = ({ fetch, robot, clock }: SiteRobotsOptions): SiteRobots => {
  const kept = new Map<string, { readonly rules: RobotsRules | 'refused'; readonly until: number }>()

  const ask = async (origin: string, signal: AbortSignal): Promise<RobotsRules | 'refused'> => {
    let address = new URL('/robots.txt', origin)
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const { status, headers, body, isComplete } = await fetch(address, { maxBytes: maxRobotsBytes, signal })
      if (status >= 200 && status < 300) {
        const encoding = headers.get('content-encoding')
        const { bytes } = await decompress(body, encoding, isComplete, maxRobotsBytes, signal)
        return readRobots(new TextDecoder().decode(bytes), robot)
      }
      if (status >= 500) return 'refused'
      const location = headers.get('location')
      if (status < 300 || status >= 400 || location === null || !URL.canParse(location, address)) return allowAll
      address = new URL(location, address)
    }
    return allowAll
  }

  return {
    async rulesOf({ origin }, signal) {
      const known = kept.get(origin)
      if (known && clock.now() < known.until) return known.rules
      const rules = await ask(origin, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        if (error instanceof OutboundRefused) throw error
        return 'refused' as const
      })
      const until = clock.now() + (rules === 'refused' ? failureKeptMs : keptMs)
      kept.delete(origin)
      kept.set(origin, { rules, until })
      const [oldest] = kept.keys()
      if (kept.size > maxSites && oldest !== undefined) kept.delete(oldest)
      return rules
    },
  }
}

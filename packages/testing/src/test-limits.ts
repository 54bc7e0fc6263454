import type { Host } from '@sibyl/plugin'
import { makeLine, makePlaces, makeShareOf } from '@sibyl/plugin/host'

/** Makes `host.limits` for a part of a plugin that is tested without an oracle; it counts no rates. */
export const testLimits = (
  access: 'open' | 'delegated' = 'delegated',
): Pick<Host['limits'], 'places' | 'line' | 'shareOf'> => {
  const shareOf = makeShareOf({ access, percent: 25, isTrusted: () => false })
  return { places: limits => makePlaces(limits, shareOf), line: limits => makeLine(limits, shareOf), shareOf }
}

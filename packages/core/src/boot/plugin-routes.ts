import type { Route } from '@sibyl/plugin'
import { accessOf, type OwnedRoute } from '../http/route-chain.ts'
import { readExclusion } from '../plugins/excluded-routes.ts'
import type { ReadyPlugin } from '../plugins/plugin-lifecycle.ts'
import { readRouteTemplate } from '../plugins/route-template.ts'

/**
 * Returns the routes of a plugin with their access. If the plugin has `getAuthExcludedRoutes`, a listed route with a
 * UCAN is open, and a public or `own` one that is not listed needs a UCAN. Routes for the operator or API keys keep
 * their access.
 */
export const pluginRoutes = ({ plugin, parts }: Pick<ReadyPlugin, 'plugin' | 'parts'>): OwnedRoute[] => {
  const listed = parts.getAuthExcludedRoutes?.().map(readExclusion)
  const isListed = ({ definition: { method, path } }: Route): boolean => {
    const template = readRouteTemplate(method, path)
    if (typeof template === 'string') return false
    return listed?.some(one => typeof one === 'object' && one.names(template)) ?? false
  }
  return (parts.routes ?? []).map(route => ({
    owner: plugin.name,
    route,
    locked: listed !== undefined && (route.access === 'public' || route.access === 'own') && !isListed(route),
    opened: listed !== undefined && typeof route.access === 'object' && 'ucan' in route.access && isListed(route),
  }))
}

/** Returns the number of routes of a plugin that need no credential. */
export const countPublicRoutes = (plugin: Pick<ReadyPlugin, 'plugin' | 'parts'>): number =>
  pluginRoutes(plugin).filter(owned => accessOf(owned) === 'public').length

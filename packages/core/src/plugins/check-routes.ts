import type { PluginParts } from '@sibyl/plugin'
import { type Access, type BootProblem, isPlainAbility } from '@sibyl/plugin/host'
import { switchOff } from '../config/env-problem.ts'
import { describeType } from '../errors/describe-value.ts'
import { readExclusion } from './excluded-routes.ts'
import { pluginProblem } from './plugin-problem.ts'
import { covers, overlaps, type RouteTemplate, readRouteTemplate } from './route-template.ts'

/** A route by method and path, such as the `definition` of one created by `route`. */
export interface RouteAddress {
  readonly method: string
  readonly path: string
}

/** A validated route with its owner. */
export interface CheckedRoute {
  /** The name of a plugin; undefined for core. */
  readonly plugin: string | undefined
  readonly template: RouteTemplate
  readonly access?: Access
}

/** Reads the routes of core, to compare those of plugins with. */
export const readCoreRoutes = (routes: readonly RouteAddress[]): CheckedRoute[] =>
  routes.flatMap(({ method, path }) => {
    const template = readRouteTemplate(method, path)
    return typeof template === 'string' ? [] : [{ plugin: undefined, template }]
  })

/**
 * Checks the routes of a plugin separately and against earlier ones.
 *
 * @param taken The routes of core and of earlier plugins; those of the plugin are added.
 */
export const checkRoutes = (plugin: string, parts: PluginParts, taken: CheckedRoute[]): BootProblem[] => {
  const routes: unknown = parts.routes ?? []
  if (!Array.isArray(routes))
    return [routeProblem(plugin, `returned routes that are ${describeType(routes)}, not a list`)]
  const problems: BootProblem[] = []
  const own: CheckedRoute[] = []
  for (const [position, route] of routes.entries()) {
    const read = readRoute(plugin, route, position)
    if ('headline' in read) {
      problems.push(read)
      continue
    }
    const collision =
      own.find(earlier => covers(earlier.template, read.template)) ??
      taken.find(other => overlaps(other.template, read.template))
    if (collision) problems.push(routeTaken(collision, read))
    own.push(read)
  }
  taken.push(...own)
  return [...problems, ...checkExclusions(plugin, parts, own)]
}

const readRoute = (plugin: string, route: unknown, position: number): CheckedRoute | BootProblem => {
  const place = `routes[${position}]`
  if (typeof route !== 'object' || route === null) {
    return routeProblem(plugin, `gave back ${place} that is ${describeType(route)}`)
  }
  const { access, definition, handle, rateLimit, admit, refuse } = route as Record<string, unknown>
  const { method, path, getRoutingPath } = (definition ?? {}) as Record<string, unknown>
  const name = typeof method === 'string' && typeof path === 'string' ? `${method.toUpperCase()} ${path}` : place
  if (typeof getRoutingPath !== 'function' || typeof handle !== 'function') {
    const violation = 'has a route that was not created by route.get, route.post and so on'
    return routeProblem(plugin, `${violation}: ${name.slice(0, 120)}`)
  }
  const template = readRouteTemplate(method, path)
  if (typeof template === 'string') {
    return routeProblem(plugin, `has an invalid route ${name.slice(0, 120)}`, `${capital(template)}.`)
  }
  if (!isAccess(access)) {
    const remedy = "Give 'public', 'operator', 'own', { ucan: 'word/word' } or { apiKey: 'VARIABLE' }."
    return routeProblem(plugin, `does not define the access of ${name}`, remedy)
  }
  if (!isRateLimit(rateLimit)) {
    const remedy = 'Set { name, perMinute }, false, or a function that returns one of them for a request.'
    return routeProblem(plugin, `has an invalid rate limit at ${name}`, remedy)
  }
  for (const [option, given] of Object.entries({ admit, refuse })) {
    if (given === undefined || typeof given === 'function') continue
    return routeProblem(plugin, `has ${option} at ${name} that is ${describeType(given)}, not a function`)
  }
  return { plugin, template, access }
}

const isRateLimit = (limit: unknown): boolean => {
  if (limit === undefined || limit === false || typeof limit === 'function') return true
  const { name, perMinute } = (limit ?? {}) as Record<string, unknown>
  return (
    typeof name === 'string' &&
    /^[a-z][a-z0-9-]{0,39}$/.test(name) &&
    Number.isInteger(perMinute) &&
    Number(perMinute) >= 0
  )
}

const isAccess = (access: unknown): access is Access => {
  if (access === 'public' || access === 'operator' || access === 'own') return true
  if (typeof access !== 'object' || access === null) return false
  const { ucan, apiKey, orUcan } = access as Record<string, unknown>
  if (ucan !== undefined) return isPlainAbility(ucan) && apiKey === undefined
  if (typeof apiKey !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(apiKey)) return false
  return orUcan === undefined || isPlainAbility(orUcan)
}

/** Checks the list of routes without a UCAN of a plugin. */
const checkExclusions = (plugin: string, parts: PluginParts, own: readonly CheckedRoute[]): BootProblem[] => {
  if (parts.getAuthExcludedRoutes === undefined) return []
  const list: unknown = parts.getAuthExcludedRoutes()
  if (!Array.isArray(list)) {
    return [routeProblem(plugin, `returned ${describeType(list)} from getAuthExcludedRoutes, not a list`)]
  }
  return list.flatMap((entry: unknown) => {
    const exclusion = readExclusion(entry)
    if (typeof exclusion === 'string') {
      const line = `An entry is invalid: ${exclusion}.`
      return [routeProblem(plugin, 'excludes a value from UCAN that is not a route', line)]
    }
    const { text, isWildcard } = exclusion
    const named = own.filter(({ template }) => exclusion.names(template))
    if (named.length === 0) return [routeProblem(plugin, `excludes a route from UCAN that it does not have: ${text}`)]
    const closed = named.filter(({ access }) => isClosed(access))
    if (isWildcard ? closed.length < named.length : closed.length === 0) return []
    const remedy = "Set another access, such as 'public', or remove the route from getAuthExcludedRoutes."
    return [routeProblem(plugin, `excludes ${text} from UCAN although it is for the operator or for API keys`, remedy)]
  })
}

/** Returns whether an access cannot be opened. */
const isClosed = (access: Access | undefined): boolean =>
  access === 'operator' || (typeof access === 'object' && 'apiKey' in access)

const routeTaken = (earlier: CheckedRoute, later: CheckedRoute): BootProblem => {
  const plugin = later.plugin!
  const of = (route: CheckedRoute) => (route.plugin === undefined ? 'core' : `plugin '${route.plugin}'`)
  const remedy =
    earlier.plugin === plugin
      ? 'Remove one, or put the narrower one first.'
      : `Change the path of one of them, or disable the plugin: ${switchOff(plugin)}`
  return {
    code: 'route_taken',
    headline: `Routes collide: ${later.template.text} of ${of(later)} and ${earlier.template.text} of ${of(earlier)}`,
    lines: ['Some requests match both, and the later one would never handle them.', remedy],
    plugin,
  }
}

const routeProblem = (plugin: string, violation: string, line = 'Create it with route.get, route.post and so on.') =>
  pluginProblem({ code: 'route_invalid', plugin }, violation, line)

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

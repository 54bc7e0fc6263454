import { ussdErrors } from '../errors/ussd-errors.ts'
import type { ProviderRoute, UssdProvider } from './ussd-provider.ts'

/** Reserved names below `/api/ussd`. */
const takenNames: ReadonlySet<string> = new Set(['plain', 'debug', 'sessions', 'customers', 'keys'])

/** Maximum time within which the same text is the same request, in milliseconds. */
const maxWindowMs = 30_000

/** @throws `ussd_provider_invalid` with every problem of a provider's definition */
export const checkProvider = (provider: Pick<UssdProvider, 'name' | 'title' | 'routes' | 'limits' | 'duplicates'>) => {
  const violations = [...nameViolations(provider.name), ...routeViolations(provider.routes)]
  if (provider.title.trim() === '') violations.push('title is empty: give it the name people know')
  const { gsm7, ucs2 } = provider.limits
  if (!isBetween(gsm7, 60, 182)) violations.push(`limits.gsm7 is ${gsm7}: a message holds 60 to 182 septets`)
  if (!isBetween(ucs2, 30, 80)) violations.push(`limits.ucs2 is ${ucs2}: a message holds 30 to 80 code units`)
  const { duplicates } = provider
  if (typeof duplicates === 'object' && !isBetween(duplicates.windowMs, 1, maxWindowMs)) {
    violations.push(`duplicates.windowMs is ${duplicates.windowMs}: choose 1 to ${maxWindowMs} milliseconds`)
  }
  if (violations.length === 0) return
  const facts = { provider: provider.name, faults: violations }
  throw ussdErrors.ussd_provider_invalid(
    { provider: JSON.stringify(provider.name), problems: violations.join('; ') },
    { facts },
  )
}

const nameViolations = (name: string): string[] => {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40) {
    return ['name stands in a path: use small letters, digits and hyphens, at most 40']
  }
  return takenNames.has(name)
    ? [`name is taken by a route of the plugin: choose another than ${[...takenNames].join(', ')}`]
    : []
}

const routeViolations = (routes: readonly ProviderRoute[]): string[] => {
  if (routes.length === 0) return ['routes is empty: name at least one']
  const known = new Set<string>()
  return routes.flatMap(({ method, path, takes }) => {
    const violations: string[] = []
    const route = `${method.toUpperCase()} ${path === '' ? "''" : path}`
    if (!/^(\/([a-z0-9-]+|\{[a-zA-Z][a-zA-Z0-9]*\}))*$/.test(path)) {
      violations.push(`the path of ${route} is neither empty nor like /session/{id}/start`)
    }
    if ((method === 'get') !== (takes === 'query'))
      violations.push(`${route} takes ${takes}: GET takes query, the others json or form`)
    if (known.has(route)) violations.push(`${route} stands twice`)
    known.add(route)
    return violations
  })
}

const isBetween = (given: number, least: number, max: number) =>
  Number.isInteger(given) && given >= least && given <= max

import { type RouteTemplate, readRouteTemplate, sameSegments } from './route-template.ts'

/** A parsed entry of `getAuthExcludedRoutes`. */
export interface RouteExclusion {
  /** The original text, for messages: `GET /reports/*`. */
  readonly text: string
  /** Whether it has a `*`, so that it may match several routes. */
  readonly isWildcard: boolean
  /** Returns whether it matches a registered route. It is never applied to the path of a request. */
  names(route: RouteTemplate): boolean
}

/**
 * Parses an entry: a method or `*`, and the path of a route, in which `*` matches one segment, and at the end one or
 * more.
 *
 * @returns the error as text, if it is invalid
 */
export const readExclusion = (entry: unknown): RouteExclusion | string => {
  const { method, path } = (entry ?? {}) as Record<string, unknown>
  if (typeof method !== 'string' || typeof path !== 'string') {
    const read = readRouteTemplate(method, path)
    return typeof read === 'string' ? read : 'its method or path is not a string'
  }
  const parts = path.split('/')
  const stars = parts.map(part => part === '*')
  const plain = parts.map((part, place) => (stars[place] ? 'any' : part)).join('/')
  const template = readRouteTemplate(method === '*' ? 'get' : method, plain)
  if (typeof template === 'string') return template
  return {
    text: `${method.toUpperCase()} ${path}`,
    isWildcard: method === '*' || stars.includes(true),
    names: route =>
      (method === '*' || route.method === template.method) &&
      sameSegments(template.segments, route.segments, stars.slice(1)),
  }
}

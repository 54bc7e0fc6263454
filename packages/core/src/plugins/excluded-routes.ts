import { type RouteTemplate, readRouteTemplate, sameSegments } from './route-template.ts'

/** One entry of `getAuthExcludedRoutes`, read. */
export interface RouteExclusion {
  /** As it was written, for messages: `GET /reports/*`. */
  readonly text: string
  /** Whether it has a `*`, so that it may stand for several routes. */
  readonly isWildcard: boolean
  /** Reports whether it names a route. It is asked about registered routes alone, never about the path of a request. */
  names(route: RouteTemplate): boolean
}

/**
 * Reads an entry: a method or `*`, and the path of a route, in which `*` stands for one segment, and at the end for one or
 * more.
 *
 * @returns what is wrong with it, as text, if it cannot be read
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

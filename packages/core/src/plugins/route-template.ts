/** One part of a path between slashes. */
type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'value'; readonly form?: RegExp }
  | { readonly kind: 'rest' }

/** The requests of a route: a method, with HEAD as GET, and a path without parameter names. */
export interface RouteTemplate {
  readonly method: string
  readonly segments: readonly Segment[]
  /** The original text, for messages: `GET /weather/{city}`. */
  readonly text: string
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head'])
const parameter = /^(?:\{([a-z]\w*)\}|:([a-z]\w*)|[:{]([a-z]\w*)\{(\.\+|\[[\w-]+\]\+)\}\}?)$/i

/**
 * Parses a method and a path template: literal segments of letters, digits and `. _ ~ @ -`, with `:` between them, and
 * parameters `{name}` or `:name`, with `{name{[0-9]+}}` for one kind of characters and `{name{.+}}` at the end for the rest.
 *
 * @returns the error as text, if it is invalid
 */
export const readRouteTemplate = (method: unknown, path: unknown): RouteTemplate | string => {
  if (typeof method !== 'string' || !methods.has(method.toLowerCase())) {
    return 'its method is not one of get, post, put, patch, delete and head'
  }
  if (typeof path !== 'string' || !path.startsWith('/')) return 'its path does not begin with a slash'
  if (path.length > 300) return 'its path is longer than 300 characters'
  const parts = path === '/' ? [] : path.slice(1).split('/')
  const segments: Segment[] = []
  for (const [index, part] of parts.entries()) {
    const segment = readSegment(part)
    if (typeof segment === 'string') return segment
    if (segment.kind === 'rest' && index < parts.length - 1)
      return 'its parameter for the rest of the path is not at the end'
    segments.push(segment)
  }
  const upper = method.toUpperCase()
  return { method: upper === 'HEAD' ? 'GET' : upper, segments, text: `${upper} ${path}` }
}

const readSegment = (part: string): Segment | string => {
  if (part === '') return 'its path has an empty segment or ends with a slash'
  if (part === '.' || part === '..') return 'its path has a segment of dots'
  const match = parameter.exec(part)
  if (match) {
    const form = match[4]
    if (form === '.+') return { kind: 'rest' }
    return form === undefined ? { kind: 'value' } : { kind: 'value', form: new RegExp(`^${form}$`) }
  }
  if (!/^[\w.~@-]+(?::[\w.~@-]+)*$/.test(part))
    return 'its path has a segment that is neither plain text nor a parameter'
  return { kind: 'literal', text: part }
}

/** Returns whether a request may match both. */
export const overlaps = (one: RouteTemplate, other: RouteTemplate): boolean =>
  one.method === other.method && walk(one.segments, other.segments, mayMeet)

const mayMeet = (one: Segment, other: Segment): boolean =>
  (one.kind === 'value' && other.kind === 'value') || fits(one, other) || fits(other, one)

/** Returns whether every request that matches the second also matches the first. */
export const covers = (one: RouteTemplate, other: RouteTemplate): boolean =>
  one.method === other.method && walk(one.segments, other.segments, fits, false)

/** Returns whether the segments of two routes are equal, ignoring parameter names; a star matches any segment. */
export const sameSegments = (
  wanted: RouteTemplate['segments'],
  segments: RouteTemplate['segments'],
  stars: readonly boolean[],
): boolean => {
  const isOpenEnd = wanted.length > 0 && stars[wanted.length - 1] === true
  if (isOpenEnd ? segments.length < wanted.length : segments.length !== wanted.length) return false
  return wanted.every((one, place) => stars[place] || (fits(one, segments[place]!) && fits(segments[place]!, one)))
}

const walk = (
  one: readonly Segment[],
  other: readonly Segment[],
  fit: (left: Segment, right: Segment) => boolean,
  bothWays = true,
): boolean => {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const left = one[index]
    const right = other[index]
    if (!left || !right) return false
    if (left.kind === 'rest' || (bothWays && right.kind === 'rest')) return true
    if (!fit(left, right)) return false
  }
  return true
}

/**
 * Returns whether the first segment matches everything that the second does; patterns are compared for equality only.
 */
const fits = (wide: Segment, narrow: Segment): boolean => {
  if (wide.kind === 'rest') return true
  if (wide.kind === 'literal') return narrow.kind === 'literal' && narrow.text === wide.text
  if (!wide.form) return narrow.kind !== 'rest'
  if (narrow.kind === 'literal') return wide.form.test(narrow.text)
  return narrow.kind === 'value' && narrow.form?.source === wide.form.source
}

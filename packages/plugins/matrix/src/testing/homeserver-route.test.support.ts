import type { HomeserverState, Login } from './homeserver-state.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'

/** A request that a route takes. */
export interface RouteRequest {
  readonly state: HomeserverState
  /** Whose token it bears. Throws 401 where it bears none that is good. */
  readonly login: Login
  /** The parts of the path that the route leaves open, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** What a sync is to do wrong. */
  readonly wrong: 'repeat' | 'reverse' | undefined
}

/** An endpoint of the client-server API. */
export interface HomeserverRoute {
  readonly method: string
  /** Behind `/_matrix/client/v3/`, with open parts as `:name`. */
  readonly path: string
  /** The name under which tests make it fail and find its requests: `sync`, `send`, `login`. */
  readonly operation: string
  answer(request: RouteRequest): unknown
}

/** Makes an endpoint. @example route('GET', 'joined_rooms', 'joined_rooms', ({ login }) => ({ joined_rooms: [] })) */
export const route = (
  method: string,
  path: string,
  operation: string,
  answer: HomeserverRoute['answer'],
): HomeserverRoute => ({ method, path, operation, answer })

/** The open parts of a path that a route is for; undefined where it is for another. */
export const matchRoute = (
  { path }: HomeserverRoute,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  const wanted = path.split('/')
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [place, name] of wanted.entries()) {
    const segment = segments[place] ?? ''
    if (name.startsWith(':')) params[name.slice(1)] = segment
    else if (name !== segment) return undefined
  }
  return params
}

/** A text of a body; 400 where it is none. */
export const textOf = (body: RouteRequest['body'], name: string): string => {
  const value = body[name]
  if (typeof value === 'string') return value
  throw new MatrixRefusal(400, 'M_BAD_JSON', `${name} is no string`)
}

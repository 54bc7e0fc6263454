/** The allowed headers and methods of pages of other origins. */
const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, idempotency-key, if-match, if-none-match, mcp-method, mcp-name, ' +
    'mcp-protocol-version, mcp-session-id, x-request-id',
  'access-control-max-age': '7200',
}

const exposed = {
  'access-control-expose-headers':
    'etag, location, mcp-session-id, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id, x-vercel-ai-ui-message-stream',
}

/** The parts of a request for cross-origin rules. */
export interface CrossOriginRequest {
  readonly method: string
  header(name: string): string | undefined
}

/** The result of cross-origin rules. */
export interface CrossOriginAnswer {
  /** Headers of any response. */
  readonly headers: Readonly<Record<string, string>>
  /** Set for a preflight request, which is answered with these headers and 204. */
  readonly preflight: boolean
}

/** Stands for the origins of this computer. It cannot collide with `CORS_ORIGIN`, since it is not an origin. */
export const localOrigins = 'localhost'
const isLocal = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

const nothing: CrossOriginAnswer = { headers: {}, preflight: false }

/**
 * Creates the cross-origin rules (the CORS protocol of the Fetch standard). Ambient credentials of browsers are never
 * allowed: callers send a bearer.
 *
 * @param origins Exact origins, `*` for any, or `localhost` for any port of this computer; if empty, no header is
 * added.
 */
export const crossOriginRules = (origins: readonly string[]): ((request: CrossOriginRequest) => CrossOriginAnswer) => {
  const any = origins.includes('*')
  const local = origins.includes(localOrigins)
  const known = new Set(origins.filter(origin => origin !== localOrigins))
  return request => {
    if (origins.length === 0) return nothing
    const vary: Record<string, string> = any ? {} : { vary: 'Origin' }
    const origin = request.header('origin')
    if (origin === undefined || !(any || known.has(origin) || (local && isLocal.test(origin))))
      return { headers: vary, preflight: false }
    const headers = {
      ...vary,
      'access-control-allow-origin': any ? '*' : origin,
      'cross-origin-resource-policy': 'cross-origin',
    }
    const preflight = request.method === 'OPTIONS' && request.header('access-control-request-method') !== undefined
    return { headers: { ...headers, ...(preflight ? allowed : exposed) }, preflight }
  }
}

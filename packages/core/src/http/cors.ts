/** What a page of another origin may send and read. */
const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, idempotency-key, if-match, if-none-match, x-request-id',
  'access-control-max-age': '7200',
}

const exposed = {
  'access-control-expose-headers':
    'etag, location, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id, x-vercel-ai-ui-message-stream',
}

/** A request as far as cross-origin rules go. */
export interface CrossOriginRequest {
  readonly method: string
  header(name: string): string | undefined
}

/** What cross-origin rules say of a request. */
export interface CrossOriginAnswer {
  /** Headers of the answer, whatever it is. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is a question that these headers alone answer, with 204. */
  readonly preflight: boolean
}

/** Stands for the origins of this computer. `CORS_ORIGIN` cannot name it, since it is no origin. */
export const localOrigins = 'localhost'
const isLocal = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

const nothing: CrossOriginAnswer = { headers: {}, preflight: false }

/**
 * Makes the cross-origin rules (the CORS protocol of the Fetch standard). Credentials that browsers add by themselves
 * are never allowed: callers send a bearer.
 *
 * @param origins Exact origins, `*` for any, or `localhost` for any port of this computer; with none no header is ever
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

import type { ServerResponse } from 'node:http'

/** Headers of every response: its content is data, only for the caller. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** A year, the minimum of browsers for preloading. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000' }

/**
 * Returns the headers of every response; a route overrides one by setting the same name.
 *
 * @param publicUrl The public URL of the oracle; with https, browsers are instructed to use only https.
 */
export const answerHeadersFor = (publicUrl: string | undefined): Readonly<Record<string, string>> => ({
  ...securityHeaders,
  ...(publicUrl?.startsWith('https:') ? strictTransport : {}),
})

/**
 * Adds headers to a pending response of Node's server; headers of the same name that the response sets itself take
 * precedence. This is ten times cheaper than changing a `Response`, which would have to be created first. Responses
 * that were already sent stay unchanged.
 */
export const addOutgoingHeaders = (outgoing: ServerResponse, headers: Readonly<Record<string, string>>): void => {
  if (outgoing.headersSent) return
  for (const name in headers) outgoing.setHeader(name, headers[name]!)
}

/** Adds headers to a response that has none of the same name. */
export const addHeaders = (answer: Headers, headers: Readonly<Record<string, string>>): void => {
  for (const name in headers) if (!answer.has(name)) answer.set(name, headers[name]!)
}

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

import { Problem, readProblem, unreachable } from './problem.ts'

/** Values of a query string; undefined and empty ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Reads a body: a zod schema, or `withMembers` in the first scripts, which have no zod. */
export interface BodySchema<Body> {
  parse(body: unknown): Body
}

export interface ApiRequest {
  readonly query?: Query
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** Sends a request, and returns the body of its response; without a schema, the body is not checked. */
interface JsonRequest {
  <Body>(path: string, request: ApiRequest & { readonly schema: BodySchema<Body> }): Promise<Body>
  (path: string, request?: ApiRequest): Promise<unknown>
}

/** Sends requests to the oracle as the user. Failures are thrown as `Problem`. */
export interface ApiClient {
  readonly get: JsonRequest
  readonly post: JsonRequest
  readonly put: JsonRequest
  readonly patch: JsonRequest
  readonly delete: JsonRequest
  /** Sends any request, and returns its response if it is successful: for files and streams. */
  send(method: string, path: string, request?: ApiRequest): Promise<Response>
  /** A `fetch` for libraries, with the credential of the user. Does not throw for rejected requests. */
  readonly fetch: typeof fetch
  /** Returns the absolute URL of a path. */
  url(path: string, query?: Query): string
}

/** Supplies access tokens. */
export interface AccessTokens {
  /** Returns a valid token. @param rejected A token that the oracle rejected, which is replaced. */
  accessToken(rejected?: string): Promise<string | undefined>
}

/** Codes of a 401 that a new token does not change: the route needs another right. */
const rightMissing = new Set(['operator_token_needed', 'api_key_needed'])

export const createApiClient = (oracle: URL, tokens: AccessTokens): ApiClient => {
  const url = (path: string, query: Query = {}): string => {
    const address = new URL(path.replace(/^\//, ''), oracle)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== '') address.searchParams.set(name, String(value))
    return address.href
  }
  const authorized: typeof fetch = async (input, init) => {
    const token = await tokens.accessToken()
    const response = await fetch(input, withToken(init, token))
    if (response.status !== 401 || token === undefined) return response
    const problem = await readProblem(response.clone())
    if (rightMissing.has(problem.code)) return response
    const next = await tokens.accessToken(token)
    return next === undefined || isStream(init) ? response : fetch(input, withToken(init, next))
  }
  const send: ApiClient['send'] = async (method, path, { query, body, headers, signal } = {}) => {
    const isJson = body !== undefined && !(body instanceof Blob)
    const response = await authorized(url(path, query), {
      method,
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      throw signal?.aborted ? error : unreachable(error)
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }
  const json =
    (method: string): JsonRequest =>
    async <Body>(path: string, { schema, ...request }: ApiRequest & { readonly schema?: BodySchema<Body> } = {}) => {
      const response = await send(method, path, request)
      const text = await response.text()
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      return schema === undefined ? body : readBody(response, body, schema)
    }
  return {
    get: json('GET'),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: json('DELETE'),
    send,
    fetch: authorized,
    url,
  }
}

/** Reads a response by its schema. @throws Problem `response_unexpected` if it has another form */
export const readBody = <Body>({ status }: Response, body: unknown, schema: BodySchema<Body>): Body => {
  try {
    return schema.parse(body)
  } catch (cause) {
    throw Object.assign(new Problem(status, 'response_unexpected', 'The response has an unexpected form.'), { cause })
  }
}

const withToken = (init: RequestInit | undefined, token: string | undefined): RequestInit => {
  const headers = new Headers(init?.headers)
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

const isStream = (init: RequestInit | undefined): boolean => init?.body instanceof ReadableStream

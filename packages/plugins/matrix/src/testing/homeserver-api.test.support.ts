import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountRoutes } from './account-routes.test.support.ts'
import type { Changes } from './changes.test.support.ts'
import type { Failures, Wrong } from './failure.test.support.ts'
import type { HomeserverRequest } from './homeserver-request.test.support.ts'
import { type HomeserverRoute, matchRoute, route } from './homeserver-route.test.support.ts'
import type { HomeserverState, Login } from './homeserver-state.test.support.ts'
import { keyRoutes } from './key-routes.test.support.ts'
import { MatrixRefusal } from './matrix-event.test.support.ts'
import { messageRoutes } from './message-routes.test.support.ts'
import { roomRoutes } from './room-routes.test.support.ts'
import { syncRoute } from './sync-route.test.support.ts'

const versions = ['v1.1', 'v1.2', 'v1.3', 'v1.4', 'v1.5', 'v1.6', 'v1.7', 'v1.8', 'v1.9', 'v1.10', 'v1.11']

/** The largest body of a request, in bytes. */
const largestBody = 1_000_000

/** The homeserver behind its endpoints. */
export interface ServedHomeserver {
  readonly url: string
  readonly state: HomeserverState
  readonly changes: Changes
  readonly faults: Failures
  /** Aborts with all that hangs. */
  readonly released: AbortController
  /** Remembers a request. */
  record(request: HomeserverRequest): void
  /** Keeps what changed, before it is answered. */
  save(): void
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text: string | Uint8Array
}

const json = (status: number, body: unknown): Answer => ({ status, text: JSON.stringify(body) })

/** The endpoints of a homeserver, and what goes wrong with them. */
export class HomeserverApi {
  readonly #homeserver: ServedHomeserver
  readonly #routes: readonly HomeserverRoute[]

  /** @param registrationToken What one must know to register; undefined lets anybody. */
  constructor(homeserver: ServedHomeserver, registrationToken: string | undefined) {
    this.#homeserver = homeserver
    this.#routes = [
      route('GET', 'versions', 'versions', () => ({ versions, unstable_features: {} })),
      syncRoute(homeserver.changes),
      ...accountRoutes(registrationToken),
      ...roomRoutes(),
      ...messageRoutes(),
      ...keyRoutes(),
    ]
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const homeserver = this.#homeserver
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const signal = AbortSignal.any([gone.signal, homeserver.released.signal])
    const url = new URL(request.url ?? '/', homeserver.url)
    const { found, params } = this.#find(request.method ?? '', url.pathname)
    const login = this.#loginOf(request)
    const read = await readBody(request)
    const record: HomeserverRequest = {
      operation: found?.operation ?? 'unknown',
      method: request.method ?? '',
      path: decoded(url.pathname + url.search),
      user: login?.userId,
      body: typeof read === 'object' ? read : undefined,
      at: Date.now(),
    }
    homeserver.record(record)
    const wrong = homeserver.faults.next(record)
    if (wrong && 'delayMs' in wrong) await sleep(wrong.delayMs, undefined, { signal }).catch(() => {})
    if (wrong && 'hang' in wrong) await until(signal)
    if (gone.signal.aborted) return
    if (wrong && ('cut' in wrong || 'hang' in wrong)) {
      response.destroy()
      return
    }
    const answer =
      wrong && 'status' in wrong
        ? { ...wrong, text: wrong.body }
        : await this.#answer(found, { params, url, login, read, signal, wrong })
    homeserver.save()
    if (wrong && 'afterwards' in wrong) {
      if (wrong.afterwards === 'hang') await until(signal)
      response.destroy()
      return
    }
    record.status = answer.status
    homeserver.changes.report()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.text)
  }

  async #answer(
    found: HomeserverRoute | undefined,
    request: {
      readonly params: Readonly<Record<string, string>>
      readonly url: URL
      readonly login: Login | undefined
      readonly read: Readonly<Record<string, unknown>> | 'too large' | 'no json'
      readonly signal: AbortSignal
      readonly wrong: Wrong | undefined
    },
  ): Promise<Answer> {
    const { params, url, login, read, signal, wrong } = request
    const { state } = this.#homeserver
    try {
      if (!found) throw new MatrixRefusal(404, 'M_UNRECOGNIZED', 'Unrecognized request')
      if (read === 'too large') throw new MatrixRefusal(413, 'M_TOO_LARGE', 'The body is too large')
      if (read === 'no json') throw new MatrixRefusal(400, 'M_NOT_JSON', 'The body is no JSON object')
      const body = await found.answer({
        state,
        get login() {
          return good(login)
        },
        params,
        query: url.searchParams,
        body: read,
        signal,
        wrong: wrong && 'sync' in wrong ? wrong.sync : undefined,
      })
      if (login?.ended) good(login)
      if (body instanceof Uint8Array) {
        return { status: 200, headers: { 'content-type': 'application/octet-stream' }, text: body }
      }
      const padding = wrong && 'paddingBytes' in wrong ? { padding: 'x'.repeat(wrong.paddingBytes) } : {}
      return json(200, Array.isArray(body) ? body : { ...(body as object), ...padding })
    } catch (error) {
      if (error instanceof MatrixRefusal) return json(error.status, error.body)
      console.error(error)
      return json(500, { errcode: 'M_UNKNOWN', error: String(error) })
    }
  }

  #find(method: string, pathname: string) {
    const segments = pathname
      .replace(/^\/_matrix\/client\/((v\d+|r0|unstable(\/[a-z]+(\.\w+)+)?)\/)?/, '')
      .split('/')
      .map(decoded)
    for (const found of pathname.startsWith('/_matrix/client/') ? this.#routes : []) {
      const params = found.method === method ? matchRoute(found, segments) : undefined
      if (params) return { found, params }
    }
    return { found: undefined, params: {} }
  }

  #loginOf({ headers }: IncomingMessage): Login | undefined {
    const token = headers.authorization?.replace(/^Bearer /, '')
    if (token === undefined) return undefined
    const unknown: Login = { token, userId: '', deviceId: '', ended: 'hard' }
    return this.#homeserver.state.data.logins.get(token) ?? unknown
  }
}

const good = (login: Login | undefined): Login => {
  if (!login) throw new MatrixRefusal(401, 'M_MISSING_TOKEN', 'Missing access token')
  if (!login.ended) return login
  throw new MatrixRefusal(401, 'M_UNKNOWN_TOKEN', 'Unknown access token', { soft_logout: login.ended === 'soft' })
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const until = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

const readBody = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length <= largestBody) chunks.push(chunk)
    }
    if (length > largestBody) return 'too large'
    const body: unknown = length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString())
    return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : 'no json'
  } catch {
    return 'no json'
  }
}

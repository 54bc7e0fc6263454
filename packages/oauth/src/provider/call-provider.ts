import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { cookieNames } from './provider-names.ts'

/** A request for the authorization server. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  /** Those of the client; only some are passed on. */
  readonly headers: Headers
  readonly body?: string
}

const passedOn = ['accept', 'content-type', 'cookie'] as const
const returned = ['content-type', 'location', 'cache-control', 'content-security-policy', 'www-authenticate'] as const

const sessionCookie = new RegExp(`(?:^|;)\\s*${cookieNames.session}(?:\\.sig)?=[^;]*`, 'g')

/** Calls the authorization server, which is a listener of Node's HTTP, without a socket. Browsers have no session with it. */
export const callProvider = async (provider: Provider, request: ProviderRequest): Promise<Response> => {
  const { default: inject } = await import('light-my-request')
  const callback = provider.callback()
  const listener = (incoming: MountedMessage, outgoing: ServerResponse) =>
    callback(mounted(provider, incoming), outgoing)
  const { statusCode, headers, rawPayload } = await inject(listener as never, optionsOf(provider, request))
  const answer = new Headers()
  for (const name of returned) {
    const value = headers[name]
    if (value !== undefined) answer.set(name, String(value))
  }
  for (const cookie of [headers['set-cookie'] ?? []].flat()) {
    if (!cookie.startsWith(cookieNames.session)) answer.append('set-cookie', cookie)
  }
  return new Response(rawPayload.length > 0 ? new Uint8Array(rawPayload) : null, {
    status: statusCode,
    headers: answer,
  })
}

/** Runs work with the messages of Node that the library reads interactions from. */
export const withMessages = async <Result>(
  provider: Provider,
  request: ProviderRequest,
  work: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<Result>,
): Promise<Result> => {
  const { default: inject } = await import('light-my-request')
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const listener = (incoming: MountedMessage, outgoing: ServerResponse) => {
    work(mounted(provider, incoming), outgoing)
      .then(resolve, reject)
      .finally(() => outgoing.end())
  }
  inject(listener as never, optionsOf(provider, request)).catch(reject)
  return promise
}

/** A request with the URL that the client sent, from which the library derives return addresses and the paths of cookies. */
type MountedMessage = IncomingMessage & { originalUrl?: string }

const mounted = ({ issuer }: Provider, incoming: MountedMessage): IncomingMessage => {
  incoming.originalUrl = new URL(issuer).pathname.replace(/\/$/, '') + incoming.url
  return incoming
}

const optionsOf = ({ issuer }: Provider, { method, path, headers, body }: ProviderRequest) => {
  const { host, protocol } = new URL(issuer)
  const given = passedOn.flatMap(name => {
    const value = headers.get(name)
    if (value === null) return []
    return [[name, name === 'cookie' ? value.replace(sessionCookie, '').replace(/^;\s*/, '') : value]]
  })
  return {
    method,
    url: path,
    authority: host,
    headers: { ...Object.fromEntries(given), host, 'x-forwarded-proto': protocol.slice(0, -1) },
    ...(body === undefined ? {} : { payload: body }),
  }
}

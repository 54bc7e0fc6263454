import { createECDH, createHash, createHmac, randomBytes } from 'node:crypto'
import type { Host } from '@sibyl/plugin'
import type { CamelCaseStorage } from '@sibyl/plugin/host'
import { type GuardedFetch, guardedFetch } from '@sibyl/plugin/outbound'
import type Provider from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import { errorPage } from '../page/error-page.ts'
import { sitePolicy } from '../page/site-policy.ts'
import { pageLanguage } from '../page/texts/page-language.ts'
import type { OauthTables } from '../tables/oauth-tables.ts'
import { recordStore } from '../tables/record-store.ts'
import { actorOf, type SignInStore } from '../tables/sign-in-store.ts'
import { readClientMetadata } from './client-metadata.ts'
import { accessTokenPrefix, consoleClientId, cookieNames } from './provider-names.ts'
import { resourcePath } from './resources.ts'
import { withoutOpenid } from './scopes.ts'

/** Lifetimes, in seconds. */
export const lifetimes = { accessToken: 900, code: 120, interaction: 600, signIn: 90 * 86_400 } as const

/** Dependencies of the authorization server. */
export interface ProviderParts {
  readonly host: Host<unknown, OauthTables>
  readonly storage: CamelCaseStorage<OauthTables>
  readonly signIns: SignInStore
  readonly now: () => number
  /** Returns the network of the request that is handled. */
  readonly site: () => string | undefined
  /** Replaces the guarded fetch of metadata documents, for tests. */
  readonly fetch?: GuardedFetch
}

/** Creates the authorization server for a URL. The library is loaded here, so that the boot does not wait for it. */
export const makeProvider = async (url: string, parts: ProviderParts): Promise<Provider> => {
  const { default: OidcProvider, errors } = await import('oidc-provider')
  const { host, storage, signIns, now, site } = parts
  const successor = await successors(host)
  const usedError = () => new errors.InvalidGrant('it was already used')
  const provider = new OidcProvider(url, {
    ...(await fixedSettings(url, host)),
    adapter: kind => {
      const isFollowed = kind === 'RefreshToken' || kind === 'AuthorizationCode'
      return recordStore(kind, { storage, now, site, usedError, ...(isFollowed ? { successorOf: successor } : {}) })
    },
    features: {
      ...fixedFeatures,
      resourceIndicators: {
        enabled: true,
        defaultResource: async (_ctx, _client, oneOf) => oneOf?.[0] ?? url,
        useGrantedResource: async () => true,
        getResourceServerInfo: async (ctx, resource) => {
          if (resourcePath(resource, url) === undefined) throw new errors.InvalidTarget()
          const { AuthorizationCode: code, RefreshToken: token } = ctx.oidc.entities
          const scope = code?.scope ?? token?.scope ?? (ctx.oidc.params?.scope as string | undefined) ?? ''
          return {
            scope: withoutOpenid(scope),
            audience: resource,
            accessTokenTTL: lifetimes.accessToken,
            accessTokenFormat: 'opaque',
          }
        },
      },
    },
    fetch: fetchClientDocument({ host, site, isInUse: signIns.hasClient, fetch: parts.fetch }),
    async findAccount(_ctx, id) {
      const signIn = await signIns.find(id)
      if (!signIn || !(await host.grants.check(actorOf(signIn))).holds) return undefined
      return { accountId: id, claims: async () => ({ sub: id }) }
    },
    renderError: (ctx, { error, error_description: detail }) => {
      ctx.type = 'html'
      ctx.set('content-security-policy', sitePolicy)
      const language = pageLanguage({
        uiLocales: ctx.query.ui_locales,
        accepted: ctx.get('accept-language'),
      })
      const root = ctx.path === '/oauth/authorize' ? '.' : '..'
      ctx.body = errorPage(language, host.oracle.name, { message: `${detail ?? error}` }, root)
    },
  } as Configuration)
  provider.proxy = true
  for (const kind of ['AccessToken', 'RefreshToken'] as const) {
    const tokens = provider[kind].prototype as unknown as { generateTokenId(): string }
    const generate = tokens.generateTokenId
    tokens.generateTokenId = function () {
      const random = generate.call(this)
      const { code, refresh_token: refresh, scope, resource } = OidcProvider.ctx?.oidc.params ?? {}
      const before = String(refresh ?? code ?? random)
      return kind === 'RefreshToken'
        ? successor(before)
        : accessTokenPrefix + successor(before, `access ${scope} ${resource}`)
    }
  }
  // The library requires the ID of the account as the subject, which here is that of the sign-in.
  const idTokens = provider.IdToken.prototype as unknown as { payload(): Promise<{ readonly sub: string }> }
  const { payload } = idTokens
  idTokens.payload = async function () {
    const claims = await payload.call(this)
    return { ...claims, sub: (await signIns.find(claims.sub))?.did ?? claims.sub }
  }
  provider.on('server_error', (_ctx, error) => host.log.error('a request of OAuth failed', { error }))
  return provider
}

/**
 * Returns the function of the token that follows a code or a refresh token. It is the same each time, in every process, and no one else
 * can compute it: a client whose answer was lost gets it by asking again, and it is not stored.
 */
const successors = async ({ identity }: Pick<Host, 'identity'>) => {
  const secret = await identity.sign(new TextEncoder().encode('sibyl oauth successors 1'))
  return (before: string, kind = 'refresh'): string =>
    createHmac('sha256', secret).update(`${before} ${kind}`).digest('base64url')
}

/** Returns the key of ID tokens: the same in every process, and for as long as the oracle has its own key. */
const idTokenKey = async ({ identity }: Pick<Host, 'identity'>) => {
  const secret = await identity.sign(new TextEncoder().encode('sibyl oauth id tokens 1'))
  const scalar = createHash('sha256').update(secret).digest()
  // Below the order of the curve.
  scalar.writeUInt8(scalar.readUInt8(0) & 0x7f, 0)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(scalar)
  const point = pair.getPublicKey()
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), scalar].map(part => part.toString('base64url'))
  return { kty: 'EC', crv: 'P-256', x, y, d, use: 'sig', alg: 'ES256' }
}

/** Returns the metadata of the oracle's own console. */
const consoleClient = (url: string) => ({
  client_id: consoleClientId,
  client_name: 'Console',
  redirect_uris: [`${url}/console`],
})

const fixedFeatures = {
  devInteractions: { enabled: false },
  dPoP: { enabled: false },
  userinfo: { enabled: false },
  rpInitiatedLogout: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  registration: {
    enabled: true,
    issueRegistrationAccessToken: false,
    idFactory: () => `client_${randomBytes(12).toString('base64url')}`,
  },
  revocation: {
    enabled: true,
    allowedPolicy: async (_ctx: unknown, client: { clientId: string }, token: { clientId?: string }) =>
      token.clientId === client.clientId,
  },
  clientIdMetadataDocument: { enabled: true, ack: 'draft-02', cacheDuration: { min: 60, max: 3_600 } },
}

const fixedSettings = async (url: string, host: Host<unknown, OauthTables>) => {
  const cookie = { httpOnly: true, sameSite: 'lax' as const, secure: url.startsWith('https:') }
  // Deterministic, so that every process of the oracle has it, and unknown to others.
  const secret = await host.identity.sign(new TextEncoder().encode('sibyl oauth cookies 1'))
  return {
    jwks: { keys: [await idTokenKey(host)] },
    cookies: {
      names: cookieNames,
      keys: [createHash('sha256').update(secret).digest('base64url')],
      short: cookie,
      long: cookie,
    },
    clients: [consoleClient(url)],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    responseTypes: ['code'],
    scopes: ['openid'],
    claims: { openid: ['sub'] },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    expiresWithSession: async () => false,
    pkce: { required: () => true },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      registration: '/oauth/register',
      jwks: '/oauth/jwks',
    },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      Grant: lifetimes.signIn,
      Interaction: lifetimes.interaction,
      RefreshToken: lifetimes.signIn,
      Session: 60,
      IdToken: lifetimes.accessToken,
    },
    clientBasedCORS: () => false,
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `${url}/oauth/sign-in/${uid}` },
  }
}

/** Maximum size of the metadata document of a client, in bytes. */
const maxBytes = 5_000

/** Maximum documents that are fetched in a minute; beyond it, those of clients that users are signed in to are fetched too. */
const perMinute = { ofSite: 20, ofAll: 300 } as const

/** Dependencies of the fetch. */
interface ClientDocumentParts {
  readonly host: Pick<Host, 'limits' | 'identity'>
  /** Returns the network of the request. */
  readonly site: () => string | undefined
  /** Returns whether a user is signed in to the client with this URL. */
  readonly isInUse: (client: string) => Promise<boolean>
  readonly fetch: GuardedFetch | undefined
}

/**
 * Returns the `fetch` of the authorization server, for metadata documents of clients alone: capped by network, and only to public
 * addresses.
 */
const fetchClientDocument =
  ({ host: { limits, identity }, site, isInUse, fetch = guardedFetch }: ClientDocumentParts) =>
  async (url: string | URL | Request): Promise<Response> => {
    const id = String(url)
    const name = 'client-documents'
    const isAllowed =
      (await limits.take({ name, key: `site ${site()}`, perMinute: perMinute.ofSite })).allowed &&
      (await limits.take({ name, key: 'all', perMinute: perMinute.ofAll })).allowed
    if (!isAllowed && !(await isInUse(id))) return new Response(null, { status: 429 })
    const { status, headers, body, isComplete } = await fetch(id, {
      headers: { accept: 'application/json' },
      maxBytes,
      maxRedirects: 0,
      timeLimitMs: 2_500,
    })
    if (status !== 200 || !isComplete) return new Response(null, { status: 502 })
    const document: unknown = JSON.parse(new TextDecoder().decode(body))
    const metadata = readClientMetadata(document, identity.url)
    if (!metadata) return new Response(null, { status: 502 })
    const cacheControl = headers.get('cache-control')
    return Response.json(
      { ...metadata, client_id: (document as { readonly client_id?: unknown }).client_id },
      { headers: cacheControl === null ? {} : { 'cache-control': cacheControl } },
    )
  }

import { type Route, route } from '@sibyl/plugin'
import type { OracleVariables, RouteContext } from '@sibyl/plugin/host'
import { z } from 'zod'
import { callProvider } from '../provider/call-provider.ts'
import { readClientMetadata } from '../provider/client-metadata.ts'
import type { ProviderHolder } from '../provider/provider-holder.ts'
import { grantableScopes, openid, wantsIdToken } from '../provider/scopes.ts'
import { type DeviceStore, deviceGrant, devicePath } from '../tables/device-store.ts'
import { pollDevice } from './poll-device.ts'

type Context = RouteContext<OracleVariables, 'own'>

const html = { 'text/html': { schema: z.string() } }
export const jsonObject = { 'application/json': { schema: z.looseObject({}) } }
export const oauthError = { description: 'An error in the form of OAuth', content: jsonObject }
/** Not a zod schema, since the handler passes the body on as it is. */
export const formBody = { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' as const } } } }

export const noStore = { 'cache-control': 'no-store' }

/** Parameters that are passed on to the authorization server; each may occur once. */
const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'ui_locales',
] as const

/** Returns the endpoints of OAuth: authorization, token, revocation and registration. */
export const providerRoutes = (holder: ProviderHolder, devices: DeviceStore, now: () => number): Route[] => {
  const { provider } = holder
  const pass = async (c: Context, method: 'GET' | 'POST', path: string) =>
    callProvider(await provider(), {
      method,
      path,
      headers: c.req.raw.headers,
      ...(method === 'POST' ? { body: await c.req.text() } : {}),
    })
  return [
    route.get(
      '/oauth/authorize',
      {
        auth: 'own',
        summary: 'The authorization endpoint of OAuth 2.1',
        description:
          'Accepts `response_type=code` with PKCE (`S256`), and sends the browser to the sign-in page. Scopes are abilities. An ' +
          'error that cannot be returned to the client is shown as a page.',
        ok: {
          303: { description: 'The browser goes on to the sign-in, or back to the client with an error' },
          400: { description: 'A page that explains the error', content: html },
        },
      },
      async c => {
        const given = new URL(c.req.url).searchParams
        const query = new URLSearchParams()
        for (const name of parameters) for (const value of given.getAll(name)) query.append(name, value)
        const scope = given.getAll('scope').join(' ')
        const scopes = grantableScopes(scope, given.get('client_id') ?? undefined)
        query.set('scope', [...scopes, ...(wantsIdToken(scope) ? [openid] : [])].join(' '))
        return pass(c, 'GET', `/oauth/authorize?${query}`)
      },
    ),
    route.get(
      '/oauth/authorize/{uid}',
      {
        auth: 'own',
        summary: 'Returns the browser to the client after the sign-in',
        params: z.object({ uid: z.string().max(100) }),
        ok: {
          303: { description: 'Back to the client, with a code or an error' },
          400: { description: 'A page that explains the error', content: html },
        },
      },
      c => pass(c, 'GET', `/oauth/authorize/${encodeURIComponent(c.req.valid('param').uid)}`),
    ),
    route.post(
      '/oauth/token',
      {
        auth: 'own',
        summary: 'The token endpoint of OAuth 2.1',
        description:
          'Exchanges a code with its `code_verifier`, a refresh token, or the code of a device, for an access token of 15 minutes and a new refresh ' +
          'token. Within 60 s the same request has the same answer, until its refresh token is used. Otherwise, a refresh token ' +
          'that is used twice ends the sign-in.',
        body: formBody,
        ok: { 200: { description: 'The tokens', content: jsonObject }, 400: oauthError },
      },
      async c => {
        const form = new URLSearchParams(await c.req.text())
        if (form.get('grant_type') !== deviceGrant) return pass(c, 'POST', '/oauth/token')
        const polled = await pollDevice(devices, form, now())
        if ('error' in polled) return c.json(polled, 400, noStore)
        const { clientId: client_id, ...rest } = polled
        const redirect_uri = `${holder.url}${devicePath}`
        const body = new URLSearchParams({ grant_type: 'authorization_code', client_id, redirect_uri, ...rest })
        const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
        return callProvider(await provider(), { method: 'POST', path: '/oauth/token', headers, body: String(body) })
      },
    ),
    route.get(
      '/oauth/jwks',
      {
        auth: 'public',
        anyOrigin: true,
        summary: 'The public keys of ID tokens',
        ok: { 200: { description: 'A JSON Web Key Set', content: jsonObject } },
      },
      async () => callProvider(await provider(), { method: 'GET', path: '/oauth/jwks', headers: new Headers() }),
    ),
    route.post(
      '/oauth/revoke',
      {
        auth: 'own',
        summary: 'Revokes an access token or a refresh token of the client (RFC 7009)',
        body: formBody,
        ok: { 200: { description: 'Revoked, or unknown' }, 400: oauthError },
      },
      c => pass(c, 'POST', '/oauth/revoke'),
    ),
    route.post(
      '/oauth/register',
      {
        auth: 'own',
        summary: 'Registers a client (RFC 7591)',
        description:
          'Stores the name and the redirect URIs of a public client; other metadata is ignored. A client that no user signs in to is deleted ' +
          'after a day, or earlier if there are more than 1,000 of them and its network has most.',
        rateLimit: { name: 'oauth-register', perMinute: 20 },
        maxBodyBytes: 20_000,
        body: { content: jsonObject },
        ok: { 201: { description: 'The client', content: jsonObject }, 400: oauthError },
      },
      async c => {
        const metadata = readClientMetadata(c.req.valid('json'), holder.url)
        if (!metadata) return c.json(invalidRedirectUri, 400, noStore)
        return callProvider(await provider(), {
          method: 'POST',
          path: '/oauth/register',
          headers: new Headers({ 'content-type': 'application/json', accept: 'application/json' }),
          body: JSON.stringify(metadata),
        })
      },
    ),
  ]
}

const invalidRedirectUri = {
  error: 'invalid_redirect_uri',
  error_description:
    'Give redirect_uris: https URLs, http URLs on localhost, or URLs with the scheme of an app that has a dot, such as com.example.app:/callback, without a fragment.',
}

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { startOracle } from './start-oracle.ts'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

type Actor = Awaited<ReturnType<typeof startOracle>>['oracle']['actor']

/** The clients of OAuth, as far as the tests use them. */
interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  claims(): { readonly sub: string }
}
interface Device {
  readonly user_code: string
  readonly verification_uri: string
}
interface OpenidClient {
  readonly allowInsecureRequests: unknown
  None(): unknown
  dynamicClientRegistration(server: URL, metadata: object, auth: unknown, options: object): Promise<object>
  randomPKCECodeVerifier(): string
  calculatePKCECodeChallenge(verifier: string): Promise<string>
  buildAuthorizationUrl(config: object, parameters: Record<string, string>): URL
  authorizationCodeGrant(config: object, back: URL, checks: object): Promise<Tokens>
  refreshTokenGrant(config: object, token: string): Promise<Tokens>
  initiateDeviceAuthorization(config: object, parameters: Record<string, string>): Promise<Device>
  pollDeviceAuthorizationGrant(config: object, device: Device): Promise<Tokens>
}
interface WebApi {
  readonly allowInsecureRequests: symbol
  discoveryRequest(issuer: URL, options: object): Promise<Response>
  processDiscoveryResponse(issuer: URL, response: Response): Promise<object>
  None(): unknown
  validateAuthResponse(as: object, client: object, back: URL, state: string): URLSearchParams
  authorizationCodeGrantRequest(...of: unknown[]): Promise<Response>
  processAuthorizationCodeResponse(as: object, client: object, response: Response, options: object): Promise<object>
  validateApplicationLevelSignature(as: object, response: Response, options: object): Promise<void>
  getValidatedIdTokenClaims(tokens: object): { readonly sub: string } | undefined
}

const openid = clients('openid-client') as OpenidClient
const webApi = clients('oauth4webapi') as WebApi

const redirect_uri = 'http://127.0.0.1:7777/callback'
const scope = 'openid chat/*'

const get = (url: string | URL, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } })
const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'error:')

/** Signs in as a browser does, from the authorization endpoint to the redirect URI. */
const signIn = async (actor: Actor, url: string | URL): Promise<URL> => {
  const page = await get(url)
  const cookie = page.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const authorization = `Bearer ${await actor.token(['auth/token', 'chat/*'])}`
  const allowed = await fetch(locationOf(page), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, authorization },
    body: JSON.stringify({ scopes: ['chat/*'] }),
  })
  return locationOf(await get((await allowed.json()).location, cookie))
}

const register = (url: string) =>
  openid.dynamicClientRegistration(
    new URL(url),
    { redirect_uris: [redirect_uri], grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] },
    openid.None(),
    { execute: [openid.allowInsecureRequests] },
  )

const request = async (verifier: string) => ({
  redirect_uri,
  scope,
  state: 's-1',
  nonce: 'n-1',
  code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})

test('openid-client discovers, registers, signs in, refreshes, and signs in a device', async () => {
  const { url, oracle } = await startOracle()
  const config = await register(url)
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const begun = openid.buildAuthorizationUrl(config, await request(pkceCodeVerifier))
  const checks = { pkceCodeVerifier, expectedState: 's-1', expectedNonce: 'n-1', idTokenExpected: true }
  const tokens = await openid.authorizationCodeGrant(config, await signIn(oracle.actor, begun), checks)
  expect(tokens.claims().sub).toBe(oracle.actor.did)
  expect((await openid.refreshTokenGrant(config, tokens.refresh_token)).claims().sub).toBe(oracle.actor.did)
  const device = await openid.initiateDeviceAuthorization(config, { scope })
  const polled = openid.pollDeviceAuthorizationGrant(config, device)
  const typed = await fetch(device.verification_uri, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ user_code: device.user_code }),
  })
  expect((await get(await signIn(oracle.actor, locationOf(typed)))).status).toBe(200)
  expect((await polled).claims().sub).toBe(oracle.actor.did)
})

test('oauth4webapi checks the ID token with the published keys', async () => {
  const { url, oracle } = await startOracle()
  const insecure = { [webApi.allowInsecureRequests]: true }
  const issuer = new URL(url)
  const as = await webApi.processDiscoveryResponse(issuer, await webApi.discoveryRequest(issuer, insecure))
  const config = (await register(url)) as { clientMetadata(): object }
  const client = config.clientMetadata()
  const verifier = openid.randomPKCECodeVerifier()
  const begun = openid.buildAuthorizationUrl(config, await request(verifier))
  const given = webApi.validateAuthResponse(as, client, await signIn(oracle.actor, begun), 's-1')
  const sent = [as, client, webApi.None(), given, redirect_uri, verifier, insecure]
  const answer = await webApi.authorizationCodeGrantRequest(...sent)
  const tokens = await webApi.processAuthorizationCodeResponse(as, client, answer, { expectedNonce: 'n-1' })
  await webApi.validateApplicationLevelSignature(as, answer, insecure)
  expect(webApi.getValidatedIdTokenClaims(tokens)?.sub).toBe(oracle.actor.did)
})

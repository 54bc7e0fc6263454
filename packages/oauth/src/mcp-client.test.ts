import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { reservePort } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { errorOf, json, oracle } from './oauth-client.test.support.ts'
import { type PathProxy, pathProxies } from './path-proxies.test.support.ts'

/** A client whose browser is the test. */
const clientProvider = () => {
  const stored: { information?: unknown; tokens?: unknown; verifier?: string; url?: URL } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://127.0.0.1:7777/callback',
    clientMetadata: {
      client_name: 'MCP client',
      redirect_uris: ['http://127.0.0.1:7777/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-1',
    clientInformation: () => stored.information as never,
    saveClientInformation: information => {
      stored.information = information
    },
    tokens: () => stored.tokens as never,
    saveTokens: tokens => {
      stored.tokens = tokens
    },
    redirectToAuthorization: url => {
      stored.url = url
    },
    saveCodeVerifier: verifier => {
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier ?? '',
  }
  return { provider, stored }
}

/** Serves an oracle, at a path of a proxy if there is one. Returns it with its address. */
const serve = async (proxy?: PathProxy) => {
  const port = await reservePort()
  const publicPort = proxy ? await reservePort() : port
  const url = `http://127.0.0.1:${publicPort}${proxy ? '/oracle' : ''}`
  const made = await oracle({ env: { PUBLIC_URL: url } })
  await made.app.listen({ host: '127.0.0.1', port })
  await proxy?.start(publicPort, port)
  return { ...made, url }
}

/** Does the whole flow with the OAuth client of the MCP SDK. */
const expectFlow = async ({ actor, url }: Awaited<ReturnType<typeof serve>>): Promise<void> => {
  const { provider, stored } = clientProvider()
  expect(await auth(provider, { serverUrl: `${url}/mcp` })).toBe('REDIRECT')
  const authorizeUrl = stored.url ?? new URL(url)
  expect(authorizeUrl.searchParams.get('resource')).toBe(`${url}/mcp`)
  expect(authorizeUrl.searchParams.get('scope')).toBe('chat/* session/*')
  const begun = await fetch(authorizeUrl, { redirect: 'manual' })
  const cookie = begun.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const authorization = `Bearer ${await actor.token(['auth/token', 'chat/*', 'session/*'])}`
  const signIn = json({ scopes: ['chat/*', 'session/*'] }, { cookie, authorization })
  const { location } = await (await fetch(begun.headers.get('location') ?? '', signIn)).json()
  const back = new URL(
    (await fetch(location, { headers: { cookie }, redirect: 'manual' })).headers.get('location') ?? '',
  )
  const code = back.searchParams.get('code') ?? ''
  const iss = back.searchParams.get('iss') ?? ''
  expect(await auth(provider, { serverUrl: `${url}/mcp`, authorizationCode: code, iss })).toBe('AUTHORIZED')
  const first = stored.tokens as { access_token: string }
  expect(first.access_token).toMatch(/^sibyl_at_/)
  expect(await auth(provider, { serverUrl: `${url}/mcp` })).toBe('AUTHORIZED')
  const second = stored.tokens as { access_token: string }
  expect(second.access_token).not.toBe(first.access_token)
  const elsewhere = await fetch(`${url}/sessions`, { headers: { authorization: `Bearer ${second.access_token}` } })
  expect(elsewhere.status).toBe(401)
}

test('the OAuth client of the MCP SDK discovers, registers, signs in and refreshes', async () => {
  await expectFlow(await serve())
})

describe.each(pathProxies)('behind $name', ({ isInstalled, ...proxy }) => {
  test.skipIf(!isInstalled)('the client does so under a path', async () => {
    await expectFlow(await serve({ isInstalled, ...proxy }))
  })

  test.skipIf(!isInstalled)('both forms of the well-known addresses, and the document of did:web', async () => {
    const { url } = await serve({ isInstalled, ...proxy })
    const { origin } = new URL(url)
    const read = async (path: string) => (await fetch(origin + path)).json()
    for (const path of [
      '/.well-known/oauth-authorization-server/oracle',
      '/oracle/.well-known/oauth-authorization-server',
    ])
      expect(await read(path)).toMatchObject({ issuer: url, token_endpoint: `${url}/oauth/token` })
    for (const path of ['/.well-known/oauth-protected-resource/oracle', '/oracle/.well-known/oauth-protected-resource'])
      expect(await read(path)).toMatchObject({ resource: url, authorization_servers: [url] })
    for (const path of [
      '/.well-known/oauth-protected-resource/oracle/mcp',
      '/oracle/.well-known/oauth-protected-resource/mcp',
    ])
      expect(await read(path)).toMatchObject({ resource: `${url}/mcp`, authorization_servers: [url] })
    const port = new URL(url).port
    expect(await read('/oracle/did.json')).toMatchObject({ id: `did:web:127.0.0.1%3A${port}:oracle` })
  })
})

test('metadata of another path and other files of the page do not exist', async () => {
  const { send } = await oracle({ env: { PUBLIC_URL: 'https://example.org/oracle' } })
  for (const path of ['/.well-known/oauth-authorization-server/other', '/oauth/page/other.js'])
    expect(await errorOf(await send(path))).toEqual([404, 'route_not_found'])
})

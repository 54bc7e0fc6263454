import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { reservePort } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { json, oracle } from './oauth-client.test.support.ts'

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

test('the OAuth client of the MCP SDK discovers, registers, signs in and refreshes', async () => {
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const { app, actor } = await oracle({ env: { PUBLIC_URL: url } })
  await app.listen({ host: '127.0.0.1', port })
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
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { delegatedActor, recordedLogger, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { oauth } from './oauth.ts'
import {
  errorOf,
  json,
  operatorToken,
  oracle,
  redirectUri,
  type Send,
  sendFrom,
  shareOracle,
  TestClient,
  type Tokens,
} from './oauth-client.test.support.ts'
import { maxBegun, maxClients, maxUnusedClients } from './tables/record-store.ts'

const postgres = await sharePostgres()
const shared = shareOracle()

afterAll(() => postgres?.stop())

const atConsole = { redirect_uri: 'http://localhost:3000/console' }

const consoleClient = (send: Send): TestClient => new TestClient(send, 'sibyl-console')

describe('the flow', () => {
  test('a rejected request names the metadata, and the metadata names the endpoints', async () => {
    const { send } = await shared()
    const refused = await send('/sessions')
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="sibyl", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource"',
    )
    const resource = await (await send('/.well-known/oauth-protected-resource/mcp')).json()
    expect(resource).toMatchObject({
      resource: 'http://localhost:3000/mcp',
      authorization_servers: ['http://localhost:3000'],
      scopes_supported: ['chat/*', 'session/*'],
    })
    const server = await (await send('/.well-known/oauth-authorization-server')).json()
    expect(server).toMatchObject({ issuer: 'http://localhost:3000', code_challenge_methods_supported: ['S256'] })
    for (const name of ['authorization', 'token', 'registration', 'revocation']) {
      const { pathname } = new URL(server[`${name}_endpoint`])
      expect([name, (await send(pathname, { method: name === 'authorization' ? 'GET' : 'POST' })).status]).not.toEqual([
        name,
        404,
      ])
    }
  })

  test('a client registers, the user signs in with a key, and the token acts as the user within its scopes', async () => {
    const { send, actor } = await shared()
    await actor.request('/chat', { json: { id: 's1', message: 'hi' } })
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor)
    expect(tokens).toMatchObject({ scope: 'chat/* session/*', token_type: 'Bearer', expires_in: 900 })
    expect(tokens.access_token).toMatch(/^sibyl_at_[\w-]{43}$/)
    const answer = await send('/sessions', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect((await answer.json()).sessions).toMatchObject([{ id: 's1' }])
    const refused = await send('/delegation', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="delegation/read"')
  })

  test('a code or refresh token whose answer was lost has the same answer for a minute, for its client', async () => {
    const { send, actor, pass } = await oracle()
    const [client, other] = [await TestClient.register(send), await TestClient.register(send)]
    const code = await client.signIn(actor)
    const read = async (answer: Promise<Response>): Promise<Tokens> => (await answer).json()
    const first = await read(client.exchange(code))
    expect(await read(client.exchange(code))).toEqual(first)
    expect(await errorOf(await client.exchange(code, { code_verifier: 'x'.repeat(43) }))).toEqual([
      400,
      'invalid_grant',
    ])
    const answers = await Promise.all([1, 2, 3].map(() => read(client.refresh(first.refresh_token))))
    const [second] = answers
    expect(answers).toEqual([second, second, second])
    expect(second!.refresh_token).not.toBe(first.refresh_token)
    expect(second!.access_token).not.toBe(first.access_token)
    expect(await client.status(second!.access_token)).toBe(200)
    expect(await errorOf(await other.refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
    pass(59)
    expect((await read(client.refresh(first.refresh_token))).refresh_token).toBe(second!.refresh_token)
    pass(2)
    expect(await errorOf(await client.refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(await client.status(second!.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(second!.refresh_token))).toEqual([400, 'invalid_grant'])
    expect((await (await actor.request('/oauth/sign-ins')).json()).signIns).toEqual([])
    const list = await send('/oauth/sign-ins', { headers: { authorization: `Bearer ${operatorToken}` } })
    expect((await list.json()).signIns).toEqual([])
  })

  test('refresh tokens rotate, and one that is used after its successor ends the sign-in', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const first = await client.tokens(actor)
    const second: Tokens = await (await client.refresh(first.refresh_token)).json()
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await client.status(second.access_token)).toBe(200)
    const third: Tokens = await (await client.refresh(second.refresh_token)).json()
    expect(await errorOf(await client.refresh(first.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(await errorOf(await client.refresh(third.refresh_token))).toEqual([400, 'invalid_grant'])
    expect(await client.status(third.access_token)).toBe(401)
    expect((await (await actor.request('/oauth/sign-ins')).json()).signIns).toEqual([])
  })

  test('the client revokes its tokens, and none of others', async () => {
    const { send, actor } = await shared()
    const [client, other] = [await TestClient.register(send), await TestClient.register(send)]
    const tokens = await client.tokens(actor)
    await other.revoke(tokens.access_token)
    expect(await client.status(tokens.access_token)).toBe(200)
    expect((await client.revoke(tokens.access_token)).status).toBe(200)
    expect(await client.status(tokens.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
    const next = await client.tokens(actor)
    expect((await client.revoke(next.refresh_token)).status).toBe(200)
    expect(await client.status(next.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(next.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('the user lists applications and ends one; the operator ends any', async () => {
    const { send, actor, app } = await oracle()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor, { days: 1 })
    const { signIns } = await (await actor.request('/oauth/sign-ins')).json()
    expect(signIns).toMatchObject([
      {
        client: client.id,
        clientName: 'Pocket',
        nameVerified: false,
        application: redirectUri,
        scopes: ['chat/*', 'session/*'],
      },
    ])
    expect(Date.parse(signIns[0].expiresAt) - Date.parse(signIns[0].createdAt)).toBe(86_400_000)
    const path = `/oauth/sign-ins/${signIns[0].id}`
    expect((await testActor(app).request(path, { method: 'DELETE' })).status).toBe(404)
    expect((await actor.request(path, { method: 'DELETE' })).status).toBe(204)
    expect(await client.status(tokens.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('the operator lists the sign-ins of all users in pages, those of one, and those with operator abilities', async () => {
    const { send, actor, app } = await oracle()
    const client = await TestClient.register(send)
    const other = testActor(app)
    await client.tokens(actor)
    await client.tokens(other)
    const list = async (query: string): Promise<{ id: string; did: string }[]> => {
      const answer = await send(`/oauth/sign-ins?${query}`, { headers: { authorization: `Bearer ${operatorToken}` } })
      return (await answer.json()).signIns
    }
    const all = await list('')
    expect(all.map(({ did }) => did).toSorted()).toEqual([actor.did, other.did].toSorted())
    const [first] = await list('limit=1')
    expect(await list(`limit=1&after=${first?.id}`)).toEqual([all[1]])
    expect((await list(`did=${encodeURIComponent(other.did)}`)).map(({ did }) => did)).toEqual([other.did])
    expect(await list('rights=operator')).toEqual([])
    const own = await (await actor.request(`/oauth/sign-ins?did=${encodeURIComponent(other.did)}`)).json()
    expect(own.signIns).toHaveLength(1)
    expect(own.signIns[0].did).toBeUndefined()
  })

  test('tokens and sign-ins expire', async () => {
    const { send, actor, pass } = await oracle()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor, { days: 1 })
    pass(901)
    expect(await client.status(tokens.access_token)).toBe(401)
    const next: Tokens = await (await client.refresh(tokens.refresh_token)).json()
    expect(await client.status(next.access_token)).toBe(200)
    pass(86_400)
    expect(await errorOf(await client.refresh(next.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('a sign-in with delegated access ends with the delegation of the user', async () => {
    const controller = createSigningKey()
    const { send, app } = await oracle({ env: { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did } })
    const client = await TestClient.register(send)
    const user = await delegatedActor(app, { key: controller })
    const tokens = await client.tokens(user)
    expect(await client.status(tokens.access_token)).toBe(200)
    const { path, cookie } = await client.begin()
    const authorization = `Bearer ${await testActor(app).token(['auth/token', 'chat/*'])}`
    const stranger = await send(path, json({ scopes: ['chat/*'] }, { cookie, authorization }))
    expect(await errorOf(stranger)).toEqual([403, 'ucan_untrusted_root'])
    expect((await user.revoke()).status).toBe(200)
    expect(await client.status(tokens.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('a token is valid only at the resource that it was requested for', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor, { resource: 'http://localhost:3000/chat' })
    expect(await client.status(tokens.access_token, '/sessions')).toBe(401)
    expect(await client.status(tokens.access_token, '/chatter')).toBe(404)
    expect(await client.status(tokens.access_token, '/chat/s1/stream')).not.toBe(401)
    const elsewhere = await client.authorize({ resource: 'https://elsewhere.example/' })
    expect(new URL(elsewhere.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_target')
  })

  test('an export has the sign-ins of a person, and an erasure ends them', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor)
    const operator = { headers: { authorization: `Bearer ${operatorToken}` } }
    const path = `/people/${encodeURIComponent(actor.did)}`
    const exported = await (await send(`${path}/export`, operator)).json()
    expect(exported.oauth.signIns).toMatchObject([{ clientName: 'Pocket' }])
    await send(path, { ...operator, method: 'DELETE' })
    expect(await client.status(tokens.access_token)).toBe(401)
    expect(await errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant'])
  })

  test('cookies and the return address have the path of the public URL', async () => {
    const { send, actor } = await oracle({ env: { PUBLIC_URL: 'https://example.org/oracle' } })
    const answer = await send(
      '/oauth/authorize?client_id=sibyl-console&response_type=code&code_challenge_method=S256' +
        `&redirect_uri=https%3A%2F%2Fexample.org%2Foracle%2Fconsole&code_challenge=${'x'.repeat(43)}&scope=chat/*`,
    )
    const page = answer.headers.get('location') ?? ''
    const uid = page.replace('https://example.org/oracle/oauth/sign-in/', '')
    const paths = answer.headers.getSetCookie().map(cookie => /; path=([^;]+)/.exec(cookie)?.[1])
    expect(new Set(paths)).toEqual(new Set([`/oracle/oauth/sign-in/${uid}`, `/oracle/oauth/authorize/${uid}`]))
    const cookie = answer.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ')
    const authorization = `Bearer ${await actor.token(['auth/token', 'chat/*'])}`
    const signedIn = await send(`/oauth/sign-in/${uid}`, json({ scopes: ['chat/*'] }, { cookie, authorization }))
    expect(await signedIn.json()).toEqual({ location: `https://example.org/oracle/oauth/authorize/${uid}` })
  })

  test('is off in production unless OAUTH=on', async () => {
    const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://oracle.example' }
    const off = await oracle({ env })
    expect((await off.send('/.well-known/oauth-authorization-server')).status).toBe(404)
    expect((await off.send('/sessions')).headers.get('www-authenticate')).toBe('Bearer realm="sibyl"')
    const on = await oracle({ env: { ...env, OAUTH: 'on', ORACLE_ADAPTERS: 'none' } })
    const { issuer } = await (await on.send('/.well-known/oauth-authorization-server')).json()
    expect(issuer).toBe('https://oracle.example')
    const client = await TestClient.register(on.send)
    const answer = await client.authorize()
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; secure; httponly/i)
    expect(await (await oracle({ env: { OAUTH: 'off' } })).send('/oauth/token', { method: 'POST' })).toHaveProperty(
      'status',
      404,
    )
  })
})

describe('one-time codes', () => {
  const mint = async ({ send }: Awaited<ReturnType<typeof oracle>>, body: object) =>
    (await send('/oauth/codes', json(body, { authorization: `Bearer ${operatorToken}` }))).json()

  const redeem = async (client: TestClient, code: string, begun?: { path: string; cookie: string }) => {
    const { path, cookie } = begun ?? (await client.begin())
    return {
      cookie,
      answer: await client.send(`${path}/code`, json({ code, scopes: ['chat/*', 'session/*'] }, { cookie })),
    }
  }

  test('a code signs in once, as the user that it was created for', async () => {
    const made = await oracle({ env: { ORACLE_ACCESS: 'delegated' } })
    const { code, did } = await mint(made, { name: 'Mutale', scopes: ['chat/*', 'session/read'] })
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
    expect((await mint(made, { name: 'Mutale' })).did).toBe(did)
    const client = await TestClient.register(made.send)
    const { cookie, answer } = await redeem(client, ` ${code.toLowerCase().replaceAll('-', '')} `)
    const back = await client.return(answer, cookie)
    const tokens: Tokens = await (await client.exchange(back.searchParams.get('code') ?? '')).json()
    expect(await client.status(tokens.access_token)).toBe(200)
    const removal = await made.send('/sessions/s1', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    })
    expect(removal.status).toBe(403)
    expect(await errorOf((await redeem(client, code)).answer)).toEqual([403, 'sign_in_code_invalid'])
  })

  test('the name of a code names its user for operators, until the user is erased', async () => {
    const made = await oracle({ env: { ORACLE_ACCESS: 'delegated' } })
    const operator = { authorization: `Bearer ${operatorToken}` }
    const { did } = await mint(made, { name: 'Mutale Banda' })
    await mint(made, { did: 'did:key:z6MkOther' })
    const ask = async (path: string, body: object) => (await made.send(path, json(body, operator))).json()
    const names = [{ name: 'Mutale Banda', chosenBy: 'operator' }]
    expect(await ask('/operator/people/find', { address: 'banda' })).toMatchObject({ people: [{ did, names }] })
    const person = `/people/${encodeURIComponent(did)}`
    const exported = await (await made.send(`${person}/export`, { headers: operator })).json()
    expect(exported.oauth).toEqual({ name: 'Mutale Banda', signIns: [] })
    await made.send(person, { method: 'DELETE', headers: operator })
    expect(await ask('/operator/people/names', { dids: [did] })).toEqual({ people: [] })
  })

  test('a code without scopes lets its user export and erase their own data, as far as its creator may', async () => {
    const made = await oracle({
      env: { ORACLE_ACCESS: 'delegated', ORACLE_API_KEYS: `help:${'h'.repeat(32)}:chat/*+operator/write` },
    })
    expect((await mint(made, { name: 'Mutale' })).scopes).toEqual(['chat/*', 'session/*', 'me/export', 'me/erase'])
    const limited = { authorization: `Bearer ${'h'.repeat(32)}` }
    expect((await (await made.send('/oauth/codes', json({ name: 'Ben' }, limited))).json()).scopes).toEqual(['chat/*'])
  })

  test('wrong codes are counted, and expired ones are wrong', async () => {
    const made = await oracle()
    const client = await TestClient.register(made.send)
    const { code } = await mint(made, { name: 'Mutale', minutes: 1 })
    made.pass(61)
    const begun = await client.begin()
    expect(await errorOf((await redeem(client, code, begun)).answer)).toEqual([403, 'sign_in_code_invalid'])
    for (let count = 0; count < 4; count += 1) await redeem(client, 'AAAA-AAAA-AAAA', begun)
    const { code: good } = await mint(made, { name: 'Mutale' })
    expect(await errorOf((await redeem(client, good, begun)).answer)).toEqual([429, 'sign_in_attempts'])
    expect((await redeem(client, good)).answer.status).toBe(200)
  })

  test('only the operator creates codes', async () => {
    const { actor, app } = await oracle()
    expect((await actor.request('/oauth/codes', { json: { name: 'Mutale' } })).status).toBe(403)
    const answer = await app.request('/oauth/codes', json({ name: 'Mutale' }))
    expect(answer.status).toBe(401)
  })

  test('a delegated operator grants at most their own scopes, and the sign-in ends with their right', async () => {
    const controller = createSigningKey()
    const { send, app } = await oracle({ env: { ORACLE_CONTROLLERS: controller.did } })
    const operator = await delegatedActor(app, { key: controller }, { abilities: ['operator/*', 'session/*'] })
    const ask = (scopes: string[]) => operator.request('/oauth/codes', { json: { name: 'Mutale', scopes } })
    expect(await errorOf(await ask(['chat/*']))).toEqual([403, 'code_scope_not_held'])
    const codeFor = (did: string | undefined) =>
      operator.request('/oauth/codes', { json: { did, scopes: ['session/*'] } })
    const { did, publicDid } = app.identity
    for (const trusted of [controller.did, did, publicDid])
      expect(await errorOf(await codeFor(trusted))).toEqual([403, 'code_did_of_oracle'])
    expect((await codeFor('did:example:mutale')).status).toBe(201)
    const { code } = (await (await ask(['session/*', 'operator/read'])).json()) as { code: string }
    const client = await TestClient.register(send)
    const scope = 'session/* operator/read'
    const { path, cookie } = await client.begin({ scope })
    const back = await client.return(
      await send(`${path}/code`, json({ code, scopes: scope.split(' ') }, { cookie })),
      cookie,
    )
    const tokens: Tokens = await (await client.exchange(back.searchParams.get('code') ?? '')).json()
    expect(await client.status(tokens.access_token, '/metrics')).toBe(200)
    expect((await operator.revoke()).status).toBe(200)
    expect(await client.status(tokens.access_token, '/metrics')).toBe(401)
  })
})

describe('abilities of the operator', () => {
  const scope = 'session/* operator/read'
  const options = { abilities: ['auth/token', ...scope.split(' ')], scopes: scope.split(' '), scope }

  test('a user who signs in with a key of their own does not get them', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor, options)
    expect(tokens.scope).toBe('session/*')
    expect(await client.status(tokens.access_token, '/metrics')).toBe(403)
  })

  test('an operator gets them, until the delegation is revoked', async () => {
    const controller = createSigningKey()
    const { send, app } = await oracle({ env: { ORACLE_CONTROLLERS: controller.did } })
    const operator = await delegatedActor(
      app,
      { key: controller },
      { abilities: ['auth/token', 'session/*', 'operator/*'] },
    )
    const client = await TestClient.register(send)
    const tokens = await client.tokens(operator, options)
    expect(tokens.scope).toBe(scope)
    expect(await client.status(tokens.access_token, '/metrics')).toBe(200)
    const me = await send('/me', { headers: { authorization: `Bearer ${tokens.access_token}` } })
    expect(await me.json()).toEqual({ did: operator.did, scopes: scope.split(' '), operator: true })
    await operator.revoke()
    expect(await client.status(tokens.access_token, '/metrics')).toBe(401)
    expect(await client.status(tokens.access_token, '/me')).toBe(401)
  })
})

describe('hostile requests', () => {
  test.each([
    ['https://evil.example/callback'],
    ['http://127.0.0.1:7777/callback/../evil'],
    ['http://127.0.0.1:7777/callback?next=https://evil.example'],
    ['http://127.0.0.1:7777@evil.example/callback'],
    ['//evil.example'],
    ['javascript:alert(1)'],
  ])('a forged redirect URI %j is not followed', async forged => {
    const { send } = await shared()
    const client = await TestClient.register(send)
    const answer = await client.authorize({ redirect_uri: forged })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await answer.text()).toContain('This sign-in cannot continue')
  })

  test.each([
    [{ client_id: 'client_unknown' }],
    [{ client_id: '<script>alert(1)</script>' }],
    [{ client_id: undefined }],
  ])('the browser stays with %j, and the page runs nothing', async changes => {
    const { send } = await shared()
    const answer = await (await TestClient.register(send)).authorize(changes)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(await answer.text()).not.toContain('<script>')
  })

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['with a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['with an ID token', { response_type: 'code id_token' }, 'unsupported_response_type'],
  ])('%s the client gets an error', async (_, changes, error) => {
    const { send } = await shared()
    const answer = await (await TestClient.register(send)).authorize(changes)
    const location = new URL(answer.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(redirectUri)
    const parameters = new URLSearchParams(location.search || location.hash.slice(1))
    expect(Object.fromEntries(parameters)).toMatchObject({
      error,
      state: 'state-1',
      iss: 'http://localhost:3000',
    })
  })

  test('a code is used once, by its client, with its verifier and its redirect URI', async () => {
    const { send, actor } = await shared()
    const [client, thief] = [await TestClient.register(send), await TestClient.register(send)]
    const refused = [400, 'invalid_grant']
    const code = await client.signIn(actor)
    expect(await errorOf(await client.exchange(code, { code_verifier: thief.verifier }))).toEqual(refused)
    expect(await errorOf(await client.exchange(code, { code_verifier: undefined }))).toEqual(refused)
    expect(await errorOf(await client.exchange(code, { redirect_uri: 'http://127.0.0.1:7777/other' }))).toEqual(refused)
    expect(await errorOf(await client.exchange(code, { client_id: thief.id }))).toEqual(refused)
    const tokens: Tokens = await (await client.exchange(code)).json()
    const next: Tokens = await (await client.refresh(tokens.refresh_token)).json()
    expect(await client.status(next.access_token)).toBe(200)
    expect(await errorOf(await client.exchange(code))).toEqual(refused)
    expect(await client.status(next.access_token)).toBe(401)
  })

  test('scopes are only narrowed', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const few = await client.tokens(actor, {
      scope: 'chat/send',
      scopes: ['chat/send', '*', 'session/*'],
      abilities: ['*'],
    })
    expect(few.scope).toBe('chat/send')
    expect(await client.status(few.access_token)).toBe(403)
    const wider = await client.token({
      grant_type: 'refresh_token',
      refresh_token: few.refresh_token,
      scope: 'chat/send session/*',
    })
    expect(await errorOf(wider)).toEqual([400, 'invalid_scope'])
    const held = await client.tokens(actor, { abilities: ['auth/token', 'session/read'] })
    expect(await client.status(held.access_token)).toBe(200)
    const removal = { method: 'DELETE', headers: { authorization: `Bearer ${held.access_token}` } }
    expect((await send('/sessions/s1', removal)).status).toBe(403)
    const { path, cookie } = await client.begin({ scope: 'auth/impersonate auth/token api-key/create openid' })
    const page = await (await send(path, { headers: { cookie } })).text()
    expect(page).not.toMatch(/(?:value="|<code>)(?:auth\/|api-key|openid)/)
    const authorization = `Bearer ${await actor.token(['auth/token'])}`
    const none = await send(path, json({ scopes: ['chat/*'] }, { cookie, authorization }))
    expect(await errorOf(none)).toEqual([403, 'sign_in_scopes_missing'])
  })

  test('only the console asks for the creation of API keys, and only where the user allows it by name', async () => {
    const { send, actor } = await shared()
    const other = await TestClient.register(send)
    const wanted = { scope: '* api-key/create', scopes: ['*', 'api-key/create'], abilities: ['*', 'api-key/create'] }
    const create = async (token: string, body: object = {}) =>
      send('/api-keys', json({ name: 'script', ...body }, { authorization: `Bearer ${token}` }))
    const foreign = await other.tokens(actor, wanted)
    expect(foreign.scope).toBe('*')
    expect(await errorOf(await create(foreign.access_token))).toEqual([403, 'invocation_needed'])

    const { path, cookie } = await consoleClient(send).begin({ ...atConsole, scope: '* api-key/create' })
    const page = await (await send(path, { headers: { cookie } })).text()
    expect(page).toContain('value="*" checked')
    expect(page).toContain('value="api-key/create">')
    const unasked = await consoleClient(send).tokens(actor, { ...wanted, ...atConsole, scopes: ['*'] })
    expect(await errorOf(await create(unasked.access_token))).toEqual([403, 'invocation_needed'])
    const implied = await consoleClient(send).tokens(actor, { ...wanted, ...atConsole, abilities: ['*'] })
    expect(await errorOf(await create(implied.access_token))).toEqual([403, 'invocation_needed'])
  })

  const keyBySignIn = async (
    made: Pick<Awaited<ReturnType<typeof oracle>>, 'send'>,
    actor: Parameters<TestClient['tokens']>[0],
    { abilities = ['*', 'api-key/create'], ...body }: { abilities?: string[]; scopes?: string[] } = {},
  ) => {
    const { access_token: token } = await consoleClient(made.send).tokens(actor, {
      ...atConsole,
      scope: abilities.join(' '),
      scopes: abilities,
      abilities: [...abilities, 'auth/token'],
    })
    const authorization = `Bearer ${token}`
    const answer = await made.send('/api-keys', json({ name: 'script', ...body }, { authorization }))
    return {
      token,
      answer,
      record: (await answer.clone().json()) as { id: string; key: string; did: string; scopes: string[] },
    }
  }

  test('a key of a sign-in acts as its user with less than the token, outlives the sign-in, and is revoked by its user', async () => {
    const made = await oracle()
    const { send, actor } = made
    const { token, answer, record } = await keyBySignIn(made, actor, { scopes: ['session/read', 'api-key/create'] })
    expect(answer.status).toBe(201)
    expect(record).toMatchObject({ did: actor.did, scopes: ['session/read', 'api-key/create'] })
    const as = (credential: string, path: string, init: RequestInit = {}) =>
      send(path, { ...init, headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' } })
    const { signIns } = await (await as(token, '/oauth/sign-ins')).json()
    expect(signIns).toMatchObject([{ device: 'An unknown browser', current: true, createdAt: expect.any(String) }])
    expect((await as(token, `/oauth/sign-ins/${signIns[0].id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await as(token, '/sessions')).status).toBe(401)
    expect((await as(record.key, '/sessions')).status).toBe(200)
    const another = await as(record.key, '/api-keys', { method: 'POST', body: JSON.stringify({ name: 'more' }) })
    expect(await errorOf(another)).toEqual([403, 'invocation_needed'])
    const { token: next } = await keyBySignIn(made, actor)
    expect((await (await as(next, '/api-keys')).json()).keys).toHaveLength(2)
    expect((await as(next, `/api-keys/${record.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await as(record.key, '/sessions')).status).toBe(401)
  })

  test('a key of a sign-in never has more than the token, and nothing of the operator', async () => {
    const controller = createSigningKey()
    const made = await oracle({ env: { ORACLE_CONTROLLERS: controller.did } })
    const held = ['session/read', 'operator/read', 'api-key/create']
    const keyHolder = await delegatedActor(made.app, { key: controller }, { abilities: [...held, 'auth/token'] })
    for (const scopes of [['*'], ['session/*'], ['chat/send'], ['auth/token'], ['operator/read']]) {
      const { answer } = await keyBySignIn(made, keyHolder, { abilities: held, scopes })
      expect([scopes, ...((await errorOf(answer)) as unknown[])]).toEqual([scopes, 403, 'scope_not_held'])
    }
    expect((await keyBySignIn(made, keyHolder, { abilities: held })).record.scopes).toEqual(['session/read'])
  })

  test.each(['sqlite', ...(postgres ? ['postgres'] : [])])(
    'a key of a sign-in ends with the delegation below the sign-in (%s)',
    async engine => {
      const controller = createSigningKey()
      const url: Record<string, string> =
        engine === 'postgres' ? { DATABASE_URL: (await postgres?.createDatabase()) ?? '' } : {}
      const made = await oracle({ env: { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did, ...url } })
      const abilities = ['session/*', 'api-key/create']
      const helper = await delegatedActor(made.app, { key: controller }, { abilities: [...abilities, 'auth/*'] })
      const { record } = await keyBySignIn(made, helper, { abilities })
      const status = async () =>
        (await made.send('/sessions', { headers: { authorization: `Bearer ${record.key}` } })).status
      expect(await status()).toBe(200)
      expect((await helper.revoke()).status).toBe(200)
      expect(await status()).toBe(401)
    },
  )

  test('a key of a sign-in by an operator’s code ends with the delegation of that operator', async () => {
    const controller = createSigningKey()
    const { send, app } = await oracle({ env: { ORACLE_CONTROLLERS: controller.did } })
    const scopes = ['session/*', 'api-key/create']
    const operator = await delegatedActor(app, { key: controller }, { abilities: ['operator/*', ...scopes] })
    const made = await operator.request('/oauth/codes', { json: { name: 'Mutale', scopes } })
    const { code, did } = (await made.json()) as { code: string; did: string }
    const client = consoleClient(send)
    const { path, cookie } = await client.begin({ ...atConsole, scope: scopes.join(' ') })
    const back = await client.return(await send(`${path}/code`, json({ code, scopes }, { cookie })), cookie)
    const exchanged = await client.exchange(back.searchParams.get('code') ?? '', atConsole)
    const { access_token: token }: Tokens = await exchanged.json()
    const answer = await send('/api-keys', json({ name: 'script' }, { authorization: `Bearer ${token}` }))
    const key = (await answer.json()) as { key: string; did: string; scopes: string[] }
    expect(key).toMatchObject({ did, scopes: ['session/*'] })
    const status = async () => (await send('/sessions', { headers: { authorization: `Bearer ${key.key}` } })).status
    expect(await status()).toBe(200)
    expect((await operator.revoke()).status).toBe(200)
    expect(await status()).toBe(401)
  })

  test('a phone signs with the secret of the QR code alone, once, and only the first browser continues', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const [one, other] = [await client.begin(), await client.begin()]
    const begin = ({ path, cookie }: typeof one) =>
      send(`${path}/phone`, json({ scopes: ['chat/*'], days: 7 }, { cookie }))
    expect(await errorOf(await begin({ ...one, cookie: other.cookie }))).toEqual([400, 'sign_in_expired'])
    const first = await (await begin(one)).json()
    const { url, number } = await (await begin(one)).json()
    expect(number).toMatch(/^\d{4}$/)
    const next = (cookie: string) => send(`${one.path}/phone/next`, json({}, { cookie }))
    expect(await (await next(one.cookie)).json()).toEqual({})
    const sign = async (address: string, abilities = ['auth/token', 'chat/*']) => {
      const headers = { authorization: `Bearer ${await actor.token(abilities)}` }
      return send(new URL(address).pathname, json({ number, scopes: ['chat/*'] }, headers))
    }
    expect(await errorOf(await sign(first.url))).toEqual([400, 'sign_in_expired'])
    expect(await errorOf(await sign(`${url}x`))).toEqual([400, 'sign_in_expired'])
    expect(await errorOf(await sign(url, ['chat/*']))).toEqual([403, 'ucan_capability_missing'])
    expect((await send(new URL(url).pathname)).status).toBe(200)
    expect((await sign(url)).status).toBe(204)
    expect(await errorOf(await sign(url))).toEqual([400, 'sign_in_expired'])
    expect((await send(new URL(url).pathname)).status).toBe(400)
    expect(await errorOf(await next(other.cookie))).toEqual([400, 'sign_in_expired'])
    const back = await client.return(await next(one.cookie), one.cookie)
    const tokens = await (await client.exchange(back.searchParams.get('code') ?? '')).json()
    expect(tokens.scope).toBe('chat/*')
    expect(await client.status(tokens.access_token)).toBe(403)
    expect(await errorOf(await next(one.cookie))).toEqual([400, 'sign_in_expired'])
  })

  test('a signature of a phone signs in once, also after the user ended the sign-in', async () => {
    const { send, actor } = await shared()
    const { path, cookie } = await (await TestClient.register(send)).begin()
    const begun = await send(`${path}/phone`, json({ scopes: ['chat/*'], days: 7 }, { cookie }))
    const { url, number } = await begun.json()
    const authorization = `Bearer ${await actor.token(['auth/token', 'chat/*'])}`
    const signed = json({ number, scopes: ['chat/*'] }, { authorization })
    expect((await send(new URL(url).pathname, signed)).status).toBe(204)
    const list = async () =>
      (await (await actor.request('/oauth/sign-ins', { abilities: ['sign-in/*'] })).json()).signIns
    const next = () => send(`${path}/phone/next`, json({}, { cookie }))
    const statuses = (await Promise.all([next(), next(), next()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 400, 400])
    const [{ id }] = await list()
    const end = { method: 'DELETE', abilities: ['sign-in/*'] }
    expect((await actor.request(`/oauth/sign-ins/${id}`, end)).status).toBe(204)
    expect(await errorOf(await next())).toEqual([400, 'sign_in_expired'])
    expect(await list()).toEqual([])
  })

  test('a phone signs with the number of the first screen alone, which is not on its page', async () => {
    const { send, actor } = await shared()
    const { path, cookie } = await (await TestClient.register(send)).begin()
    const begun = await send(`${path}/phone`, json({ scopes: ['chat/*', 'session/*'], days: 90 }, { cookie }))
    const { url, number } = await begun.json()
    const { pathname } = new URL(url)
    const page = await (await send(pathname)).text()
    expect(page).not.toContain(number)
    expect(page).toContain('For 30 days')
    const sign = async (body: object) =>
      send(pathname, json(body, { authorization: `Bearer ${await actor.token(['auth/token', '*'])}` }))
    expect((await sign({})).status).toBe(400)
    const wrong = String((Number(number) + 1) % 10_000).padStart(4, '0')
    for (let time = 0; time < 3; time += 1)
      expect(await errorOf(await sign({ number: wrong, scopes: ['chat/*'] }))).toEqual([403, 'sign_in_number_wrong'])
    expect(await errorOf(await sign({ number, scopes: ['chat/*'] }))).toEqual([429, 'sign_in_attempts'])
    expect(await errorOf(await send(`${path}/phone/next`, json({}, { cookie })))).toEqual([429, 'sign_in_attempts'])
    expect((await send(pathname)).status).toBe(429)
  })

  test('a phone grants neither everything nor API keys, and the user clears scopes on it', async () => {
    const { send, actor } = await shared()
    const client = consoleClient(send)
    const scopes = ['*', 'api-key/create']
    const begin = async (chosen: readonly string[]) => {
      const begun = await client.begin({ ...atConsole, scope: scopes.join(' ') })
      return {
        ...begun,
        answer: await send(`${begun.path}/phone`, json({ scopes: chosen, days: 7 }, { cookie: begun.cookie })),
      }
    }
    expect(await errorOf((await begin(['api-key/create'])).answer)).toEqual([403, 'sign_in_not_by_phone'])
    const { path, cookie, answer } = await begin(scopes)
    const { url, number } = await answer.json()
    const page = await (await send(new URL(url).pathname)).text()
    expect(page).toContain('value="session/*"')
    for (const scope of scopes) expect(page).not.toContain(`value="${scope}"`)
    const authorization = `Bearer ${await actor.token(['auth/token', ...scopes])}`
    const body = { number, scopes: ['session/*', 'auth/token', ...scopes] }
    expect((await send(new URL(url).pathname, json(body, { authorization }))).status).toBe(204)
    const back = await client.return(await send(`${path}/phone/next`, json({}, { cookie })), cookie)
    const tokens = await (await client.exchange(back.searchParams.get('code') ?? '', atConsole)).json()
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await (await send('/me', { headers })).json()).scopes).toEqual(['session/*'])
    expect((await send('/me/export', { headers })).status).toBe(403)
  })

  test('only the browser that began a sign-in completes it, with a key and not with a credential of many requests', async () => {
    const { send, actor } = await shared()
    const client = await TestClient.register(send)
    const tokens = await client.tokens(actor, { scope: '*', scopes: ['*'], abilities: ['*'] })
    const [one, other] = [await client.begin(), await client.begin()]
    const signed = async (cookie: string) => ({
      cookie,
      authorization: `Bearer ${await actor.token(['auth/token', 'chat/*'])}`,
    })
    const body = { scopes: ['chat/*'] }
    for (const cookie of ['', other.cookie, 'sibyl_sign_in=forged; sibyl_sign_in.sig=forged']) {
      expect(await errorOf(await send(one.path, json(body, await signed(cookie))))).toEqual([400, 'sign_in_expired'])
    }
    const bearer = { cookie: one.cookie, authorization: `Bearer ${tokens.access_token}` }
    expect(await errorOf(await send(one.path, json(body, bearer)))).toEqual([403, 'sign_in_needs_ucan'])
    expect((await send(one.path, json(body, await signed(one.cookie)))).status).toBe(200)
  })

  test('the client receives the denial of the user', async () => {
    const { send } = await shared()
    const client = await TestClient.register(send)
    const { path, cookie } = await client.begin()
    const back = await client.return(await send(`${path}/deny`, json({}, { cookie })), cookie)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'state-1' })
  })

  test.each([
    [{ redirect_uris: [] }],
    [{ redirect_uris: ['http://evil.example/callback'] }],
    [{ redirect_uris: ['javascript:alert(1)'] }],
    [{ redirect_uris: ['data:text/html,hi'] }],
    [{ redirect_uris: ['intent://client.example/callback'] }],
    [{ redirect_uris: ['pocket://callback'] }],
    [{ redirect_uris: ['https://client.example/#fragment'] }],
    [{ redirect_uris: ['https://user:secret@client.example/'] }],
    [{ redirect_uris: Array(11).fill(redirectUri) }],
    [{ redirect_uris: 'https://client.example' }],
    [{ client_name: 'x'.repeat(101) }],
  ])('the registration %j is rejected', async metadata => {
    const { send } = await shared()
    await expect(TestClient.register(send, metadata)).rejects.toThrow('answered with 400')
  })

  test('a registration gets a public client with PKCE, whatever it asks for', async () => {
    const { send } = await shared()
    const answer = await send(
      '/oauth/register',
      json({
        client_name: ' Note\u202ebook\u0007 ',
        redirect_uris: ['https://client.example/callback', 'com.example.app:/callback'],
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials', 'implicit'],
        response_types: ['token'],
        jwks_uri: 'http://169.254.169.254/latest',
        sector_identifier_uri: 'http://127.0.0.1:1/',
        scope: '*',
      }),
    )
    const client = await answer.json()
    expect(client).toMatchObject({
      client_name: 'Notebook',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    })
    expect(client).not.toHaveProperty('client_secret')
    expect(client).not.toHaveProperty('jwks_uri')
  })

  test('1,300 registrations leave 1,000, and none that a user signed in to is lost', { tags: 'long' }, async () => {
    const { send, actor, app } = await oracle()
    const used = await TestClient.register(send)
    const tokens = await used.tokens(actor)
    const ids: string[] = []
    for (let round = 0; round < 13; round += 1) {
      const made = await Promise.all(Array.from({ length: 100 }, () => TestClient.register(send)))
      ids.push(...made.map(({ id }) => id))
    }
    const known = await Promise.all(
      ids.map(async id => ((await new TestClient(send, id).authorize()).status === 303 ? 1 : 0)),
    )
    expect(known.reduce<number>((sum, one) => sum + one, 0)).toBe(maxUnusedClients)
    expect((await used.refresh(tokens.refresh_token)).status).toBe(200)
    expect((await used.authorize()).status).toBe(303)
    expect((await (await app.request('/health')).json()).status).toBe('ok')
  })

  test.each([
    ['Client', maxClients, 24 * 80],
    ['Interaction', maxBegun, 0.1],
  ])('records of the kind %s are at most %i', async (kind, max, hours) => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-oauth-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { send, actor } = await oracle({ env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}` } })
    const db = new DatabaseSync(join(folder, 'oracle.db'))
    onTestFinished(() => db.close())
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${max})
      insert into oauth_records (kind, id, payload, expires_at) select '${kind}', 'x' || i, '{}', ${Date.now() + hours * 3_600_000} + i from n`)
    const has = (id: string) => db.prepare('select 1 from oauth_records where kind = ? and id = ?').get(kind, id)
    await (await TestClient.register(send)).tokens(actor)
    const { count } = db.prepare('select count(*) as count from oauth_records where kind = ?').get(kind) as {
      count: number
    }
    expect(count).toBeLessThanOrEqual(max)
    expect([has('x1'), has(`x${max}`)]).toEqual([undefined, { 1: 1 }])
  })

  test('the registrations and sign-ins of one network replace its own, not those of others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-oauth-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const { app } = await oracle({ env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}` } })
    const honest = await TestClient.register(sendFrom('203.0.113.7', app))
    const begun = await honest.begin()
    const db = new DatabaseSync(join(folder, 'oracle.db'))
    onTestFinished(() => db.close())
    const flood = (kind: string, count: number, until: number) =>
      db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
        insert into oauth_records (kind, id, payload, expires_at, site)
        select '${kind}', 'x' || i, '{}', ${until} + i, '2001:db8:1::/48' from n`)
    const hour = 3_600_000
    flood('Client', maxUnusedClients - 1, Date.now() + 2 * hour)
    flood('Interaction', maxBegun - 1, Date.now() + hour)
    const stranger = await TestClient.register(sendFrom('2001:db8:1:2::3', app))
    await stranger.authorize()
    const left = db.prepare(
      "select kind, count(*) as count from oauth_records where payload = '{}' group by kind order by kind",
    )
    expect(left.all().map(({ count }) => count)).toEqual([maxUnusedClients - 2, maxBegun - 2])
    expect((await honest.authorize()).status).toBe(303)
    expect((await sendFrom('203.0.113.7', app)(begun.path, { headers: { cookie: begun.cookie } })).status).toBe(200)
  })

  test('registrations of one address are limited', async () => {
    const { app } = await oracle({ env: { RATE_LIMIT_PER_MINUTE: '1000' } })
    const send = async () =>
      (
        await app.fetch(new Request('http://localhost/oauth/register', json({ redirect_uris: [redirectUri] })), {
          clientAddress: '203.0.113.7',
        })
      ).status
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) statuses.push(await send())
    expect(statuses.filter(status => status === 201)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('metadata documents of clients', () => {
  const id = 'https://client.example/app.json'
  const document = { client_id: id, client_name: 'Example', redirect_uris: [redirectUri] }
  const served =
    (body: unknown, changes: object = {}) =>
    async (url: string | URL) => ({
      status: 200,
      headers: new Headers(),
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      isComplete: true,
      url: String(url),
      ...changes,
    })

  test('a client is known by the URL of its document', async () => {
    const { send, actor } = await oracle({
      fetch: served({ ...document, scope: 'openid', token_endpoint_auth_method: 'none' }),
    })
    const client = new TestClient(send, id)
    const { path, cookie } = await client.begin()
    const page = await (await send(path, { headers: { cookie } })).text()
    expect(page).toContain(id)
    expect(page).toContain(`Allow the application at ${new URL(id).host}`)
    expect(page).toContain('<bdi>Example</bdi> <span class="quiet">(not verified)</span>')
    expect(await client.status((await client.tokens(actor)).access_token)).toBe(200)
  })

  test('a client that users are signed in to works while others use up the limit of new ones', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sibyl-oauth-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const options = {
      env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}`, RATE_LIMIT_PER_MINUTE: '0' },
      fetch: (url: string | URL) => served({ ...document, client_id: String(url) })(url),
    }
    const before = await oracle(options)
    await new TestClient(before.send, id).tokens(before.actor)
    await before.app.close()
    const { send, app } = await oracle(options)
    const statusOf = async (client: string) => (await new TestClient(send, client).authorize()).status
    for (let count = 0; count < 20; count += 1) {
      expect(await statusOf(`https://client.example/${count}.json`)).toBe(303)
    }
    expect([await statusOf('https://client.example/new.json'), await statusOf(id)]).toEqual([400, 303])
    const other = new TestClient(sendFrom('203.0.113.7', app), 'https://client.example/other.json')
    expect((await other.authorize()).status).toBe(303)
  })

  test.each([
    ['is of another client', served({ ...document, client_id: 'https://other.example/app.json' })],
    ['is too large', served(document, { isComplete: false })],
    ['is not JSON', served('<html>')],
    ['is a list', served([document])],
    ['has a redirect URI elsewhere', served({ ...document, redirect_uris: ['http://evil.example/'] })],
    ['redirects', served('', { status: 302, headers: new Headers({ location: 'http://127.0.0.1/' }) })],
    ['is missing', served('', { status: 404 })],
  ])('a document that %s is not a client', async (_, fetch) => {
    const { send } = await oracle({ fetch })
    const answer = await new TestClient(send, id).authorize()
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  test.each([
    ['https://127.0.0.1/app.json'],
    ['https://[::1]/app.json'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://10.0.0.1:8443/app.json'],
    ['http://client.example/app.json'],
    ['https://user@client.example/app.json'],
    ['https://localhost/app.json'],
  ])('the document %s, which is not public, is not fetched', async inward => {
    const { send } = await shared()
    const answer = await new TestClient(send, inward).authorize()
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })
})

test('no code and no token is stored or logged', async () => {
  const logger = recordedLogger()
  const app = await testApp({ plugins: [], adapters: [oauth()], logger, env: { LOG_LEVEL: 'trace' } })
  await using _ = app
  const client = await TestClient.register((path, init) => app.app.request(path, init))
  const code = await client.signIn(app.actor)
  const tokens: Tokens = await (await client.exchange(code)).json()
  await client.refresh(tokens.refresh_token)
  await client.status(`${tokens.access_token}x`)
  const lines = JSON.stringify(logger.lines)
  for (const secret of [code, tokens.access_token, tokens.refresh_token, client.verifier])
    expect(lines).not.toContain(secret)
})

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('each step may be at another process, and a code or a refresh token has one successor', async () => {
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    const [one, two] = [await oracle({ env }), await oracle({ env })]
    let turn = 0
    const send = (path: string, init?: RequestInit) => [one, two][turn++ % 2]!.send(path, init)
    const client = await TestClient.register(send)
    for (let round = 0; round < 3; round += 1) {
      const code = await client.signIn(one.actor)
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.exchange(code)))
      const [first, ...others] = await Promise.all(answers.map(answer => answer.json()))
      expect(first.refresh_token).toMatch(/^[\w-]{43}$/)
      expect(others).toEqual(Array.from({ length: 5 }, () => first))
    }
    const tokens = await client.tokens(one.actor)
    const refreshed = await Promise.all(Array.from({ length: 6 }, () => client.refresh(tokens.refresh_token)))
    const [first, ...others] = await Promise.all(refreshed.map(answer => answer.json()))
    expect([first.refresh_token === tokens.refresh_token, others]).toEqual([
      false,
      Array.from({ length: 5 }, () => first),
    ])
    const fresh = await client.tokens(one.actor)
    const { signIns } = await (await one.actor.request('/oauth/sign-ins')).json()
    await one.actor.request(`/oauth/sign-ins/${signIns.at(-1).id}`, { method: 'DELETE' })
    expect(await new TestClient(two.send, client.id).status(fresh.access_token)).toBe(401)
  })
})

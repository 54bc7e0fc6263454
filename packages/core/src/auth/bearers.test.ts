import { createMnemonic, createSigningKey, mintDelegation, mintInvocation } from '@sibyl/identity'
import { route } from '@sibyl/plugin'
import { readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { callWith, exchange, oracleAt } from '../testing/call-with.ts'
import { expectRefusal, forge, payloadFor, readSessions, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { maxBearersOfDid } from './bearer-store.ts'

const oracle = (steps: readonly string[] = ['fine'], env: Record<string, string> = {}) =>
  testApp({ plugins: [], model: scriptedModel(steps), env })

const codeOf = async (answer: Response | Promise<Response>) => {
  const { status, body } = { status: (await answer).status, body: await (await answer).text() }
  return [status, body === '' ? undefined : JSON.parse(body).code]
}

describe('POST /auth/token', () => {
  test('exchanges an invocation for a bearer that acts as the same DID for many requests', async () => {
    await using app = await oracle(['one', 'two'])
    const answer = await callWith(app, await app.actor.token(), 'POST', '/auth/token')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { token, expiresAt, ...rest } = await answer.json()
    expect(rest).toEqual({ tokenType: 'Bearer', did: app.actor.did, scopes: ['*'] })
    expect(token).toMatch(/^sibyl_[\w-]{43}$/)
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 900_000)).toBeLessThan(10_000)
    expect((await readStream(await sendWith(app, token))).text).toBe('one')
    expect((await readStream(await sendWith(app, token))).text).toBe('two')
    expect((await (await app.actor.request('/sessions')).json()).sessions).toMatchObject([{ id: 's1' }])
    expect((await callWith(app, token, 'POST', '/chat/s1/stop')).status).toBe(200)
    expect((await callWith(app, token, 'DELETE', '/sessions/s1')).status).toBe(204)
  })

  test('the bearer works on plugin routes, which receive the kind of credential', async () => {
    const whoami = route.get(
      '/desk',
      { auth: { ucan: 'desk/look' }, summary: 'A route', ok: { 200: { description: 'who' } } },
      c => c.json(c.get('actor') ?? {}),
    )
    await using app = await testApp({ plugins: [officePlugin({ routes: [whoami] })] })
    const { token } = await exchange(app, await app.actor.token(['auth/token', 'desk/*', 'chat/send']))
    const answer = await callWith(app, token, 'GET', '/desk')
    expect(await answer.json()).toEqual({
      did: app.actor.did,
      via: 'bearer',
      scopes: ['desk/*', 'chat/send'],
      holder: app.actor.did,
      grant: { root: app.actor.did, links: [] },
    })
  })

  test('grants less if the body requests less, and never more', async () => {
    await using app = await oracle()
    const abilities = ['auth/token', 'chat/*', 'session/read']
    const invocation = () => app.actor.token(abilities)
    const all = await exchange(app, await invocation())
    expect(all.scopes).toEqual(['chat/*', 'session/read'])
    const few = await exchange(app, await invocation(), { scopes: ['chat/send'], lifetimeSeconds: 60 })
    expect(few.scopes).toEqual(['chat/send'])
    expect(Date.parse(few.expiresAt) - Date.now()).toBeLessThan(61_000)
    expect((await sendWith(app, few.token)).status).toBe(200)
    await expectRefusal(await readSessions(app, `Bearer ${few.token}`), 403, 'scope_missing')
    await expectRefusal(await callWith(app, all.token, 'DELETE', '/sessions/s1'), 403, 'scope_missing')
    for (const scopes of [['*'], ['session/*'], ['chat/send', 'session/delete'], ['delegation/keep']]) {
      const answer = await callWith(app, await invocation(), 'POST', '/auth/token', { scopes })
      await expectRefusal(answer, 403, 'scope_not_held')
    }
    const bare = await callWith(app, await app.actor.token(['auth/token']), 'POST', '/auth/token')
    await expectRefusal(bare, 403, 'scope_not_held')
    for (const body of [
      { lifetimeSeconds: 901 },
      { lifetimeSeconds: 0 },
      { lifetimeSeconds: 1.5 },
      { scopes: [] },
      { scopes: 'chat/*' },
      { scopes: ['chat /send'] },
      { scopes: Array(65).fill('chat/send') },
      { scope: ['chat/send'] },
      [],
      null,
    ]) {
      const answer = await callWith(app, await invocation(), 'POST', '/auth/token', body)
      expect([JSON.stringify(body), ...(await codeOf(answer))]).toEqual([JSON.stringify(body), 400, 'input_invalid'])
    }
  })

  test('rejects a body of another content type', async () => {
    await using app = await oracle()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      const answer = await app.app.request('/auth/token', {
        method: 'POST',
        headers: { authorization: `Bearer ${await app.actor.token()}`, 'content-type': type },
        body: '{"scopes":["chat/send"]}',
      })
      expect([type, ...(await codeOf(answer))]).toEqual([type, 415, 'content_type_unsupported'])
    }
  })

  test('accepts an invocation with auth/token once, and no other credential', async () => {
    const key = 'key-of-the-shop-0123456789'
    await using app = await oracle(['fine'], {
      ORACLE_API_KEYS: `shop:${key}:*`,
      ORACLE_OPERATOR_TOKEN: 'operator-0123456789',
    })
    const without = await callWith(app, await app.actor.token(['chat/*', 'session/*']), 'POST', '/auth/token')
    await expectRefusal(without, 403, 'ucan_capability_missing')
    const invocation = await app.actor.token()
    const { token } = await exchange(app, invocation)
    await expectRefusal(await callWith(app, invocation, 'POST', '/auth/token'), 401, 'ucan_replayed')
    await expectRefusal(await callWith(app, token, 'POST', '/auth/token'), 403, 'invocation_needed')
    await expectRefusal(await callWith(app, key, 'POST', '/auth/token'), 403, 'invocation_needed')
    await expectRefusal(await callWith(app, 'operator-0123456789', 'POST', '/auth/token'), 401, 'credential_unknown')
    await expectRefusal(await callWith(app, undefined, 'POST', '/auth/token'), 401, 'ucan_missing')
    const copies = await app.actor.token()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callWith(app, copies, 'POST', '/auth/token').then(({ status }) => status)),
    )
    expect(answers.filter(status => status === 200)).toEqual([200])
  })

  test('rejects an invocation that was used elsewhere, and the reverse', async () => {
    await using app = await oracle(['one'])
    const used = await app.actor.token()
    await readStream(await sendWith(app, used))
    await expectRefusal(await callWith(app, used, 'POST', '/auth/token'), 401, 'ucan_replayed')
    const exchanged = await app.actor.token()
    await exchange(app, exchanged)
    await expectRefusal(await sendWith(app, exchanged), 401, 'ucan_replayed')
  })

  test('does not combine the grants of several users', async () => {
    await using app = await oracle()
    const [alice, bob, carol] = [createSigningKey(), createSigningKey(), createSigningKey()]
    const grant = (key: typeof alice, abilities: string[]) =>
      mintDelegation({ key, audience: carol.did, resource: resourceOf(app), abilities })
    const invocation = await mintInvocation({
      key: carol,
      audience: app.app.identity.did!,
      resource: resourceOf(app),
      abilities: ['auth/token', 'session/read', 'chat/send'],
      proofs: [await grant(alice, ['auth/token', 'session/read']), await grant(bob, ['chat/*'])],
    })
    expect(await exchange(app, invocation)).toMatchObject({ did: carol.did, scopes: ['session/read'] })
  })

  test('expires with the first proof of the invocation', async () => {
    await using made = await oracleAt()
    const { oracle: app, pass } = made
    const device = createSigningKey()
    const now = () => Date.now()
    const proof = await mintDelegation({
      key: app.actor.key,
      audience: device.did,
      resource: resourceOf(app),
      abilities: ['*'],
      lifetimeSeconds: 120,
      now,
    })
    const base = { key: device, audience: app.app.identity.did!, resource: resourceOf(app), abilities: ['*'], now }
    const { token, expiresAt } = await exchange(app, await mintInvocation({ ...base, proofs: [proof] }))
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThan(121_000)
    expect((await readSessions(app, `Bearer ${token}`)).status).toBe(200)
    pass(125)
    await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'bearer_invalid')
  })
})

describe('a bearer', () => {
  test('expires', async () => {
    await using made = await oracleAt()
    const { oracle: app, pass } = made
    const { token } = await exchange(app, await app.actor.token())
    pass(890)
    expect((await readSessions(app, `Bearer ${token}`)).status).toBe(200)
    pass(11)
    await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'bearer_invalid')
    await expectRefusal(await sendWith(app, token), 401, 'bearer_invalid')
  })

  test('sees the sessions of its own DID only', async () => {
    await using app = await oracle(['mine', 'hers'])
    const alice = testActor(app.app)
    const mine = await exchange(app, await app.actor.token())
    const hers = await exchange(app, await alice.token())
    await readStream(await sendWith(app, mine.token))
    expect((await (await callWith(app, hers.token, 'GET', '/sessions')).json()).sessions).toEqual([])
    expect((await callWith(app, hers.token, 'GET', '/sessions/s1')).status).toBe(404)
    expect((await callWith(app, hers.token, 'DELETE', '/sessions/s1')).status).toBe(404)
    expect((await callWith(app, mine.token, 'GET', '/sessions/s1')).status).toBe(200)
  })

  test('revokes itself immediately, and only itself', async () => {
    await using app = await oracle()
    const [one, two] = [await exchange(app, await app.actor.token()), await exchange(app, await app.actor.token())]
    const narrow = await exchange(app, await app.actor.token(), { scopes: ['chat/send'] })
    expect(await (await callWith(app, one.token, 'DELETE', '/auth/token')).json()).toEqual({ revoked: 1 })
    await expectRefusal(await readSessions(app, `Bearer ${one.token}`), 401, 'bearer_invalid')
    await expectRefusal(await callWith(app, one.token, 'DELETE', '/auth/token'), 401, 'bearer_invalid')
    expect((await readSessions(app, `Bearer ${two.token}`)).status).toBe(200)
    expect(await (await callWith(app, narrow.token, 'DELETE', '/auth/token')).json()).toEqual({ revoked: 1 })
  })

  test('is revoked with all others of its DID by an invocation', async () => {
    await using app = await oracle()
    const alice = testActor(app.app)
    const tokens = [await exchange(app, await app.actor.token()), await exchange(app, await app.actor.token())]
    const hers = await exchange(app, await alice.token())
    const answer = await callWith(app, await app.actor.token(['auth/token']), 'DELETE', '/auth/token')
    expect(await answer.json()).toEqual({ revoked: 2 })
    for (const { token } of tokens) expect((await readSessions(app, `Bearer ${token}`)).status).toBe(401)
    expect((await readSessions(app, `Bearer ${hers.token}`)).status).toBe(200)
  })

  test('is limited in number per DID: a new one replaces the oldest', async () => {
    await using made = await oracleAt()
    const { oracle: app, pass } = made
    const tokens: string[] = []
    for (let count = 0; count < maxBearersOfDid + 1; count += 1) {
      tokens.push((await exchange(app, await app.actor.token())).token)
      pass(1)
    }
    const statuses = await Promise.all(tokens.map(async token => (await readSessions(app, `Bearer ${token}`)).status))
    expect(statuses).toEqual([401, ...Array(maxBearersOfDid).fill(200)])
  })

  test('survives a restart, and is stored only as a hash', async () => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    let token = ''
    {
      await using app = await oracle(['one'], env)
      token = (await exchange(app, await app.actor.token())).token
      const { readFileSync, readdirSync } = await import('node:fs')
      const bytes = readdirSync(folder.path).map(name => readFileSync(`${folder.path}/${name}`, 'latin1'))
      expect(bytes.join('')).not.toContain(token.slice('sibyl_'.length))
    }
    await using app = await oracle(['two'], env)
    expect((await readSessions(app, `Bearer ${token}`)).status).toBe(200)
  })

  test('is invalid under another key or another policy of the oracle', async () => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    let token = ''
    {
      await using app = await oracle([], env)
      token = (await exchange(app, await app.actor.token())).token
    }
    const changes: Record<string, string>[] = [
      { ORACLE_MNEMONIC: createMnemonic(12).reveal() },
      { ORACLE_ACCESS: 'delegated' },
      { ORACLE_CONTROLLERS: 'did:key:z6Mkx' },
    ]
    for (const change of changes) {
      await using app = await oracle([], { ...env, ...change })
      await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'bearer_invalid')
    }
    await using app = await oracle([], { ...env, ORACLE_MNEMONIC: '' })
    await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'signing_key_missing')
  })

  test('is rejected if another oracle issued it or it was never issued', async () => {
    await using app = await oracle()
    await using other = await oracle()
    const { token } = await exchange(other, await other.actor.token())
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const one of [token, changed, `sibyl_${'A'.repeat(43)}`]) {
      await expectRefusal(await readSessions(app, `Bearer ${one}`), 401, 'bearer_invalid')
    }
  })
})

describe('location of credentials', () => {
  test('accepts the scheme in any case; anything but one whole token is not a token', async () => {
    await using app = await oracle()
    const { token } = await exchange(app, await app.actor.token())
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect((await readSessions(app, `${scheme} ${token}`)).status).toBe(200)
    }
    for (const header of [
      token,
      `Bearer ${token} `.repeat(2).trim(),
      `Bearer ${token}, Bearer ${token}`,
      `Bearer  ${token}`,
      `Basic ${token}`,
      `Bearer\t${token}`,
      `Token ${token}`,
    ]) {
      await expectRefusal(await readSessions(app, header), 401, 'ucan_missing')
    }
    for (const wrong of [token.toUpperCase(), `${token}=`, `${token}A`, token.slice('sibyl_'.length)]) {
      expect([wrong, (await readSessions(app, `Bearer ${wrong}`)).status]).toEqual([wrong, 401])
    }
  })

  test('ignores the query, cookies and the body', async () => {
    await using app = await oracle()
    const { token } = await exchange(app, await app.actor.token())
    for (const name of ['access_token', 'token', 'bearer', 'authorization']) {
      await expectRefusal(await app.app.request(`/sessions?${name}=${token}`), 401, 'ucan_missing')
      await expectRefusal(
        await app.app.request('/sessions', { headers: { cookie: `${name}=${token}`, 'x-api-key': token } }),
        401,
        'ucan_missing',
      )
    }
    const body = await callWith(app, undefined, 'POST', '/chat', { message: 'hi', access_token: token })
    await expectRefusal(body, 401, 'ucan_missing')
  })

  test('ignores a header that is sent twice, over a real socket', async () => {
    await using app = await oracle()
    const { port } = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { token } = await exchange(app, await app.actor.token())
    const { request } = await import('node:http')
    const statusWith = (headers: string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ port, host: '127.0.0.1', path: '/sessions', headers }, answer => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
    const host = ['Host', `127.0.0.1:${port}`]
    expect(await statusWith([...host, 'Authorization', `Bearer ${token}`])).toBe(200)
    for (const [one, two] of [
      [token, 'x'],
      ['x', token],
      [token, token],
    ]) {
      const twice = ['Authorization', `Bearer ${one}`, 'Authorization', `Bearer ${two}`]
      expect(await statusWith([...host, ...twice])).toBe(401)
    }
  })

  test('rejects tokens of a megabyte immediately', async () => {
    await using app = await oracle(['x'], { ORACLE_API_KEYS: 'shop:key-of-the-shop-0123456789' })
    for (const huge of ['x'.repeat(1_000_000), `sibyl_${'A'.repeat(1_000_000)}`, `${'e30.'.repeat(250_000)}x`]) {
      await expectRefusal(await readSessions(app, `Bearer ${huge}`), 401, 'ucan_too_large')
      await expectRefusal(await callWith(app, huge, 'POST', '/auth/token'), 401, 'ucan_too_large')
    }
  })

  test('does not exchange a delegation, or a revoked or expired invocation', async () => {
    await using app = await oracle()
    const base = { audience: app.app.identity.did!, resource: resourceOf(app), abilities: ['*'] }
    const delegation = await mintDelegation({ key: app.actor.key, ...base })
    await expectRefusal(await callWith(app, delegation, 'POST', '/auth/token'), 401, 'ucan_lifetime_too_long')
    const expired = await forge(
      app.actor.key,
      payloadFor(app, app.actor.key, { exp: Math.floor(Date.now() / 1000) - 100 }),
    )
    await expectRefusal(await callWith(app, expired, 'POST', '/auth/token'), 401, 'ucan_expired')
  })
})

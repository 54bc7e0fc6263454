import { createHash } from 'node:crypto'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type Actor, type Host, route } from '@sibyl/plugin'
import type { authSchemas } from '@sibyl/protocol'
import { sharePostgres } from '@sibyl/storage/testing'
import { delegatedActor, readStream, scriptedModel, type TestActor, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { callWith, exchange, oracleAt } from '../testing/call-with.ts'
import { expectRefusal, readSessions, sendWith } from '../testing/forge-invocation.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { maxApiKeys } from './api-key-store.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const operatorToken = 'operator-token-of-the-tests-01'

const create = async (
  actor: TestActor,
  body: object = {},
): Promise<z.infer<typeof authSchemas.createdApiKeyRecord>> => {
  const answer = await actor.request('/api-keys', { json: { name: 'shop', ...body } })
  const text = await answer.text()
  expect(answer.status, text).toBe(201)
  return JSON.parse(text)
}

/** A plugin that tells who calls, and its host. */
const office = () => {
  const host = Promise.withResolvers<Host>()
  const who = route.get(
    '/desk',
    { auth: { ucan: 'desk/look' }, summary: 'A route', ok: { 200: { description: 'who' } } },
    c => c.json(c.get('actor')),
  )
  const plugin = samplePlugin('desk', {
    setup(given: Host) {
      host.resolve(given)
      return { routes: [who] }
    },
  })
  return { plugin, host: host.promise }
}

const whoIs = async (app: Parameters<typeof callWith>[0], key: string) =>
  (await (await callWith(app, key, 'GET', '/desk')).json()) as Actor

describe('stored API keys', () => {
  test('a key acts as its creator within its scopes, and is shown once', async () => {
    let time = Date.now()
    await using app = await testApp({ plugins: [], model: scriptedModel(['fine']), clock: { now: () => time++ } })
    const { key, ...facts } = await create(app.actor, { scopes: ['chat/*', 'session/read'], days: 7 })
    expect(key).toMatch(/^sibyl_key_[\w-]{43}$/)
    expect(facts).toMatchObject({ name: 'shop', did: app.actor.did, scopes: ['chat/*', 'session/read'] })
    expect(Date.parse(facts.expiresAt) - Date.parse(facts.createdAt)).toBe(7 * 86_400_000)
    expect((await readStream(await sendWith(app, key))).text).toBe('fine')
    expect((await (await callWith(app, key, 'GET', '/sessions')).json()).sessions).toMatchObject([{ id: 's1' }])
    await expectRefusal(await callWith(app, key, 'DELETE', '/sessions/s1'), 403, 'scope_missing')
    const listed = await (await app.actor.request('/api-keys')).json()
    expect(listed).toEqual({ keys: [{ ...facts, lastUsedAt: expect.any(String) }] })
    await expectRefusal(
      await readSessions(app, `Bearer ${key.slice(0, -1)}${key.endsWith('A') ? 'E' : 'A'}`),
      401,
      'credential_rejected',
    )
    await expectRefusal(await readSessions(app, `Bearer sibyl_key_`), 401, 'credential_rejected')
  })

  test('a key cannot hold more than its creator, nor create another credential', async () => {
    await using app = await testApp({ plugins: [], env: { ORACLE_API_KEYS: 'till:key-of-the-till-0123456789:*' } })
    const few = async (scopes?: string[]) =>
      callWith(app, await app.actor.token(['api-key/create', 'chat/send']), 'POST', '/api-keys', {
        name: 'shop',
        ...(scopes ? { scopes } : {}),
      })
    expect((await (await few()).json()).scopes).toEqual(['chat/send'])
    for (const scopes of [['*'], ['chat/*'], ['chat/send', 'session/read']]) {
      await expectRefusal(await few(scopes), 403, 'scope_not_held')
    }
    for (const scopes of [['auth/impersonate'], ['auth/token'], ['auth/*']]) {
      const answer = await app.actor.request('/api-keys', { json: { name: 'shop', scopes } })
      await expectRefusal(answer, 403, 'scope_not_held')
    }
    const { key } = await create(app.actor, { scopes: ['*'] })
    const { token } = await exchange(app, await app.actor.token())
    for (const credential of [key, token, 'key-of-the-till-0123456789']) {
      const answer = await callWith(app, credential, 'POST', '/api-keys', { name: 'another' })
      await expectRefusal(answer, 403, 'invocation_needed')
    }
    await expectRefusal(await callWith(app, key, 'POST', '/auth/token'), 403, 'invocation_needed')
    const others = await app.actor.request('/api-keys', { json: { name: 'shop', did: createSigningKey().did } })
    await expectRefusal(others, 403, 'did_not_yours')
  })

  test.each([
    [{}],
    [{ name: '' }],
    [{ name: 'x'.repeat(101) }],
    [{ name: 'x', scopes: [] }],
    [{ name: 'x', scopes: ['chat send'] }],
    [{ name: 'x', days: 0 }],
    [{ name: 'x', days: 366 }],
    [{ name: 'x', did: 'me' }],
    [{ name: 'x', secret: 'mine' }],
  ])('the body %j is invalid', async body => {
    await using app = await testApp({ plugins: [] })
    await expectRefusal(await app.actor.request('/api-keys', { json: body }), 400, 'input_invalid')
  })

  test('a revoked key ends at once, and an expired one in time', async () => {
    await using made = await oracleAt()
    const { oracle: app, pass } = made
    const one = await create(app.actor)
    const two = await create(app.actor, { days: 1 })
    const stranger = testActor(app.app)
    const foreign = await stranger.request(`/api-keys/${one.id}`, { method: 'DELETE' })
    await expectRefusal(foreign, 404, 'api_key_not_found')
    expect((await readSessions(app, `Bearer ${one.key}`)).status).toBe(200)
    expect((await app.actor.request(`/api-keys/${one.id}`, { method: 'DELETE' })).status).toBe(204)
    await expectRefusal(await readSessions(app, `Bearer ${one.key}`), 401, 'credential_rejected')
    expect((await readSessions(app, `Bearer ${two.key}`)).status).toBe(200)
    pass(86_400)
    await expectRefusal(await readSessions(app, `Bearer ${two.key}`), 401, 'credential_rejected')
  })

  test('a key ends with the delegation of its creator, and so does work that was stored under it', async () => {
    const { plugin, host } = office()
    const controller = createSigningKey()
    const env = { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did }
    await using app = await testApp({ plugins: [plugin], env })
    const helper = await delegatedActor(app.app, { key: controller })
    const { key } = await create(helper, { scopes: ['desk/*', 'chat/*'] })
    const stored = await whoIs(app, key)
    expect(stored).toMatchObject({ did: helper.did, via: 'bearer', holder: helper.did, scopes: ['desk/*', 'chat/*'] })
    expect(await (await host).grants.check(stored)).toEqual({ holds: true, actor: stored })
    expect((await helper.revoke()).status).toBe(200)
    await expectRefusal(await callWith(app, key, 'GET', '/desk'), 401, 'credential_rejected')
    expect(await (await host).grants.check(stored)).toMatchObject({ refusal: { code: 'grant_revoked' } })
  })

  test('work that was stored under a key ends with the key, and never has more than its scopes', async () => {
    const { plugin, host } = office()
    await using app = await testApp({ plugins: [plugin] })
    const { key, id } = await create(app.actor, { scopes: ['desk/look'] })
    const stored = await whoIs(app, key)
    expect(await (await host).grants.check({ ...stored, scopes: ['*'] })).toMatchObject({
      holds: true,
      actor: { scopes: ['desk/look'] },
    })
    await app.actor.request(`/api-keys/${id}`, { method: 'DELETE' })
    expect(await (await host).grants.check(stored)).toMatchObject({ refusal: { code: 'grant_removed' } })
  })

  test('keys of users share limits by address, and only those of the operator have the reserve', async () => {
    const { plugin, host } = office()
    await using app = await testApp({ plugins: [plugin], env: { ORACLE_OPERATOR_TOKEN: operatorToken } })
    const { key } = await create(app.actor, { scopes: ['desk/look'] })
    const made = await callWith(app, operatorToken, 'POST', '/api-keys', { name: 'till', scopes: ['desk/look'] })
    const till = await made.json()
    const [mine, operators] = [await whoIs(app, key), await whoIs(app, till.key)]
    expect(operators).toMatchObject({ did: till.did, via: 'api-key' })
    expect(operators.did).not.toBe(app.app.identity.did)
    const { shareOf } = (await host).limits
    expect([shareOf(mine, 100).ofAll, shareOf(operators, 100).ofAll]).toEqual([90, 100])
    expect(shareOf({ ...operators, via: 'task' }, 100).ofAll).toBe(100)
    expect(shareOf(mine, 100).holder).toBe(app.actor.did)
  })

  test('a holder has at most 50 keys', async () => {
    await using app = await testApp({ plugins: [], env: { RATE_LIMIT_DID_PER_MINUTE: '1000' } })
    for (let count = 0; count < maxApiKeys.ofHolder; count += 1) await create(app.actor)
    const answer = await app.actor.request('/api-keys', { json: { name: 'one more' } })
    await expectRefusal(answer, 409, 'api_keys_full')
    expect((await testActor(app.app).request('/api-keys', { json: { name: 'another' } })).status).toBe(201)
  })

  test('an export has the keys of a person without secrets, and an erasure ends them', async () => {
    await using app = await testApp({ plugins: [], env: { ORACLE_OPERATOR_TOKEN: operatorToken } })
    const { key } = await create(app.actor)
    const path = `/people/${encodeURIComponent(app.actor.did)}`
    const exported = await (await callWith(app, operatorToken, 'GET', `${path}/export`)).text()
    expect(JSON.parse(exported).core.apiKeys).toMatchObject([{ name: 'shop' }])
    expect(exported).not.toContain(key)
    expect(exported).not.toContain(createHash('sha256').update(key).digest('base64url'))
    await callWith(app, operatorToken, 'DELETE', path)
    await expectRefusal(await readSessions(app, `Bearer ${key}`), 401, 'credential_rejected')
  })

  test.skipIf(postgres === undefined)('a key that one process revoked ends on the other', async () => {
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    await using one = await testApp({ plugins: [], env })
    await using two = await testApp({ plugins: [], env })
    const { key, id } = await create(one.actor)
    expect((await readSessions(two, `Bearer ${key}`)).status).toBe(200)
    expect((await one.actor.request(`/api-keys/${id}`, { method: 'DELETE' })).status).toBe(204)
    await expectRefusal(await readSessions(two, `Bearer ${key}`), 401, 'credential_rejected')
  })
})

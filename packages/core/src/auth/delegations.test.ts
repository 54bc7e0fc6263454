import { createSigningKey, createVerifier, mintDelegation, mintInvocation, type SigningKey } from '@sibyl/identity'
import type { Host } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { delegatedActor, readStream, scriptedModel, type TestApp, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { callWith, exchange } from '../testing/call-with.ts'
import { expectRefusal, forge, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { maxDelegationLength, maxDelegations } from './delegation-store.ts'

const calendar = 'https://calendar.example/users/7'

/** Starts an oracle with the identity of its plugins. */
const oracle = async (clock?: { now(): number }, env: Record<string, string> = {}) => {
  const identity = Promise.withResolvers<Host['identity']>()
  const plugin = samplePlugin('desk', {
    setup: host => {
      identity.resolve(host.identity)
      return {}
    },
  })
  const app = await testApp({ plugins: [plugin], env, ...(clock ? { clock } : {}) })
  return Object.assign(app, { identity: await identity.promise })
}

const delegate = (app: TestApp, key: SigningKey, changes: Partial<Parameters<typeof mintDelegation>[0]> = {}) =>
  mintDelegation({
    key,
    audience: app.app.identity.did!,
    resource: calendar,
    abilities: ['event/*'],
    ...changes,
  } as Parameters<typeof mintDelegation>[0])

const post = async (app: TestApp, delegation: unknown, actor = app.actor) =>
  callWith(app, await actor.token(), 'POST', '/delegation', { delegation })

const listOf = async (app: TestApp, actor = app.actor) =>
  (await (await actor.request('/delegation')).json()).delegations as { hash: string }[]

describe('/delegation', () => {
  test('stores what its caller signed, shows it without the token, and deletes it', async () => {
    await using app = await oracle()
    const delegation = await delegate(app, app.actor.key)
    const answer = await post(app, delegation)
    const kept = await answer.json()
    expect([answer.status, kept]).toEqual([
      201,
      {
        hash: expect.stringMatching(/^[\w-]{43}$/),
        issuer: app.actor.did,
        audience: app.app.identity.did,
        capabilities: [{ resource: calendar, ability: 'event/*' }],
        expiresAt: expect.any(String),
      },
    ])
    expect(await listOf(app)).toEqual([kept])
    expect((await post(app, delegation)).status).toBe(201)
    const other = await (await post(app, await delegate(app, app.actor.key, { abilities: ['*'] }))).json()
    expect((await listOf(app)).length).toBe(2)
    const one = await app.actor.request(`/delegation/${kept.hash}`, { method: 'DELETE' })
    expect([one.status, await one.json()]).toEqual([200, { dropped: 1 }])
    expect(await listOf(app)).toEqual([other])
    const all = await app.actor.request('/delegation', { method: 'DELETE' })
    expect(await all.json()).toEqual({ dropped: 1 })
    expect(await listOf(app)).toEqual([])
  })

  test('belongs to one caller', async () => {
    await using app = await oracle()
    const alice = testActor(app.app)
    const { hash } = await (await post(app, await delegate(app, app.actor.key))).json()
    expect(await listOf(app, alice)).toEqual([])
    const dropped = await alice.request(`/delegation/${hash}`, { method: 'DELETE' })
    expect(await dropped.json()).toEqual({ dropped: 0 })
    expect((await listOf(app)).length).toBe(1)
  })

  test('accepts a chain that begins with its caller, and none of other users', async () => {
    await using app = await oracle()
    const [device, stranger] = [createSigningKey(), createSigningKey()]
    const toDevice = await delegate(app, app.actor.key, { audience: device.did })
    const chain = await delegate(app, device, { proofs: [toDevice], abilities: ['event/read'] })
    expect((await post(app, chain)).status).toBe(201)
    await expectRefusal(await post(app, await delegate(app, stranger)), 403, 'delegation_not_yours')
    await expectRefusal(await post(app, await delegate(app, stranger), testActor(app.app)), 403, 'delegation_not_yours')
  })

  test('rejects invalid delegations', async () => {
    await using app = await oracle()
    const { key } = app.actor
    const now = Math.floor(Date.now() / 1000)
    const payload = {
      iss: key.did,
      aud: app.app.identity.did,
      att: [{ with: calendar, can: '*' }],
      exp: now + 60,
      prf: [],
    }
    const good = await delegate(app, key)
    const many = await forge(key, { ...payload, fct: [{ text: 'x'.repeat(maxDelegationLength) }] })
    for (const [delegation, code] of [
      ['x', 'delegation_invalid'],
      [`${good}.x`, 'delegation_invalid'],
      [good.replace(/.{6}$/, 'AAAAAA'), 'delegation_invalid'],
      [await delegate(app, key, { audience: createSigningKey().did }), 'delegation_invalid'],
      [await delegate(app, key, { audience: 'did:web:localhost%3A3000' }), 'delegation_invalid'],
      [await forge(key, { ...payload, exp: now - 100 }), 'delegation_invalid'],
      [await forge(key, { ...payload, exp: now + 10_000_000 }), 'delegation_invalid'],
      [await forge(createSigningKey(), payload), 'delegation_invalid'],
      [(await exchange(app, await app.actor.token())).token, 'delegation_invalid'],
      [many, 'input_invalid'],
      [7, 'input_invalid'],
      [undefined, 'input_invalid'],
    ] as const) {
      const answer = await post(app, delegation)
      expect([answer.status, (await answer.json()).code]).toEqual([400, code])
    }
    expect(await listOf(app)).toEqual([])
  })

  test('requires its own abilities, for bearers as well', async () => {
    await using app = await oracle()
    const delegation = await delegate(app, app.actor.key)
    const chatting = await app.actor.token(['chat/*', 'session/*'])
    const denied = await callWith(app, chatting, 'POST', '/delegation', { delegation })
    await expectRefusal(denied, 403, 'ucan_capability_missing')
    const narrow = await exchange(app, await app.actor.token(), { scopes: ['chat/*', 'delegation/read'] })
    await expectRefusal(await callWith(app, narrow.token, 'POST', '/delegation', { delegation }), 403, 'scope_missing')
    expect((await callWith(app, narrow.token, 'GET', '/delegation')).status).toBe(200)
    const wide = await exchange(app, await app.actor.token(), { scopes: ['delegation/*'] })
    expect((await callWith(app, wide.token, 'POST', '/delegation', { delegation })).status).toBe(201)
  })

  test(`stores at most ${maxDelegations.ofHolder} per DID`, async () => {
    await using app = await oracle()
    for (let count = 0; count < maxDelegations.ofHolder; count += 1) {
      expect((await post(app, await delegate(app, app.actor.key))).status).toBe(201)
    }
    const answer = await post(app, await delegate(app, app.actor.key))
    expect([answer.status, (await answer.json()).code]).toEqual([409, 'delegations_full'])
    const alice = testActor(app.app)
    expect((await post(app, await delegate(app, alice.key), alice)).status).toBe(201)
  })

  test('counts those of fresh keys for the holder of their grant', async () => {
    const controller = createSigningKey()
    await using app = await oracle(undefined, { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const holder = await delegatedActor(app.app, { key: controller })
    const postFresh = async () => {
      const fresh = await delegatedActor(app.app, holder)
      return (await post(app, await delegate(app, fresh.key), fresh)).status
    }
    for (let count = 0; count < maxDelegations.ofHolder; count += 1) expect(await postFresh()).toBe(201)
    expect(await postFresh()).toBe(409)
    const other = await delegatedActor(app.app, { key: controller })
    expect((await post(app, await delegate(app, other.key), other)).status).toBe(201)
  })

  test('removes expired ones', async () => {
    let time = Date.now()
    await using app = await oracle({ now: () => time })
    await post(app, await delegate(app, app.actor.key, { lifetimeSeconds: 100 }))
    expect((await listOf(app)).length).toBe(1)
    time += 200_000
    expect(await listOf(app)).toEqual([])
  })

  test('never appears in a log', async () => {
    const logger = recordedLogger()
    await using app = await testApp({ plugins: [], logger })
    const delegation = await mintDelegation({
      key: app.actor.key,
      audience: app.app.identity.did!,
      resource: calendar,
      abilities: ['*'],
    })
    expect((await post(app, delegation)).status).toBe(201)
    await post(app, `${delegation}x`)
    expect(JSON.stringify(logger.lines)).not.toContain(delegation.slice(0, 200))
  })
})

describe('mintInvocation on behalf of a user', () => {
  const request = { audience: 'did:web:calendar.example', resource: calendar, abilities: ['event/create'] }
  const judge = createVerifier({ audience: [request.audience], rootIssuers: () => ({ access: 'open' }) })
  const verify = (token: string) => judge.verify(token, { resource: calendar, ability: 'event/create' })

  test("proves the right with the user's delegation", async () => {
    await using app = await oracle()
    await post(app, await delegate(app, app.actor.key))
    const token = await app.identity.mintInvocation({ ...request, onBehalfOf: { did: app.actor.did } })
    expect(await verify(token)).toMatchObject({
      ok: true,
      invocation: {
        actor: app.app.identity.did,
        rootIssuer: app.actor.did,
        abilities: request.abilities,
      },
    })
  })

  test('does not outlive the delegation', async () => {
    await using app = await oracle()
    await post(app, await delegate(app, app.actor.key, { lifetimeSeconds: 20 }))
    const mint = { ...request, onBehalfOf: app.actor, lifetimeSeconds: 900 }
    const verdict = await verify(await app.identity.mintInvocation(mint))
    if (!verdict.ok) throw new Error(verdict.detail)
    expect(verdict.invocation.expiresAt).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 20)
  })

  test('acts as the user at another oracle, if the delegation allows it', async () => {
    await using app = await oracle()
    await using other = await testApp({ plugins: [], model: scriptedModel(['theirs']) })
    const downstream = { audience: other.app.identity.did!, resource: resourceOf(other), abilities: ['session/read'] }
    const mint = () => app.identity.mintInvocation({ ...downstream, onBehalfOf: { did: app.actor.did } })
    const grant = (abilities: string[]) =>
      delegate(app, app.actor.key, {
        resource: downstream.resource,
        abilities: [...downstream.abilities, ...abilities],
      })
    await readStream(
      await sendWith(
        other,
        await mintInvocation({
          ...downstream,
          key: app.actor.key,
          abilities: ['chat/send'],
        }),
      ),
    )

    await post(app, await grant([]))
    await expect(mint()).rejects.toMatchObject({
      code: 'delegation_missing',
      message: expect.stringContaining('session/read auth/impersonate on'),
    })
    await post(app, await grant(['auth/impersonate']))
    const answer = await callWith(other, await mint(), 'GET', '/sessions')
    expect((await answer.json()).sessions).toMatchObject([{ id: 's1' }])
  })

  test('acts as the user at another service, if the delegation allows it', async () => {
    await using app = await oracle()
    await post(app, await delegate(app, app.actor.key, { abilities: ['event/*', 'auth/impersonate'] }))
    const token = await app.identity.mintInvocation({ ...request, onBehalfOf: { did: app.actor.did } })
    expect(await verify(token)).toMatchObject({ ok: true, invocation: { actor: app.actor.did } })
  })

  test('fails without a delegation that covers it', async () => {
    await using app = await oracle()
    const refused = { code: 'delegation_missing', status: 403 }
    const mint = (changes: object = {}) =>
      app.identity.mintInvocation({ ...request, onBehalfOf: { did: app.actor.did }, ...changes })
    await expect(mint()).rejects.toMatchObject(refused)
    await post(app, await delegate(app, app.actor.key))
    await mint()
    await expect(mint({ abilities: ['event/create', 'contact/read'] })).rejects.toMatchObject(refused)
    await expect(mint({ resource: 'https://calendar.example/users/8' })).rejects.toMatchObject(refused)
    await expect(mint({ onBehalfOf: { did: testActor(app.app).did } })).rejects.toMatchObject(refused)
    await app.actor.request('/delegation', { method: 'DELETE' })
    await expect(mint()).rejects.toMatchObject(refused)
  })

  test('never contains the token of the caller', async () => {
    await using app = await oracle()
    const called = await app.actor.token()
    await callWith(app, called, 'POST', '/delegation', { delegation: await delegate(app, app.actor.key) })
    const token = await app.identity.mintInvocation({ ...request, onBehalfOf: { did: app.actor.did } })
    const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(payload.prf).toHaveLength(1)
    expect(payload.prf[0]).not.toBe(called)
  })

  test('cannot target the oracle itself', async () => {
    await using app = await oracle()
    const own = await mintInvocation({
      key: app.actor.key,
      audience: app.app.identity.did!,
      resource: resourceOf(app),
      abilities: ['*', 'auth/impersonate'],
    })
    expect((await post(app, own)).status).toBe(201)
    const token = await app.identity.mintInvocation({
      audience: app.app.identity.did!,
      resource: resourceOf(app),
      abilities: ['chat/send'],
      onBehalfOf: { did: app.actor.did },
    })
    expect((await callWith(app, token, 'GET', '/sessions')).status).toBe(403)
  })
})

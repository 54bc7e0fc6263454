import {
  createMnemonic,
  createSigningKey,
  mintDelegation,
  mintInvocation,
  signRevocation,
  tokenHash,
} from '@sibyl/identity'
import { fakeClock } from '@sibyl/storage/testing'
import { type TestActor, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const operator = { authorization: 'Bearer operator-token-of-the-tests-01' }

/** Creates a plugin that stores a note per person. */
const notebook = () => {
  const notes = new Map<string, string>()
  const plugin = samplePlugin('notebook', {
    setup: () => ({
      personalRecords: { export: async did => notes.get(did), erase: async did => void notes.delete(did) },
    }),
  })
  return { notes, plugin }
}

const open = async (env: Readonly<Record<string, string>> = {}) => {
  const { notes, plugin } = notebook()
  const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
  const oracle = await testApp({
    plugins: [plugin],
    clock,
    env: { ORACLE_OPERATOR_TOKEN: 'operator-token-of-the-tests-01', ...env },
  })
  notes.set(oracle.actor.did, 'grows maize')
  const person = (did: string) => `/people/${encodeURIComponent(did)}`
  return { ...oracle, notes, clock, person, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

/** Creates records of an actor in core. */
const useCore = async ({ app, actor, chat, clock }: Awaited<ReturnType<typeof open>>) => {
  await chat('good morning', { session: 's1' })
  const now = () => clock.now()
  const capabilities = [{ resource: 'shop:one', ability: 'shop/read' }]
  const delegation = await mintDelegation({ key: actor.key, audience: app.identity.did!, capabilities, now })
  expect((await actor.request('/delegation', { json: { delegation } })).status).toBe(201)
  const bearer = await (await actor.request('/auth/token', { json: { scopes: ['session/read'] } })).json()
  const { key } = await (
    await actor.request('/api-keys', { json: { name: 'script', scopes: ['session/read'] } })
  ).json()
  return { bearer: bearer.token as string, key: key as string, delegation }
}

test('a user exports and erases their data', async () => {
  await using oracle = await open()
  const { app, actor, notes } = oracle
  const { bearer, key, delegation } = await useCore(oracle)
  const exported = await actor.request('/me/export')
  expect(exported.headers.get('cache-control')).toBe('no-store')
  const records = await exported.json()
  expect(records).toEqual({
    sessions: [{ session: 's1', messages: [expect.objectContaining({ text: 'good morning' }), expect.anything()] }],
    core: {
      delegations: [expect.objectContaining({ issuer: actor.did })],
      bearers: [expect.objectContaining({ scopes: ['session/read'] })],
      apiKeys: [expect.objectContaining({ name: 'script', scopes: ['session/read'] })],
      grants: [],
      revocations: [],
      tokens: [{ day: '2026-11-23', tokens: expect.any(Number) }],
    },
    notebook: 'grows maize',
  })
  for (const secret of [delegation, key]) expect(JSON.stringify(records)).not.toContain(secret)
  expect((await actor.request('/me', { method: 'DELETE' })).status).toBe(204)
  expect(notes.size).toBe(0)
  for (let count = 0; count < 3; count += 1) {
    expect((await actor.request('/me/export', { method: 'HEAD' })).status).toBe(200)
  }
  expect(await (await actor.request('/me/export')).json()).toEqual({ sessions: [] })
  for (const credential of [bearer, key]) {
    expect((await app.request('/sessions', { headers: { authorization: `Bearer ${credential}` } })).status).toBe(401)
  }
})

test('the tokens of the day still count after an erasure and a restart', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const usedBy = async ({ request }: TestActor) => (await (await request('/usage')).json()).tokens as number
  const before = await open(env)
  await before.chat('good morning')
  const { actor } = before
  const used = await usedBy(actor)
  expect((await actor.request('/me', { method: 'DELETE' })).status).toBe(204)
  await before.app.close()
  await using after = await open(env)
  const same = testActor(after.app, () => after.clock.now(), actor.key)
  expect(used).toBeGreaterThan(0)
  expect(await usedBy(same)).toBe(used)
})

test('each requires its ability; chat and sessions do not cover it', async () => {
  await using oracle = await open()
  const { app, actor, notes } = oracle
  const call = async (method: string, path: string, abilities: readonly string[]) => {
    const headers = { authorization: `Bearer ${await actor.token(abilities)}` }
    return (await app.request(path, { method, headers })).status
  }
  for (const abilities of [['chat/*', 'session/*'], ['me/export']])
    expect(await call('DELETE', '/me', abilities), abilities.join()).toBe(403)
  for (const abilities of [['chat/*', 'session/*'], ['me/erase']])
    expect(await call('GET', '/me/export', abilities), abilities.join()).toBe(403)
  expect(notes.size).toBe(1)
  expect((await app.request('/me', { method: 'DELETE' })).status).toBe(401)
  expect(await call('DELETE', '/me', ['me/erase'])).toBe(204)
})

test('a user can erase three times a day', async () => {
  await using oracle = await open()
  const { actor, clock, notes } = oracle
  const erase = () => actor.request('/me', { method: 'DELETE' })
  for (let time = 0; time < 3; time += 1) expect((await erase()).status).toBe(204)
  notes.set(actor.did, 'still here')
  const refused = await erase()
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 'erased_lately' })
  expect(Number(refused.headers.get('retry-after'))).toBe(14 * 3_600)
  expect(notes.size).toBe(1)
  clock.jump(14 * 3_600_000)
  expect((await erase()).status).toBe(204)
})

test('the operator exports and erases any user by DID, and never the oracle itself', async () => {
  await using oracle = await open()
  const { app, actor, notes, person } = oracle
  const other = testActor(app).did
  notes.set(other, 'theirs')
  const ask = (path: string, init: RequestInit = {}) => app.request(path, { ...init, headers: operator })
  expect((await app.request(person(actor.did), { method: 'DELETE' })).status).toBe(401)
  expect((await app.request(`${person(actor.did)}/export`)).status).toBe(401)
  expect(await (await ask(`${person(actor.did)}/export`)).json()).toMatchObject({ notebook: 'grows maize' })
  expect((await ask(person(actor.did), { method: 'DELETE' })).status).toBe(204)
  expect([...notes.keys()]).toEqual([other])
  for (const text of ['mutale', '+260971234567', '+0971234567', 'did:', ' '])
    expect((await ask(person(text), { method: 'DELETE' })).status, text).toBe(400)
  for (const did of [app.identity.did!, app.identity.publicDid]) {
    const refused = await ask(person(did), { method: 'DELETE' })
    expect([refused.status, (await refused.json()).code]).toEqual([409, 'person_is_oracle'])
  }
})

test('a revocation outlives the erasure of its issuer', async () => {
  await using oracle = await open()
  const { app, actor, clock } = oracle
  const friend = createSigningKey()
  const now = () => clock.now()
  const audience = app.identity.did!
  const grant = { resource: `oracle:${audience}`, abilities: ['session/read'] }
  const proof = await mintDelegation({ key: actor.key, audience: friend.did, ...grant, now })
  const read = async () => {
    const token = await mintInvocation({ key: friend, audience, ...grant, proofs: [proof], now })
    const answer = await app.request('/sessions', { headers: { authorization: `Bearer ${token}` } })
    return [answer.status, (await answer.json()).code]
  }
  expect(await read()).toEqual([200, undefined])
  const revocation = { ...(await signRevocation(actor.key, proof)), token: proof }
  const headers = { 'content-type': 'application/json' }
  const revoked = await app.request('/revocations', { method: 'POST', body: JSON.stringify(revocation), headers })
  expect(revoked.status).toBe(200)
  const { core } = await (await actor.request('/me/export')).json()
  expect(core.revocations).toEqual([{ hash: tokenHash(proof), revokedAt: expect.any(String) }])
  expect((await actor.request('/me', { method: 'DELETE' })).status).toBe(204)
  expect(await (await actor.request('/me/export')).json()).toEqual({ sessions: [] })
  expect(await read()).toEqual([401, 'ucan_revoked'])
})

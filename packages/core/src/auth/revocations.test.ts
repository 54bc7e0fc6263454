import {
  createSigningKey,
  mintDelegation,
  mintInvocation,
  type SigningKey,
  signRevocation,
  tokenHash,
} from '@sibyl/identity'
import type { Host } from '@sibyl/plugin'
import { scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { callWith, exchange, oracleAt } from '../testing/call-with.ts'
import { expectRefusal, forge, payloadFor, readSessions, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { maxRevocationsOfHolder } from './revocation-store.ts'

const operatorToken = 'operator-token-0123456789'

const oracle = (env: Record<string, string> = {}) =>
  testApp({ plugins: [], model: scriptedModel(['fine']), env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env } })

/** Delegates from Alice to Bob to Carol, who calls. */
const chain = async (app: TestApp) => {
  const [alice, bob, carol] = [createSigningKey(), createSigningKey(), createSigningKey()]
  const resource = resourceOf(app)
  const toBob = await mintDelegation({ key: alice, audience: bob.did, resource, abilities: ['*'] })
  const toCarol = await mintDelegation({ key: bob, audience: carol.did, resource, abilities: ['*'], proofs: [toBob] })
  const invoke = (proof = toCarol) =>
    mintInvocation({
      key: carol,
      audience: app.app.identity.did!,
      resource,
      abilities: ['*'],
      proofs: [proof],
    })
  return { alice, bob, carol, toBob, toCarol, invoke }
}

const revoke = async (app: Pick<TestApp, 'app'>, key: SigningKey, token: string) =>
  callWith(app, undefined, 'POST', '/revocations', { ...(await signRevocation(key, token)), token })

describe('POST /revocations', () => {
  test('invalidates a delegation in the middle of a chain, and everything below it', async () => {
    await using app = await oracle()
    const { bob, carol, toBob, toCarol, invoke } = await chain(app)
    expect((await readSessions(app, `Bearer ${await invoke()}`)).status).toBe(200)
    const answer = await revoke(app, bob, toCarol)
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        hash: tokenHash(toCarol),
        revokedBy: bob.did,
        revokedAt: expect.any(String),
        keptUntil: expect.any(String),
      },
    ])
    await expectRefusal(await readSessions(app, `Bearer ${await invoke()}`), 401, 'ucan_revoked')
    await expectRefusal(await sendWith(app, await invoke()), 401, 'ucan_revoked')
    const again = await mintDelegation({
      key: bob,
      audience: carol.did,
      resource: resourceOf(app),
      abilities: ['*'],
      proofs: [toBob],
    })
    expect((await readSessions(app, `Bearer ${await invoke(again)}`)).status).toBe(200)
  })

  test('an issuer above it may revoke as well; its audience and other callers may not', async () => {
    await using app = await oracle()
    const { alice, carol, toCarol, invoke } = await chain(app)
    for (const key of [carol, createSigningKey()]) {
      const answer = await revoke(app, key, toCarol)
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'revocation_invalid'])
    }
    expect((await readSessions(app, `Bearer ${await invoke()}`)).status).toBe(200)
    expect((await revoke(app, alice, toCarol)).status).toBe(200)
    await expectRefusal(await readSessions(app, `Bearer ${await invoke()}`), 401, 'ucan_revoked')
  })

  test('rejects the signature of another statement, token or key', async () => {
    await using app = await oracle()
    const { bob, toBob, toCarol } = await chain(app)
    const good = { ...(await signRevocation(bob, toCarol)), token: toCarol }
    const own = await app.actor.token()
    for (const changes of [
      { token: toBob },
      { revoke: tokenHash(toBob) },
      { iss: createSigningKey().did },
      { challenge: toCarol.split('.')[2] },
      { challenge: `${good.challenge}=` },
      { challenge: '' },
      { token: 'x', revoke: tokenHash('x') },
      { ...(await signRevocation(app.actor.key, own)) },
    ]) {
      const answer = await callWith(app, undefined, 'POST', '/revocations', { ...good, ...changes })
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'revocation_invalid'])
    }
    for (const changes of [{ token: 'x'.repeat(20_000) }, { iss: 'bob' }, { revoke: '../x' }, { more: 1 }]) {
      const answer = await callWith(app, undefined, 'POST', '/revocations', { ...good, ...changes })
      expect([answer.status, (await answer.json()).code]).toEqual([400, 'input_invalid'])
    }
  })

  test('invalidates bearers that depend on a revoked token, and no others of the DID', async () => {
    await using app = await oracle()
    const { alice, bob, carol, toBob, toCarol, invoke } = await chain(app)
    const otherWay = await mintDelegation({
      key: alice,
      audience: carol.did,
      resource: resourceOf(app),
      abilities: ['*'],
    })
    const resting = await exchange(app, await invoke())
    const free = await exchange(app, await invoke(otherWay))
    expect(resting.did).toBe(free.did)
    await revoke(app, bob, toCarol)
    await expectRefusal(await readSessions(app, `Bearer ${resting.token}`), 401, 'bearer_invalid')
    expect((await readSessions(app, `Bearer ${free.token}`)).status).toBe(200)
    await expectRefusal(await callWith(app, await invoke(), 'POST', '/auth/token'), 401, 'ucan_revoked')
    await revoke(app, alice, toBob)
    expect((await readSessions(app, `Bearer ${free.token}`)).status).toBe(200)
  })

  test('invalidates a bearer with the invocation that was exchanged for it', async () => {
    await using app = await oracle()
    const invocation = await app.actor.token()
    const { token } = await exchange(app, invocation)
    expect((await revoke(app, app.actor.key, invocation)).status).toBe(200)
    await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'bearer_invalid')
  })

  test('a revoked stored delegation is no longer listed or used', async () => {
    const identity = Promise.withResolvers<Host['identity']>()
    const plugin = samplePlugin('desk', {
      setup: host => {
        identity.resolve(host.identity)
        return {}
      },
    })
    await using app = await testApp({ plugins: [plugin] })
    const delegation = await mintDelegation({
      key: app.actor.key,
      audience: app.app.identity.did!,
      resource: 'https://calendar.example',
      abilities: ['*'],
    })
    const keep = await app.actor.request('/delegation', { json: { delegation } })
    expect(keep.status).toBe(201)
    await revoke(app, app.actor.key, delegation)
    expect(await (await app.actor.request('/delegation')).json()).toEqual({ delegations: [] })
    const { mintInvocation: mint } = await identity.promise
    await expect(
      mint({
        audience: 'did:web:calendar.example',
        resource: 'https://calendar.example',
        abilities: ['event/read'],
        onBehalfOf: app.actor,
      }),
    ).rejects.toMatchObject({ code: 'delegation_missing' })
    const again = await app.actor.request('/delegation', { json: { delegation } })
    expect([again.status, (await again.json()).code]).toEqual([400, 'delegation_invalid'])
  })

  test('one caller fills the list only up to a limit; repeats and the operator are still accepted', async () => {
    await using app = await oracle()
    const key = createSigningKey()
    const own = () => mintDelegation({ key, audience: app.actor.did, resource: resourceOf(app), abilities: ['*'] })
    const first = await own()
    expect((await revoke(app, key, first)).status).toBe(200)
    for (let count = 1; count < maxRevocationsOfHolder; count += 1) {
      expect((await revoke(app, key, await own())).status).toBe(200)
    }
    const last = await own()
    const answer = await revoke(app, key, last)
    expect([answer.status, (await answer.json()).code]).toEqual([503, 'revocations_full'])
    expect((await revoke(app, key, first)).status).toBe(200)
    expect((await callWith(app, operatorToken, 'PUT', `/revocations/${tokenHash(last)}`)).status).toBe(200)
  })

  test.each(['open', 'delegated'])('a controller revokes any number, with %s access', async access => {
    const controller = createSigningKey()
    await using app = await oracle({ ORACLE_ACCESS: access, ORACLE_CONTROLLERS: controller.did })
    const grant = { key: controller, audience: app.actor.did, resource: resourceOf(app), abilities: ['*'] }
    for (let count = 0; count <= maxRevocationsOfHolder; count += 1) {
      expect((await revoke(app, controller, await mintDelegation(grant))).status).toBe(200)
    }
  })

  test('with delegated access a holder is counted, however many keys it delegates to', async () => {
    const controller = createSigningKey()
    await using app = await oracle({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const resource = resourceOf(app)
    const grant = (key: SigningKey, to: SigningKey, proofs: string[] = []) =>
      mintDelegation({ key, audience: to.did, resource, abilities: ['*'], proofs })
    const chainOf = async (holder: SigningKey) => {
      const fresh = createSigningKey()
      const passedOn = await grant(holder, fresh, [await grant(controller, holder)])
      return { fresh, token: await grant(fresh, createSigningKey(), [passedOn]) }
    }
    const [holder, other] = [createSigningKey(), createSigningKey()]
    for (let count = 0; count < maxRevocationsOfHolder; count += 1) {
      const { fresh, token } = await chainOf(holder)
      expect((await revoke(app, fresh, token)).status).toBe(200)
    }
    const more = await chainOf(holder)
    expect((await revoke(app, more.fresh, more.token)).status).toBe(503)
    const ofOther = await chainOf(other)
    expect((await revoke(app, ofOther.fresh, ofOther.token)).status).toBe(200)
  })

  test('accepts only a chain that could be valid here', async () => {
    const controller = createSigningKey()
    await using app = await oracle({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
    const [alice, bob] = [createSigningKey(), createSigningKey()]
    const resource = resourceOf(app)
    const base = { audience: bob.did, abilities: ['*'] }
    const forgedProof = await forge(alice, {
      ...payloadFor(app, controller, { aud: alice.did }),
    })
    const refused = {
      'a chain of strangers': await mintDelegation({ ...base, key: alice, resource }),
      'a right elsewhere': await mintDelegation({ ...base, key: alice, resource: 'https://calendar.example' }),
      'another oracle': await mintDelegation({ ...base, key: alice, resource: `oracle:${bob.did}` }),
      'a proof with a forged signature': await forge(
        alice,
        payloadFor(app, alice, { aud: bob.did, prf: [forgedProof] }),
      ),
      'a right for too long': await forge(alice, payloadFor(app, alice, { exp: 4_000_000_000 })),
    }
    for (const [name, token] of Object.entries(refused)) {
      const answer = await revoke(app, alice, token)
      expect([name, answer.status, (await answer.json()).code]).toEqual([name, 400, 'revocation_invalid'])
    }
    expect(await (await callWith(app, operatorToken, 'GET', '/revocations')).json()).toEqual({ revocations: [] })
    const toAlice = await mintDelegation({ key: controller, audience: alice.did, resource, abilities: ['*'] })
    const later = await forge(alice, {
      ...payloadFor(app, alice, { aud: bob.did, prf: [toAlice] }),
      nbf: Math.floor(Date.now() / 1000) + 3_600,
      exp: Math.floor(Date.now() / 1000) + 7_200,
    })
    expect((await revoke(app, alice, later)).status).toBe(200)
  })

  test('does not store expired tokens', async () => {
    await using made = await oracleAt({ env: { ORACLE_OPERATOR_TOKEN: operatorToken } })
    const { oracle: app, pass } = made
    const token = await app.actor.token()
    pass(1_000)
    expect((await revoke(app, app.actor.key, token)).status).toBe(200)
    expect(await (await callWith(app, operatorToken, 'GET', '/revocations')).json()).toEqual({ revocations: [] })
  })
})

describe('the operator', () => {
  test('revokes by hash and pages through the list; no other caller can', async () => {
    await using app = await oracle()
    const { bob, toBob, toCarol, invoke } = await chain(app)
    await revoke(app, bob, toCarol)
    expect((await callWith(app, operatorToken, 'PUT', `/revocations/${tokenHash(toBob)}`)).status).toBe(200)
    await expectRefusal(await readSessions(app, `Bearer ${await invoke()}`), 401, 'ucan_revoked')
    const page = async (query: string) =>
      (await (await callWith(app, operatorToken, 'GET', `/revocations${query}`)).json()).revocations
    const all = await page('')
    expect(all.map((row: { revokedBy: string }) => row.revokedBy).toSorted()).toEqual([bob.did, 'operator'])
    expect(await page('?limit=1')).toEqual(all.slice(0, 1))
    expect(await page(`?limit=1&after=${all[0].hash}`)).toEqual(all.slice(1))
    for (const [credential, refused] of [
      [undefined, [401, 'operator_token_needed']],
      [await app.actor.token(), [403, 'ucan_capability_missing']],
      ['wrong-operator-token-0123', [401, 'operator_token_needed']],
    ] as const) {
      for (const [method, path] of [
        ['GET', '/revocations'],
        ['PUT', `/revocations/${tokenHash('x.y')}`],
      ] as const) {
        const answer = await callWith(app, credential, method, path)
        expect([answer.status, (await answer.json()).code]).toEqual(refused)
      }
    }
    const notHash = await callWith(app, operatorToken, 'PUT', '/revocations/..%2Fx')
    expect(notHash.status).toBe(400)
  })
})

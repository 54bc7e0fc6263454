import {
  createMnemonic,
  createSigningKey,
  mintDelegation,
  mintInvocation,
  parseMnemonic,
  type SigningKey,
  signingKeyFromMnemonic,
} from '@sibyl/identity'
import { type Host, route } from '@sibyl/plugin'
import { readStream, scriptedModel, type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { callWith, exchange } from '../testing/call-with.ts'
import { expectRefusal, forge, payloadFor, readSessions, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'

const oracle = (steps: readonly string[] = ['fine'], env: Record<string, string> = {}) =>
  testApp({ plugins: [], model: scriptedModel(steps), env })

describe('accepted invocations', () => {
  const mnemonic = createMnemonic(12).reveal()
  const oracleKey = async () => {
    const parsed = parseMnemonic(mnemonic)
    if (!parsed.ok) throw new Error(parsed.message)
    return signingKeyFromMnemonic(parsed.mnemonic)
  }
  const grant = (root: SigningKey, to: SigningKey, app: TestApp, abilities = ['*']) =>
    mintDelegation({ key: root, audience: to.did, resource: resourceOf(app), abilities })
  const invoke = (key: SigningKey, app: TestApp, proofs: readonly string[], abilities = ['*']) =>
    mintInvocation({ key, audience: app.app.identity.did!, resource: resourceOf(app), abilities, proofs })

  test('delegated access: chains that begin with the oracle or a controller; callers act as themselves', async () => {
    const controller = createSigningKey()
    const env = { ORACLE_MNEMONIC: mnemonic, ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did }
    await using app = await oracle(['one', 'two'], env)
    const [alice, bob] = [createSigningKey(), createSigningKey()]
    await expectRefusal(await readSessions(app, `Bearer ${await invoke(alice, app, [])}`), 403, 'ucan_untrusted_root')
    const own = await grant(createSigningKey(), alice, app)
    await expectRefusal(
      await readSessions(app, `Bearer ${await invoke(alice, app, [own])}`),
      403,
      'ucan_untrusted_root',
    )
    for (const root of [await oracleKey(), controller]) {
      const proof = await grant(root, alice, app)
      expect((await readSessions(app, `Bearer ${await invoke(alice, app, [proof])}`)).status).toBe(200)
      await expectRefusal(
        await readSessions(app, `Bearer ${await forge(bob, payloadFor(app, bob, { prf: [proof] }))}`),
        401,
        'ucan_proof_audience_mismatch',
      )
    }
    const proof = await grant(controller, alice, app)
    await readStream(await sendWith(app, await invoke(alice, app, [proof])))
    const bobs = await grant(controller, bob, app)
    const sessionsOf = async (key: SigningKey, with_: string) =>
      (await (await readSessions(app, `Bearer ${await invoke(key, app, [with_])}`)).json()).sessions.length
    expect([await sessionsOf(alice, proof), await sessionsOf(bob, bobs)]).toEqual([1, 0])
  })

  test('delegated access: no more than was granted', async () => {
    const controller = createSigningKey()
    const env = { ORACLE_MNEMONIC: mnemonic, ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did }
    await using app = await oracle([], env)
    const alice = createSigningKey()
    const proof = await grant(controller, alice, app, ['session/read'])
    expect((await readSessions(app, `Bearer ${await invoke(alice, app, [proof], ['session/read'])}`)).status).toBe(200)
    const token = await forge(alice, payloadFor(app, alice, { prf: [proof] }))
    await expectRefusal(await sendWith(app, token), 401, 'ucan_capability_escalated')
  })

  describe.each(['open', 'delegated'])('with %s access a delegate', access => {
    const asRoot = 'auth/impersonate'
    /** Starts an oracle with a session of a controller, and calls of their delegate. */
    const start = async () => {
      const root = createSigningKey()
      const app = await oracle(['one', 'two'], { ORACLE_ACCESS: access, ORACLE_CONTROLLERS: root.did })
      await readStream(await sendWith(app, await invoke(root, app, [])))
      const delegate = createSigningKey()
      const call = async (granted: string[], method: string, path: string, ability: string, named = [asRoot]) => {
        const proofs = [await grant(root, delegate, app, granted)]
        // A request that names abilities beyond its proof still has the others.
        const att = [ability, ...named].map(can => ({ with: resourceOf(app), can }))
        return callWith(app, await forge(delegate, payloadFor(app, delegate, { prf: proofs, att })), method, path)
      }
      return { app, root, delegate, call }
    }

    test.each([[['*']], [['chat/*', 'session/*', 'auth/*']]])('acts as itself with a grant of %s', async granted => {
      const { app, root, call } = await start()
      await using _ = app
      expect((await (await call(granted, 'GET', '/sessions', 'session/read')).json()).sessions).toEqual([])
      expect((await call(granted, 'GET', '/sessions/s1', 'session/read')).status).toBe(404)
      expect((await call(granted, 'DELETE', '/sessions/s1', 'session/delete')).status).toBe(404)
      const kept = await readSessions(app, `Bearer ${await invoke(root, app, [])}`)
      expect((await kept.json()).sessions).toMatchObject([{ id: 's1' }])
    })

    test('acts as itself if it does not request more', async () => {
      const { app, call } = await start()
      await using _ = app
      const answer = await call(['*', asRoot], 'GET', '/sessions', 'session/read', [])
      expect((await answer.json()).sessions).toEqual([])
    })

    test('acts as the signer with a grant that names auth/impersonate', async () => {
      const { app, root, delegate, call } = await start()
      await using _ = app
      const granted = ['session/*', 'auth/token', asRoot]
      const answer = await call(granted, 'GET', '/sessions', 'session/read')
      expect((await answer.json()).sessions).toMatchObject([{ id: 's1' }])
      const proof = await grant(root, delegate, app, granted)
      const bearer = await exchange(app, await invoke(delegate, app, [proof], granted))
      expect(bearer).toMatchObject({ did: root.did, scopes: ['session/*'] })
      expect((await callWith(app, bearer.token, 'DELETE', '/sessions/s1')).status).toBe(204)
    })

    test('exchanges an invocation for its own bearer', async () => {
      const { app, root, delegate } = await start()
      await using _ = app
      const proof = await grant(root, delegate, app)
      const bearer = await exchange(app, await invoke(delegate, app, [proof]))
      expect(bearer.did).toBe(delegate.did)
      expect((await (await readSessions(app, `Bearer ${bearer.token}`)).json()).sessions).toEqual([])
    })
  })

  test("the oracle's public DID is as valid an audience as its key", async () => {
    await using app = await oracle([], { PUBLIC_URL: 'https://oracle.example.org/a' })
    const { publicDid } = app.app.identity
    expect(publicDid).toBe('did:web:oracle.example.org:a')
    const token = await mintInvocation({
      key: app.actor.key,
      audience: publicDid,
      resource: `oracle:${publicDid}`,
      abilities: ['*'],
    })
    expect((await readSessions(app, `Bearer ${token}`)).status).toBe(200)
  })
})

describe('without a signing mnemonic', () => {
  const signing = samplePlugin('signing', {
    setup: ({ identity }: Host) => ({
      routes: [
        route.get('/sign', { auth: 'public', summary: 'A route', ok: { 200: { description: 'signed' } } }, async c =>
          c.json({ bytes: (await identity.sign(new Uint8Array(3))).length }),
        ),
      ],
    }),
  })
  test('every authenticated route returns 401, public routes work, signing returns 503', async () => {
    await using app = await testApp({
      plugins: [signing],
      env: { ORACLE_MNEMONIC: '' },
    })
    const token = await mintInvocation({
      key: createSigningKey(),
      audience: 'did:key:z6Mkx',
      resource: 'oracle:x',
      abilities: ['*'],
    })
    for (const [method, path] of [
      ['POST', '/chat'],
      ['GET', '/chat/x/stream'],
      ['POST', '/chat/x/stop'],
      ['POST', '/chat/x/approvals/y'],
      ['GET', '/sessions'],
      ['GET', '/sessions/x'],
      ['DELETE', '/sessions/x'],
      ['GET', '/capabilities'],
    ] as const) {
      for (const authorization of [undefined, `Bearer ${token}`]) {
        const answer = await app.app.request(path, { method, headers: authorization ? { authorization } : {} })
        await expectRefusal(answer, 401, 'signing_key_missing')
      }
    }
    for (const path of ['/', '/health', '/.well-known/oracle.json', '/.well-known/did.json']) {
      expect((await app.app.request(path)).status).toBe(200)
    }
    const sign = await app.app.request('/sign')
    expect([sign.status, (await sign.json()).code]).toEqual([503, 'signing_key_missing'])
  })
})

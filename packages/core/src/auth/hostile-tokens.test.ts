import { createMnemonic, createSigningKey, mintInvocation } from '@sibyl/identity'
import { readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { expectRefusal, forge, payloadFor, readSessions, resourceOf, sendWith } from '../testing/forge-invocation.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const oracle = (steps: readonly string[] = ['fine'], env: Record<string, string> = {}) =>
  testApp({ plugins: [], model: scriptedModel(steps), env })

describe('a request without a valid invocation', () => {
  test('is rejected without a token', async () => {
    await using app = await oracle()
    for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Bearer a b', 'Token x', 'x']) {
      await expectRefusal(await readSessions(app, header), 401, 'ucan_missing')
    }
  })

  test('is rejected with garbage', async () => {
    await using app = await oracle()
    const good = await app.actor.token()
    const [header, payload, signature] = good.split('.')
    const garbage = [
      'x',
      'a.b.c',
      '...',
      good.slice(0, -4),
      `${good}.x`,
      `${header}.${payload}.`,
      `${payload}.${header}.${signature}`,
    ]
    for (const token of garbage) {
      const { status } = await readSessions(app, `Bearer ${token}`)
      expect(status, token).toBe(401)
    }
    const flipped = `${good.slice(0, -10)}${good.at(-10) === 'A' ? 'B' : 'A'}${good.slice(-9)}`
    await expectRefusal(await readSessions(app, `Bearer ${flipped}`), 401, 'ucan_bad_signature')
    await expectRefusal(await readSessions(app, `Bearer ${'x'.repeat(1_000_000)}`), 401, 'ucan_too_large')
  })

  test('is rejected with another algorithm, without expiry or nonce, or with a long lifetime', async () => {
    await using app = await oracle()
    const { key } = app.actor
    const now = Math.floor(Date.now() / 1000)
    for (const [changes, header, code] of [
      [{}, { alg: 'none', typ: 'JWT', ucv: '0.8.1' }, 'unsupported_algorithm'],
      [{}, { alg: 'HS256', typ: 'JWT', ucv: '0.8.1' }, 'unsupported_algorithm'],
      [{ exp: null }, undefined, 'expiry_missing'],
      [{ nnc: undefined }, undefined, 'nonce_missing'],
      [{ exp: now + 100_000 }, undefined, 'lifetime_too_long'],
      [{ nbf: now + 1_000 }, undefined, 'not_yet_valid'],
      [{ iss: createSigningKey().did }, undefined, 'bad_signature'],
      [{ iss: 'did:web:example.org' }, undefined, 'unsupported_issuer'],
    ] as const) {
      const token = await forge(key, payloadFor(app, key, changes), header)
      const answer = await readSessions(app, `Bearer ${token}`)
      expect([answer.status, (await answer.json()).code]).toEqual([401, `ucan_${code}`])
    }
  })

  test('is rejected after expiry plus one minute of tolerance', async () => {
    await using app = await oracle()
    const at = (secondsAgo: number) =>
      mintInvocation({
        key: app.actor.key,
        audience: app.app.identity.did!,
        resource: resourceOf(app),
        abilities: ['*'],
        lifetimeSeconds: 10,
        now: () => Date.now() - secondsAgo * 1_000,
      })
    expect((await readSessions(app, `Bearer ${await at(60)}`)).status).toBe(200)
    await expectRefusal(await readSessions(app, `Bearer ${await at(80)}`), 401, 'ucan_expired')
  })

  test('is rejected for another audience', async () => {
    await using app = await oracle()
    await using other = await oracle()
    const token = await testActor(other.app).token()
    await expectRefusal(await readSessions(app, `Bearer ${token}`), 401, 'ucan_wrong_audience')
    const { did } = app.app.identity
    const foreign = await mintInvocation({
      key: app.actor.key,
      audience: did!,
      resource: 'oracle:did:key:z6Mkx',
      abilities: ['*'],
    })
    await expectRefusal(await readSessions(app, `Bearer ${foreign}`), 403, 'ucan_capability_missing')
  })

  test('is forbidden with another ability', async () => {
    await using app = await oracle()
    for (const abilities of [['session/read'], ['chat/read'], ['chats/*'], ['session/*']]) {
      await expectRefusal(await sendWith(app, await app.actor.token(abilities)), 403, 'ucan_capability_missing')
    }
    await expectRefusal(
      await readSessions(app, `Bearer ${await app.actor.token(['chat/*'])}`),
      403,
      'ucan_capability_missing',
    )
    expect((await readSessions(app, `Bearer ${await app.actor.token(['session/*'])}`)).status).toBe(200)
    expect((await sendWith(app, await app.actor.token(['chat/*']))).status).toBe(200)
  })

  test('is rejected immediately if its proofs fan out', async () => {
    await using app = await oracle()
    const { key } = app.actor
    const leaf = await forge(key, payloadFor(app, key, { att: [] }))
    const wide = await forge(key, payloadFor(app, key, { prf: Array(9).fill(leaf) }))
    await expectRefusal(await readSessions(app, `Bearer ${wide}`), 401, 'ucan_too_many_proofs')
    let deep = leaf
    for (let level = 0; level < 6; level += 1) deep = await forge(key, payloadFor(app, key, { prf: [deep], att: [] }))
    const answer = await readSessions(app, `Bearer ${deep}`)
    expect([answer.status, (await answer.json()).code]).toEqual([401, 'ucan_too_deep'])
  })
})

describe('an invocation that is used twice', () => {
  test('is rejected on POST; GET may repeat it', async () => {
    await using app = await oracle(['one', 'two'])
    const token = await app.actor.token()
    expect((await readStream(await sendWith(app, token))).text).toBe('one')
    await expectRefusal(await sendWith(app, token), 401, 'ucan_replayed')
    const stop = { method: 'POST', headers: { authorization: `Bearer ${await app.actor.token()}` } }
    expect((await app.app.request('/chat/s1/stop', stop)).status).toBe(200)
    await expectRefusal(await app.app.request('/chat/s1/stop', stop), 401, 'ucan_replayed')
    await expectRefusal(await app.app.request('/sessions/s1', { ...stop, method: 'DELETE' }), 401, 'ucan_replayed')
    const reading = `Bearer ${await app.actor.token()}`
    for (let time = 0; time < 3; time += 1) expect((await readSessions(app, reading)).status).toBe(200)
  })

  test('is rejected after a change of encoding that keeps its meaning', async () => {
    await using app = await oracle(['one', 'two'])
    const token = await app.actor.token()
    expect((await sendWith(app, token)).status).toBe(200)
    for (const same of [`${token}=`, `${token}==`, token.replace('.', '=.')])
      expect((await sendWith(app, same)).status).toBe(401)
  })

  test('is accepted once of 50 concurrent copies', async () => {
    const model = scriptedModel(['fine', 'fine'])
    await using app = await testApp({ plugins: [], model })
    const token = await app.actor.token()
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendWith(app, token)))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      await expectRefusal(answer, 401, 'ucan_replayed')
    await Promise.all(answers.map(answer => answer.body?.cancel().catch(() => {})))
    expect(model.calls.length).toBe(1)
  })

  test('is rejected after a restart as well', async () => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
    let token = ''
    {
      await using app = await oracle(['one'], env)
      token = await app.actor.token()
      expect((await readStream(await sendWith(app, token))).text).toBe('one')
    }
    await using app = await oracle(['two'], env)
    await expectRefusal(await sendWith(app, token), 401, 'ucan_replayed')
  })
})

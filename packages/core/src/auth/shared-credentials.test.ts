import { createMnemonic, createSigningKey, mintDelegation, mintInvocation, signRevocation } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { callWith, exchange } from '../testing/call-with.ts'
import { expectRefusal, readSessions, resourceOf, sendWith } from '../testing/forge-invocation.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

/** Starts two oracles on one database, with one user of both. */
const pair = async () => {
  const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const boot = () => testApp({ plugins: [], model: scriptedModel(['fine', 'fine']), env })
  const [one, two] = [await boot(), await boot()]
  return {
    one,
    two,
    actor: one.actor,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([one.app.close(), two.app.close()])
    },
  }
}

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('a bearer from one is valid at the other, until either revokes it', async () => {
    await using app = await pair()
    const { token } = await exchange(app.one, await app.actor.token())
    expect((await readStream(await sendWith(app.two, token))).text).toBe('fine')
    expect((await (await callWith(app.one, token, 'GET', '/sessions')).json()).sessions).toMatchObject([{ id: 's1' }])
    expect(await (await callWith(app.two, token, 'DELETE', '/auth/token')).json()).toEqual({ revoked: 1 })
    await expectRefusal(await readSessions(app.one, `Bearer ${token}`), 401, 'bearer_invalid')
    const again = await exchange(app.two, await app.actor.token())
    await callWith(app.one, await app.actor.token(), 'DELETE', '/auth/token')
    await expectRefusal(await readSessions(app.two, `Bearer ${again.token}`), 401, 'bearer_invalid')
  })

  test('copies of one invocation return one bearer', async () => {
    await using app = await pair()
    const invocation = await app.actor.token()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        callWith(index % 2 === 0 ? app.one : app.two, invocation, 'POST', '/auth/token'),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(401)])
  })

  test('a revocation at one applies at the other, with the bearers that depend on it', async () => {
    await using app = await pair()
    const device = createSigningKey()
    const resource = resourceOf(app.one)
    const proof = await mintDelegation({ key: app.actor.key, audience: device.did, resource, abilities: ['*'] })
    const invoke = () =>
      mintInvocation({
        key: device,
        audience: app.one.app.identity.did!,
        resource,
        abilities: ['*'],
        proofs: [proof],
      })
    const { token } = await exchange(app.two, await invoke())
    expect((await readSessions(app.two, `Bearer ${await invoke()}`)).status).toBe(200)
    const statement = { ...(await signRevocation(app.actor.key, proof)), token: proof }
    expect((await callWith(app.one, undefined, 'POST', '/revocations', statement)).status).toBe(200)
    await expectRefusal(await readSessions(app.two, `Bearer ${await invoke()}`), 401, 'ucan_revoked')
    await expectRefusal(await readSessions(app.two, `Bearer ${token}`), 401, 'bearer_invalid')
  })

  test('an exchange that races with a revocation leaves no bearer', async () => {
    await using app = await pair()
    for (let round = 0; round < 5; round += 1) {
      const invocation = await app.actor.token()
      const statement = { ...(await signRevocation(app.actor.key, invocation)), token: invocation }
      const [given] = await Promise.all([
        callWith(app.one, invocation, 'POST', '/auth/token'),
        callWith(app.two, undefined, 'POST', '/revocations', statement),
      ])
      if (given.status !== 200) continue
      const { token } = await given.json()
      await expectRefusal(await readSessions(app.one, `Bearer ${token}`), 401, 'bearer_invalid')
    }
  })

  test('a delegation that was stored at one is listed by the other', async () => {
    await using app = await pair()
    const alice = testActor(app.two.app, Date.now, app.actor.key)
    const delegation = await mintDelegation({
      key: app.actor.key,
      audience: app.one.app.identity.did!,
      resource: 'https://calendar.example',
      abilities: ['*'],
    })
    expect((await app.actor.request('/delegation', { json: { delegation } })).status).toBe(201)
    expect((await (await alice.request('/delegation')).json()).delegations).toHaveLength(1)
  })
})

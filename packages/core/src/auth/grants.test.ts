import { createSigningKey, mintDelegation, type SigningKey } from '@sibyl/identity'
import { delegatedActor, type TestActor, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { callWith } from '../testing/call-with.ts'

const operatorToken = 'operator-token-0123456789'
const controller = createSigningKey()
const abilities = ['chat/*', 'session/*', 'delegation/*']

const oracle = async (now: () => number = Date.now) => {
  const app = await testApp({
    plugins: [],
    env: { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did, ORACLE_OPERATOR_TOKEN: operatorToken },
    clock: { now },
  })
  const bob = await delegatedActor(app.app, { key: controller }, { abilities, now })
  const asOperator = (method: string, path: string) => callWith(app, operatorToken, method, path)
  return {
    bob,
    delegation: bob.proofs[0] as string,
    asController: testActor(app.app, now, controller),
    asOperator,
    delegate: (key: SigningKey, changes: object = {}) =>
      mintDelegation({ key, audience: bob.did, resource: `oracle:${app.app.identity.did}`, abilities, ...changes }),
    all: () => listOf(asOperator('GET', '/grants')),
    app: app.app,
    [Symbol.asyncDispose]: () => app.app.close(),
  }
}

interface Grant {
  readonly hash: string
  readonly audience: string
}

const listOf = async (answer: Response | Promise<Response>) => (await (await answer).json()).grants as Grant[]

test('a grant is recorded with its name, listed to its parties and the operator, and revoked from the list', async () => {
  await using made = await oracle()
  const { bob, asController, delegation, all } = made
  const stranger = await delegatedActor(made.app, { key: controller })
  const answer = await asController.request('/grants', { json: { delegation, audience: bob.did, name: 'Bob' } })
  const grant = await answer.json()
  expect([answer.status, grant]).toEqual([
    201,
    {
      hash: expect.stringMatching(/^[\w-]{43}$/),
      issuer: controller.did,
      audience: bob.did,
      name: 'Bob',
      root: controller.did,
      abilities,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    },
  ])
  expect(await all()).toEqual([grant])
  for (const party of [asController, bob]) expect(await listOf(party.request('/grants'))).toEqual([grant])
  expect(await listOf(stranger.request('/grants'))).toEqual([])

  const revoke = (by: TestActor) => by.request(`/grants/${grant.hash}`, { method: 'DELETE' })
  for (const other of [bob, stranger]) expect((await revoke(other)).status).toBe(404)
  expect((await revoke(asController)).status).toBe(204)
  expect(await all()).toEqual([])
  const refused = await bob.request('/grants')
  expect([refused.status, (await refused.json()).code]).toEqual([401, 'ucan_revoked'])
})

test('a grant that was passed on is listed below its root, and ends with the grant above', async () => {
  await using made = await oracle()
  const { bob, asController, asOperator, delegation, all } = made
  const carol = createSigningKey()
  const passedOn = await made.delegate(bob.key, { audience: carol.did, abilities: ['chat/*'], proofs: bob.proofs })
  const record = async (by: TestActor, token: string, audience: string) =>
    (await by.request('/grants', { json: { delegation: token, audience } })).status
  expect(await record(bob, passedOn, carol.did)).toBe(201)
  expect(await record(bob, delegation, bob.did)).toBe(403)
  expect(await record(asController, delegation, bob.did)).toBe(201)
  const [first, second, ...more] = await all()
  expect(more).toEqual([])
  expect(await listOf(asOperator('GET', `/grants?limit=1&after=${first?.hash}`))).toEqual([second])
  const above = [first, second].find(grant => grant?.audience === bob.did)
  expect((await asOperator('DELETE', `/grants/${above?.hash}`)).status).toBe(204)
  expect(await all()).toEqual([])
})

test('a delegation that grants nothing here is not recorded', async () => {
  await using made = await oracle()
  const delegations = [
    await made.delegate(controller, { resource: 'https://calendar.example' }),
    await made.delegate(createSigningKey()),
    `${made.delegation.replace(/\.[^.]+$/, '')}.${'A'.repeat(86)}`,
  ]
  for (const delegation of delegations) {
    const answer = await made.asController.request('/grants', { json: { delegation, audience: made.bob.did } })
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'delegation_invalid'])
  }
  expect(await made.all()).toEqual([])
})

test('a grant leaves the list when it expires', async () => {
  let time = Date.now()
  await using made = await oracle(() => time)
  const delegation = await made.delegate(controller, { lifetimeSeconds: 60, now: () => time })
  await made.asController.request('/grants', { json: { delegation, audience: made.bob.did } })
  expect(await made.all()).toHaveLength(1)
  time += 61_000
  expect(await made.all()).toEqual([])
})

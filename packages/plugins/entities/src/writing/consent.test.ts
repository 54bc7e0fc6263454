import { expect, test } from 'vitest'
import { ada, ben, bootEntities, keys } from './entity-routes.test.helper.ts'

/** An oracle with two people who sign for themselves, and its public DID. */
const open = async () => {
  const oracle = await bootEntities()
  const [one, other] = [oracle.actor(), oracle.actor()]
  const call = async (by: typeof one, method: string, path: string, json?: object, version?: number) => {
    const answer = await by.request(path, {
      method,
      ...(json ? { json } : {}),
      ...(version ? { headers: { 'if-match': `"${version}"` } } : {}),
    })
    return { status: answer.status, body: await answer.json() }
  }
  const create = (by: typeof one, body: object) => call(by, 'POST', '/v1/entities', { type: 'Device', ...body })
  const patch = (by: typeof one, did: string, version: number, body: object) =>
    call(by, 'PATCH', `/v1/entities/${encodeURIComponent(did)}`, body, version)
  return {
    oracle,
    one,
    other,
    create,
    patch,
    did: oracle.app.identity.publicDid,
    [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose](),
  }
}

const refused = { status: 403, body: { code: 'controller_consent_missing' } }

test('no party becomes the controller of an entity without its consent, least of all the oracle', async () => {
  await using fixture = await open()
  const { oracle, one, other, create, patch, did } = fixture
  for (const controller of [other.did, did, oracle.app.identity.did!, ada]) {
    expect(await create(one, { controller })).toMatchObject(refused)
  }
  const own = await create(one, { controller: one.did })
  expect(own).toMatchObject({ status: 201, body: { controller: one.did } })
  for (const controller of [other.did, did]) {
    expect(await patch(one, own.body.did, 1, { controller })).toMatchObject(refused)
  }
  expect(await patch(one, own.body.did, 1, { controller: one.did })).toMatchObject({
    status: 200,
    body: { version: 1 },
  })
})

test('an entity is offered to another, who becomes its controller by accepting it', async () => {
  await using fixture = await open()
  const { oracle, one, other, create, patch } = fixture
  const { did } = (await create(one, { pendingController: other.did })).body
  expect((await oracle.send('GET', `/v1/entities/${encodeURIComponent(did)}`)).body).toMatchObject({
    controller: one.did,
    pendingController: other.did,
  })
  const resolved = await oracle.app.request(`/1.0/identifiers/${did}`)
  expect((await resolved.json()).didDocument.controller).toBe(one.did)
  expect(await patch(other, did, 1, { properties: { a: 1 } })).toMatchObject({ body: { code: 'not_controller' } })
  expect(await patch(other, did, 1, { controller: other.did, properties: { a: 1 } })).toMatchObject({
    body: { code: 'not_controller' },
  })
  expect(await patch(one, did, 1, { properties: { a: 1 } })).toMatchObject({
    body: { version: 2, pendingController: other.did },
  })
  const accepted = await patch(other, did, 2, { controller: other.did })
  expect(accepted).toMatchObject({ status: 200, body: { controller: other.did, version: 3 } })
  expect(accepted.body).not.toHaveProperty('pendingController')
  expect(await patch(one, did, 3, { properties: { a: 2 } })).toMatchObject({ body: { code: 'not_controller' } })
  expect((await oracle.history(did)).events).toMatchObject([
    { by: other.did, change: { controller: other.did } },
    { by: one.did },
    { by: one.did, change: { controller: one.did, pendingController: other.did } },
  ])
  expect(await oracle.proof(did)).toMatchObject({ verified: true })
})

test('an offer is withdrawn by who made it, declined by whom it is made to, and of no use to others', async () => {
  await using fixture = await open()
  const { oracle, one, other, create, patch } = fixture
  const third = oracle.actor()
  const { did } = (await create(one, {})).body
  const offer = async (version: number) =>
    (await patch(one, did, version, { pendingController: other.did })).body.pendingController
  expect(await offer(1)).toBe(other.did)
  expect(await patch(third, did, 2, { controller: third.did })).toMatchObject({ body: { code: 'not_controller' } })
  expect((await patch(one, did, 2, { pendingController: null })).body).not.toHaveProperty('pendingController')
  expect(await patch(other, did, 3, { controller: other.did })).toMatchObject({ body: { code: 'not_controller' } })
  expect(await offer(3)).toBe(other.did)
  expect((await patch(other, did, 4, { pendingController: null })).body).toMatchObject({
    controller: one.did,
    version: 5,
  })
  expect(await patch(one, did, 5, { pendingController: one.did })).toMatchObject({ body: { version: 5 } })
  expect(await oracle.proof(did)).toMatchObject({ verified: true })
})

test('the oracle accepts by a key that acts as it', async () => {
  await using fixture = await open()
  const { oracle, one, create, patch, did: oracleDid } = fixture
  const { did } = (await create(one, {})).body
  expect((await patch(one, did, 1, { pendingController: oracle.app.identity.did! })).body.pendingController).toBe(
    oracleDid,
  )
  expect((await oracle.patch(did, 2, { controller: oracleDid }, keys.ada)).body.code).toBe('not_controller')
  expect((await oracle.patch(did, 2, { controller: oracleDid })).body).toMatchObject({
    controller: oracleDid,
    version: 3,
  })
})

test("an operator's key may name any controller, and transfers immediately", async () => {
  await using oracle = await bootEntities()
  const { body } = await oracle.create({ type: 'Device', controller: ben }, keys.ada)
  expect(body.controller).toBe(ben)
  expect((await oracle.patch(body.did, 1, { controller: ada }, keys.ben)).body.controller).toBe(ada)
  const named = oracle.actor().did
  expect((await oracle.create({ type: 'Device', controller: named })).body.controller).toBe(named)
  expect((await oracle.create({ type: 'Device' })).body.controller).toBe(oracle.app.identity.publicDid)
})

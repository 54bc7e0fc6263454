import { expect, test } from 'vitest'
import { ada, bootEntities, keys } from './entity-routes.test.helper.ts'

/** A protocol of the oracle in its third version, with entities that follow the first. */
const tightened = async () => {
  const oracle = await bootEntities()
  const protocol = (await oracle.create({ type: 'Protocol', properties: { serial: 'string' } })).body.did
  const register = (more: object, key?: string) => oracle.create({ type: 'Stove', protocol, ...more }, key)
  const old = (await register({}, keys.ada)).body.did
  const own = (await register({})).body.did
  await oracle.patch(protocol, 1, { properties: { fuel: 'string' } })
  await oracle.patch(protocol, 2, { properties: { watts: 'number' } })
  return { oracle, protocol, register, old, own, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

test('a new entity follows the newest version; an older one only for the controller of the protocol', async () => {
  await using fixture = await tightened()
  const { register } = fixture
  expect((await register({}, keys.ada)).body.protocolVersion).toBe(3)
  expect((await register({ protocolVersion: 3 }, keys.ada)).body.protocolVersion).toBe(3)
  for (const protocolVersion of [1, 2]) {
    expect((await register({ protocolVersion }, keys.ada)).body).toMatchObject({
      status: 403,
      code: 'protocol_version_superseded',
    })
    expect((await register({ protocolVersion })).body.protocolVersion).toBe(protocolVersion)
  }
})

test('an entity moves to the newest version only, unless the protocol has the same controller', async () => {
  await using fixture = await tightened()
  const { oracle, old, own, register } = fixture
  const refused = { status: 403, code: 'protocol_version_superseded' }
  expect((await oracle.patch(old, 1, { protocolVersion: 2 }, keys.ada)).body).toMatchObject(refused)
  expect((await oracle.patch(old, 1, { protocolVersion: 1, properties: { serial: 'A' } }, keys.ada)).status).toBe(200)
  expect((await oracle.patch(old, 2, { protocolVersion: 3 }, keys.ada)).body.protocolVersion).toBe(3)
  expect((await oracle.patch(old, 3, { protocolVersion: 1 }, keys.ada)).body).toMatchObject(refused)
  expect((await oracle.patch(own, 1, { protocolVersion: 2 })).body.protocolVersion).toBe(2)
  const stranger = oracle.actor()
  const answer = await stranger.request('/v1/entities', {
    json: { type: 'Stove', protocol: fixture.protocol, protocolVersion: 1 },
  })
  expect([answer.status, (await answer.json()).code]).toEqual([403, 'protocol_version_superseded'])
  expect((await register({ protocolVersion: 4 })).body.code).toBe('protocol_unknown')
})

test('a retired version accepts no entity from any caller, and stays readable', async () => {
  await using fixture = await tightened()
  const { oracle, protocol, register, old, own } = fixture
  const retire = (version: number, retiredVersions: unknown, key?: string) =>
    oracle.patch(protocol, version, { retiredVersions }, key)
  expect((await retire(3, [1], keys.ada)).body.code).toBe('not_controller')
  const { status, body } = await retire(3, [1])
  expect([status, body.version, body.retiredVersions]).toEqual([200, 4, [1]])
  expect((await register({ protocolVersion: 1 })).body).toMatchObject({ status: 422, code: 'protocol_version_retired' })
  expect((await register({ protocolVersion: 2 })).body.protocolVersion).toBe(2)
  expect((await oracle.patch(own, 1, { protocolVersion: 2 })).status).toBe(200)
  expect((await oracle.patch(own, 2, { protocolVersion: 1 })).body.code).toBe('protocol_version_retired')
  expect((await oracle.patch(old, 1, { properties: { serial: 'B' } }, keys.ada)).body.protocolVersion).toBe(1)
  const path = `/v1/protocols/${encodeURIComponent(protocol)}`
  expect((await oracle.send('GET', `${path}/versions/1`)).body).toMatchObject({ version: 1, retired: true })
  expect((await oracle.send('GET', path)).body).not.toHaveProperty('retired')
  const { versions } = (await oracle.send('GET', `${path}/versions`)).body
  expect(versions.map(({ version, retired }: { version: number; retired?: true }) => [version, retired])).toEqual([
    [3, undefined],
    [2, undefined],
    [1, true],
  ])
  expect((await register({})).body.protocolVersion).toBe(3)
  expect(await oracle.proof(protocol)).toMatchObject({ verified: true })
  expect((await oracle.history(protocol)).events[0].change).toEqual({ retiredVersions: [1] })
})

test('neither is the newest version retired, nor a retired one brought back', async () => {
  await using fixture = await tightened()
  const { oracle, protocol, own } = fixture
  const retire = async (did: string, version: number, patch: object) => {
    const { body } = await oracle.patch(did, version, patch)
    return (
      body.issues?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`) ?? body.retiredVersions
    )
  }
  expect(await retire(protocol, 3, { retiredVersions: [3, 4] })).toEqual([
    '/retiredVersions/0 newest_version',
    '/retiredVersions/1 newest_version',
  ])
  expect(await retire(protocol, 3, { retiredVersions: [2, 1] })).toEqual([1, 2])
  expect(await retire(protocol, 4, { retiredVersions: [2] })).toEqual(['/retiredVersions retired_version'])
  expect(await retire(protocol, 4, { retiredVersions: [1, 2] })).toEqual([1, 2])
  expect(await retire(protocol, 4, { retiredVersions: [1, 2, 3], properties: { grams: 'number' } })).toEqual([1, 2, 3])
  expect((await oracle.patch(protocol, 5, { properties: { grams: null } })).body.retiredVersions).toEqual([1, 2, 3])
  expect(await retire(own, 1, { retiredVersions: [1] })).toEqual(['/retiredVersions not_allowed_here'])
  expect(await oracle.proof(protocol)).toMatchObject({ verified: true })
  expect((await oracle.create({ type: 'Stove', protocol }, keys.ada)).body).toMatchObject({
    controller: ada,
    protocolVersion: 5,
  })
})

import { definePlugin, type Host } from '@sibyl/plugin'
import { entityDirectory, type ServiceOf } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { entities } from '../entities.ts'
import { type EntityRegistry, entityRegistry } from '../records/entity-registry.ts'

/** An oracle, and what another plugin of it sees of entities. */
const boot = async () => {
  const seen: { directory?: ServiceOf<typeof entityDirectory>; registry?: EntityRegistry; host?: Host } = {}
  const other = definePlugin({
    name: 'other',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Other', summary: 'Uses entities.', whenToUse: ['a test needs it'] },
    requires: ['entities'],
    setup(host) {
      Object.assign(seen, { host, directory: host.service(entityDirectory), registry: host.service(entityRegistry) })
      return {}
    },
  })
  const oracle = await testApp({ plugins: [entities(), other] })
  return { ...(seen as Required<typeof seen>), actor: oracle.actor, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('other plugins register entities as the oracle, and find them with their protocol', async () => {
  await using oracle = await boot()
  const { registry, directory, host } = oracle
  const protocol = await registry.create({ type: 'Protocol', properties: { serial: 'string' }, claim: { rubric: [] } })
  const creation = { type: 'CookStove', protocol: protocol.entity.did, properties: { serial: 'S-1' } }
  const stove = await registry.create(creation, { idempotencyKey: 'order-1' })
  expect(stove).toMatchObject({ etag: '"1"', entity: { controller: host.identity.publicDid } })
  expect(await registry.create(creation, { idempotencyKey: 'order-1' })).toEqual(stove)
  const { did } = stove.entity
  expect(await registry.get(did)).toEqual(stove)
  expect(await registry.get(did.replace('did:web:', 'did:web:elsewhere.'))).toBeUndefined()
  const elsewhere = `did:web:elsewhere.example:entities:${did.slice(-26)}`
  const found = await directory.find([did, elsewhere, 'did:key:z6Mk', protocol.entity.did])
  expect([...found.keys()]).toEqual([did, protocol.entity.did])
  expect(found.get(did)).toMatchObject({
    domainClass: 'Physical Twins',
    status: 'active',
    protocol: { did: protocol.entity.did, version: 1 },
  })
  expect(await directory.protocol(protocol.entity.did)).toEqual({
    did: protocol.entity.did,
    version: 1,
    newest: 1,
    retired: false,
    status: 'active',
    controller: host.identity.publicDid,
    createdAt: expect.any(Number),
    claim: { rubric: [] },
  })
  expect(await directory.protocol(protocol.entity.did, 2)).toBeUndefined()
  await registry.update(protocol.entity.did, { claim: { rubric: [1] } }, protocol.etag)
  expect(await directory.protocol(protocol.entity.did)).toMatchObject({ version: 2, claim: { rubric: [1] } })
  expect(await directory.protocol(protocol.entity.did, 1)).toMatchObject({ claim: { rubric: [] } })
  await expect(registry.update(did, { services: null }, '"7"')).rejects.toMatchObject({ code: 'etag_stale' })
  expect(await registry.deactivate(did, stove.etag)).toMatchObject({ etag: '"2"', entity: { status: 'deactivated' } })
})

test('input that other plugins pass on from users and models is validated like a body', async () => {
  await using oracle = await boot()
  const creation = { type: 'a type', services: [{ id: 'readings' }] } as never
  await expect(oracle.registry.create(creation)).rejects.toMatchObject({
    code: 'entity_invalid',
    issues: expect.arrayContaining([
      expect.objectContaining({ path: '/type' }),
      expect.objectContaining({ path: '/services/0/id' }),
    ]),
  })
})

test('claims and credentials are linked and entered in the transaction of their plugins', async () => {
  await using oracle = await boot()
  const { registry, directory, host } = oracle
  const { did } = (await registry.create({ type: 'CookStove' })).entity
  const by = 'did:web:issuer.example'
  const links = [
    { from: did, relationship: 'produces', to: 'urn:uuid:claim' },
    { from: 'urn:uuid:claim', relationship: 'becomes', to: 'urn:uuid:credential' },
  ]
  await host.storage.write(async tx => {
    await directory.link(links, tx)
    await directory.link(links, tx)
    await directory.addCredential({ did, id: 'urn:uuid:credential', type: 'CleanCooking', issuer: by, by }, tx)
    await directory.addCredential({ did: 'did:web:x', id: 'urn:uuid:credential', type: 'T', issuer: by, by }, tx)
  })
  expect(await registry.get(did)).toMatchObject({
    etag: '"2"',
    entity: {
      verifiableCredential: [{ id: 'urn:uuid:credential', type: 'CleanCooking', issuer: by }],
    },
  })
  const answer = await oracle.actor.request(`/v1/graph?${new URLSearchParams({ from: did, depth: '2' })}`)
  expect((await answer.json()).edges).toEqual(links)
  await host.storage.write(tx => directory.removeCredential({ did, id: 'urn:uuid:credential', by }, tx))
  expect(await registry.get(did)).toMatchObject({ etag: '"3"', entity: { verifiableCredential: [] } })
})

import type { EntityCreation, EntityRecord } from '@sibyl/plugin-entities/records'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IxoRegistry } from './ixo-registry.ts'
import { address, mnemonicOf, startTestChain } from './testing/open-registry.test.helper.ts'
import { randomCreation, seeded } from './testing/random-creation.test.helper.ts'
import { bytesOf, decode, messageOf, messagesOf, textOf } from './testing/wire.test.helper.ts'

let chain: Awaited<ReturnType<typeof startTestChain>>
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.node.stop())

const ownKey = 'did:key:z6MkgHyMD2DpeupVC134bwD8WjYuRosxrqEpETihKurQwh1N'
const otherKey = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'

const oracle: EntityCreation = {
  type: 'Oracle',
  properties: { name: 'Tides', price: 'free' },
  services: [
    { id: '#api', type: 'OracleApi', endpoint: 'http://localhost:4000' },
    { id: '#health', type: 'Health', endpoint: 'http://localhost:4000/health' },
  ],
  relationships: { partOf: 'did:web:example.org' },
  alsoKnownAs: [ownKey],
}

/** The messages of a transaction that was sent, by their type and bytes. */
const messagesIn = (transaction: string) =>
  messagesOf(messageOf(decode(Buffer.from(transaction, 'base64')), 1), 1).map(any => ({
    typeUrl: textOf(any, 1),
    value: bytesOf(any, 2),
  }))

const typesOf = async (index: number): Promise<string[]> => {
  const sent = (await chain.report()).transactions.at(index)
  return messagesIn(sent?.bytes ?? '').map(({ typeUrl }) => typeUrl.split('.Msg')[1] ?? '')
}

test('an oracle is registered, and the chain has what was said', async () => {
  const registry = await chain.fresh()
  expect([registry.chainId, registry.address]).toEqual(['pandora-8', address])
  const { entity } = await registry.create(oracle)
  const { services = [], properties, alsoKnownAs } = oracle
  expect(entity).toMatchObject({ type: 'Oracle', domainClass: 'Oracle Twins', status: 'active', version: 1 })
  expect(entity).toMatchObject({ controller: ownKey, services, properties, alsoKnownAs })
  expect(entity.relationships).toEqual({ partOf: ['did:web:example.org'] })
  expect(entity.did).toMatch(/^did:ixo:entity:[0-9a-f]{32}$/)
  const { entities, documents } = await chain.report()
  expect(entities).toMatchObject([{ id: entity.did, type: 'oracle', status: 0, relayerNode: registry.accountDid }])
  const document = documents.find(({ id }) => id === entity.did)
  expect(document?.controllers).toEqual([entity.did, ownKey, registry.accountDid].toSorted())
  expect(document?.services[0]).toEqual({ 1: '{id}#api', 2: 'OracleApi', 3: 'http://localhost:4000' })
  expect(document?.methods.map(({ texts, relationships }) => [texts[1], texts[2], relationships[0]])).toEqual([
    [`${registry.accountDid}#${address}`, 'CosmosAccountAddress', 'authentication'],
    [`${ownKey}#${ownKey.slice(8)}`, 'Ed25519VerificationKey2020', 'authentication'],
  ])
})

test('the account gets its DID document once, before its first entity', async () => {
  const registry = await chain.fresh()
  await registry.create({ type: 'CookStove' })
  await registry.create({ type: 'CookStove' })
  const { transactions } = await chain.report()
  expect(transactions.map(({ sequence, code }) => [sequence, code])).toEqual([0, 1, 2].map(one => [one, 0]))
  expect(await typesOf(0)).toEqual(['CreateIidDocument'])
  expect(await typesOf(1)).toEqual(['CreateEntity'])
})

test('what create sends, get gives back', async () => {
  const registry = await chain.fresh()
  const random = seeded(20_261_121)
  for (const creation of Array.from({ length: 12 }, () => randomCreation(random))) {
    const made = await registry.create(creation)
    const { relationships = {}, ...rest } = creation
    const lists = Object.fromEntries(Object.entries(relationships).map(([name, to]) => [name, [to].flat()]))
    const expected = { properties: {}, services: [], alsoKnownAs: [], controller: ownKey, ...withoutUndefined(rest) }
    expect(made.entity).toMatchObject(expected)
    expect(made.entity.properties).toEqual(expected.properties)
    expect(made.entity.relationships).toEqual(lists)
    expect(made.entity.protocol).toBe(creation.protocol)
    expect(await registry.get(made.entity.did)).toEqual(made)
  }
})

const withoutUndefined = (value: object): object => JSON.parse(JSON.stringify(value))

test('two concurrent ones are two transactions, one after the other', async () => {
  const registry = await chain.fresh()
  const made = await Promise.all([registry.create({ type: 'A' }), registry.create({ type: 'B' })])
  expect(made.map(({ entity }) => entity.type)).toEqual(['A', 'B'])
  const { transactions, requests } = await chain.report()
  expect(transactions).toHaveLength(3)
  expect(requests.filter(({ method }) => method === 'broadcast_tx_sync')).toHaveLength(3)
})

test('an entity is changed in one transaction, and only in what is different', async () => {
  const registry = await chain.fresh()
  const made = await registry.create(oracle)
  const { did } = made.entity
  const services = [
    { id: '#api', type: 'OracleApi', endpoint: 'https://tides.example' },
    { id: '#health', type: 'Health', endpoint: 'http://localhost:4000/health' },
  ]
  const patch = {
    services,
    properties: { price: null, model: 'offline' },
    relationships: { partOf: null, owns: ['did:web:a.example', 'did:web:b.example'] },
  }
  const changed = await registry.update(did, patch, made.etag)
  const expected: Partial<EntityRecord> = {
    properties: { name: 'Tides', model: 'offline' },
    relationships: { owns: ['did:web:a.example', 'did:web:b.example'] },
  }
  expect(changed.entity).toMatchObject(expected)
  expect(changed.entity.services.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual(services)
  expect(changed.etag).not.toBe(made.etag)
  expect(changed.entity.version).toBeGreaterThan(made.entity.version)
  expect(changed.entity.updatedAt > made.entity.updatedAt).toBe(true)
  expect(await typesOf(-1)).toEqual([
    'DeleteService',
    'AddService',
    'DeleteLinkedResource',
    'AddLinkedResource',
    'DeleteLinkedEntity',
    'AddLinkedEntity',
    'AddLinkedEntity',
  ])
  const before = (await chain.report()).transactions.length
  const same = { services, properties: { model: 'offline' }, alsoKnownAs: [ownKey], controller: ownKey }
  expect(await registry.update(did, same, changed.etag)).toEqual(changed)
  expect((await chain.report()).transactions).toHaveLength(before)
  const bare = await registry.update(
    did,
    { services: null, properties: null, relationships: { owns: [] } },
    changed.etag,
  )
  expect(bare.entity).toMatchObject({ services: [], properties: {}, relationships: {} })
})

test('a message is on the wire as the modules define it, byte for byte', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create({ type: 'Oracle' })
  const services = [{ id: '#api', type: 'OracleApi', endpoint: 'http://a.example' }]
  await registry.update(entity.did, { services }, etag)
  const [message] = messagesIn((await chain.report()).transactions.at(-1)?.bytes ?? '')
  const hex = (text: string) => Buffer.from(text, 'ascii').toString('hex')
  // id = 1, 47 bytes; service_data = 2, 39 bytes: id = 1, type = 2, serviceEndpoint = 3; signer = 3, 42 bytes
  const service = `0a08${hex('{id}#api')}1209${hex('OracleApi')}1a10${hex('http://a.example')}`
  expect(message?.typeUrl).toBe('/ixo.iid.v1beta1.MsgAddService')
  expect(message?.value.toString('hex')).toBe(`0a2f${hex(entity.did)}1227${service}1a2a${hex(address)}`)
})

test('another controller takes the place of the one before; the account still signs', async () => {
  const registry = await chain.fresh()
  const made = await registry.create({ type: 'CookStove' })
  const { did } = made.entity
  const changed = await registry.update(did, { controller: otherKey }, made.etag)
  expect(changed.entity.controller).toBe(otherKey)
  const document = (await chain.report()).documents.find(({ id }) => id === did)
  expect(document?.controllers).toEqual([did, otherKey, registry.accountDid].toSorted())
  expect(document?.methods.map(({ texts }) => texts[1])).not.toContain(`${ownKey}#${ownKey.slice(8)}`)
  const later = await registry.update(did, { properties: { a: 1 } }, changed.etag)
  expect(later.entity.properties).toEqual({ a: 1 })
})

test('entries of other software stay in the document, and are not part of the entity', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create({ type: 'Oracle' })
  const foreign = {
    services: [{ 1: 'cellnode', 2: 'CellNode', 3: '#path' }],
    resources: [
      { 1: 'Settings', 2: '{id}#profile', 3: '', 4: 'application/ld+json', 5: 'ipfs:x', 6: 'x', 7: '', 8: '' },
    ],
    links: [{ 1: 'account', 2: `${entity.did}#admin`, 3: 'account', 4: '' }],
  }
  await chain.node.send({ do: 'edit', did: entity.did, members: foreign })
  const found = await registry.get(entity.did)
  expect(found?.entity).toEqual(entity)
  expect(found?.etag).not.toBe(etag)
  const patch = { services: [], properties: { a: 1 }, relationships: { owns: 'did:web:a.example' } }
  await registry.update(entity.did, patch, found?.etag ?? '')
  const document = (await chain.report()).documents.find(({ id }) => id === entity.did)
  expect(document?.services).toEqual(foreign.services)
  expect(document?.resources[0]).toEqual(foreign.resources[0])
  expect(document?.links[0]).toEqual(foreign.links[0])
})

test('an entity out of use is not changed any more', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create(oracle)
  const ended = await registry.deactivate(entity.did, etag)
  expect(ended.entity).toEqual({ ...entity, status: 'deactivated', version: 6_001, updatedAt: ended.entity.updatedAt })
  expect((await chain.report()).entities).toMatchObject([{ status: 1 }])
  for (const change of [registry.update(entity.did, {}, ended.etag), registry.deactivate(entity.did, ended.etag)])
    await expect(change).rejects.toMatchObject({ code: 'entity_deactivated' })
})

test('a change requires the newest ETag, an entity, and one of its controllers', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create({ type: 'CookStove' })
  await registry.update(entity.did, { properties: { a: 1 } }, etag)
  await expect(registry.update(entity.did, { properties: {} }, etag)).rejects.toMatchObject({ code: 'etag_stale' })
  const missing = `did:ixo:entity:${'0'.repeat(32)}`
  await expect(registry.deactivate(missing, etag)).rejects.toMatchObject({ code: 'entity_not_found' })
  for (const did of [missing, 'did:web:example.org', 'nonsense', `${entity.did}/x`])
    expect(await registry.get(did)).toBeUndefined()
  const stranger = await chain.open({ mnemonic: mnemonicOf(`${'zoo '.repeat(11)}wrong`) })
  expect((await stranger.get(entity.did))?.entity.did).toBe(entity.did)
  const now = (await stranger.get(entity.did))?.etag ?? ''
  await expect(stranger.update(entity.did, {}, now)).rejects.toMatchObject({ code: 'not_controller' })
})

test.each<[string, EntityCreation, string[]]>([
  ['a version', { type: 'A', protocolVersion: 2 }, ['/protocolVersion']],
  ['claims', { type: 'Protocol', claim: {} }, ['/claim']],
  ['a class', { type: 'Protocol', domainClass: 'Physical Twins' }, ['/domainClass']],
  ['groups', { type: 'Organisation', membershipGroups: ['Members'] }, ['/membershipGroups']],
  ["the chain's own name for an oracle", { type: 'oracle' }, ['/type']],
  ['a second name', { type: 'A', alsoKnownAs: ['urn:a', 'urn:b'] }, ['/alsoKnownAs']],
  ['broken text', { type: 'A', alsoKnownAs: ['urn:\ud800'] }, ['/alsoKnownAs/0']],
  ['a lot', { type: 'A', properties: { text: 'a'.repeat(40_000) } }, ['/properties']],
  ['edges to no DID', { type: 'A', relationships: { owns: 'a stove' } }, ['/relationships/owns']],
  ['two edges to one', { type: 'A', relationships: { owns: 'did:web:a', has: 'did:web:a' } }, ['/relationships/has']],
  [
    'a service twice, and more',
    {
      type: 'A',
      services: ['a', 'b'].map(type => ({ id: '#a', type, endpoint: 'http://a.example' })),
      claim: {},
    },
    ['/claim', '/services/1/id'],
  ],
])('%s has no place on the chain, and nothing is sent', async (_, creation, paths) => {
  const registry = await chain.fresh()
  const error = await registry.create(creation).catch(reason => reason)
  expect(error).toMatchObject({ code: 'chain_not_expressible' })
  expect(error.faults.map((violation: { path: string }) => violation.path)).toEqual(paths)
  await expect(registry.preview({ creation })).rejects.toMatchObject({ code: 'chain_not_expressible' })
  expect((await chain.report()).requests.map(({ method }) => method)).toEqual(['status'])
})

test('rejects changes that the chain cannot store as well', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create({ ...oracle, properties: { text: 'a'.repeat(20_000) } })
  const refused = async (patch: Parameters<IxoRegistry['update']>[1]) =>
    expect(registry.update(entity.did, patch, etag)).rejects.toMatchObject({ code: 'chain_not_expressible' })
  await refused({ alsoKnownAs: ['did:web:other.example'] })
  await refused({ alsoKnownAs: null })
  await refused({ protocolVersion: 2 })
  await refused({ properties: { more: 'a'.repeat(20_000) } })
  await refused({ relationships: { owns: 'did:web:example.org' } })
  await registry.update(entity.did, { relationships: { partOf: null, owns: 'did:web:example.org' } }, etag)
})

test('rejects an invalid entity with its problems', async () => {
  const registry = await chain.fresh()
  const broken = { type: '1', services: [{ id: 'api', type: 'A', endpoint: 'ftp://a' }], surprise: true }
  const error = await registry.create(broken as unknown as EntityCreation).catch(reason => reason)
  expect(error).toMatchObject({ code: 'entity_invalid' })
  expect(error.faults.map((violation: { path: string }) => violation.path)).toEqual([
    '/type',
    '/services/0/id',
    '/services/0/endpoint',
    '',
  ])
})

test('a preview shows what would be sent, as plain JSON, and sends nothing', async () => {
  const registry = await chain.fresh()
  const creation: EntityCreation = { type: 'Oracle', properties: { name: 'Tides' } }
  const preview = await registry.preview({ creation })
  expect(preview).toMatchObject({ chainId: 'pandora-8', signer: address, gasPrice: '0.025uixo' })
  expect(JSON.parse(JSON.stringify(preview))).toEqual(preview)
  expect(preview.transactions.map(messages => messages.map(({ typeUrl }) => typeUrl))).toEqual([
    ['/ixo.iid.v1beta1.MsgCreateIidDocument'],
    ['/ixo.entity.v1beta1.MsgCreateEntity'],
  ])
  expect(preview.transactions[1]?.[0]?.value).toMatchObject({
    entityType: 'oracle',
    ownerAddress: address,
    linkedResource: [
      { id: '{id}#properties', serviceEndpoint: expect.stringMatching(/^data:application\/json;base64,/) },
    ],
  })
  const { requests, transactions } = await chain.report()
  expect([requests.filter(({ method }) => method === 'broadcast_tx_sync'), transactions]).toEqual([[], []])
  const { entity } = await registry.create(creation)
  expect((await registry.preview({ creation })).transactions).toHaveLength(1)
  const { did } = entity
  const change = await registry.preview({ did, patch: { properties: { name: 'Ebb' } } })
  expect(change.transactions.map(it => it.length)).toEqual([2])
  expect((await registry.preview({ did, patch: { properties: { name: 'Tides' } } })).transactions).toEqual([])
  const end = await registry.preview({ did, deactivation: true })
  expect(end.transactions[0]?.[0]).toMatchObject({ value: { id: did, entityStatus: 1, controllerAddress: address } })
})

test.each(['ContinuousVestingAccount', 'DelayedVestingAccount', 'PeriodicVestingAccount', 'PermanentLockedAccount'])(
  'a %s signs like any other, on a chain that answers as older ones do',
  async vesting => {
    await chain.node.send({ do: 'reset', oldAnswers: true })
    await chain.node.send({ do: 'fund', address, amount: '1000000', vesting })
    const { entity } = await (await chain.open()).create({ type: 'Oracle' })
    expect(entity.type).toBe('Oracle')
  },
)

test('the fee is what the gas costs, and no more', async () => {
  const registry = await chain.fresh()
  await registry.create({ type: 'Oracle' })
  const { balances, transactions } = await chain.report()
  const spent = 100_000_000 - Number(balances[address])
  const fees = transactions.map(({ bytes }) => {
    const fee = messageOf(messageOf(decode(Buffer.from(bytes, 'base64')), 2), 2)
    return Number(textOf(messageOf(fee, 1), 2))
  })
  expect(spent).toBe(fees.reduce((sum, fee) => sum + fee, 0))
  expect(spent).toBeLessThan(10_000)
})

import { expect, test } from 'vitest'
import { createEdgeStore } from '../graph/edge-store.ts'
import { shownRelationshipsOf } from '../graph/shown-relationships.ts'
import { readChain } from '../history/read-chain.ts'
import { EntityReplay } from '../history/replay-entity.ts'
import { chainStart, verifyChain } from '../history/verify-chain.ts'
import { protocolRules } from '../protocols/protocol-rules.ts'
import { entityDid, entityIdOf } from '../records/entity-did.ts'
import type { EntitiesStorage } from '../storage/entities-tables.ts'
import { findEntities } from '../storage/entity-rows.ts'
import { onEachEngine, type TestEngine } from '../storage/on-each-engine.test.helper.ts'
import type { Projection } from '../storage/projection.ts'
import { drawWrite, EntityModel, perform, randomNumbers } from './entity-model.test.helper.ts'
import type { EntityWriter } from './entity-writer.ts'
import { activeGroupsOf } from './membership-groups.ts'
import { testIdentity, testWriter } from './test-writer.test.helper.ts'

const parties = ['did:web:ada.example', 'did:web:ben.example']

/** Reads an entity with its chain, which must hold and build the same entity again. */
const provenEntity = async (storage: EntitiesStorage, did: string, signer: string) => {
  const id = entityIdOf(did)!
  const entity = (await findEntities(storage.read, [id])).get(id)!
  const links = await readChain(storage.read, { id, did }, { limit: 1_000 })
  expect(verifyChain(links, chainStart, new Set([signer]))).toEqual({ verified: true })
  const relationships = await shownRelationshipsOf({ storage, edges: createEdgeStore(storage) }, id)
  const replay = new EntityReplay(id)
  for (const link of links) replay.apply(link)
  const { past } = replay
  const domainClass = protocolRules.domainClass(entity.type, undefined)
  expect({ entity: { ...past!.entity, domainClass }, relationships: sorted(past!.relationships) }).toEqual({
    entity,
    relationships: sorted(relationships),
  })
  return { entity, relationships }
}

const sorted = (relationships: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(Object.entries(relationships).map(([name, targets]) => [name, targets.toSorted()]))

await onEachEngine('entity writer', engine => {
  test.each(engine.name === 'sqlite' ? [1, 2] : [4])(
    'does and refuses what a plain model does and refuses (seed %i)',
    async seed => {
      const storage = await engine.open()
      const identity = testIdentity()
      const writer = testWriter(storage, identity)
      const model = new EntityModel()
      const random = randomNumbers(seed)
      for (let step = 0; step < 80; step++) {
        const write = drawWrite(random, model.entities.length, [...parties, `${parties[0]}-heir`])
        const outcome = await perform(writer, model, write)
        const code = 'code' in outcome ? outcome.code : undefined
        expect({ step, write, code }).toEqual({ step, write, code: model.expect(write) })
        if (!('written' in outcome)) continue
        const { entity } = outcome.written
        if (write.kind === 'create') {
          const properties = new Map([[write.name, write.value]])
          model.entities.push({
            did: entity.did,
            controller: write.by,
            status: 'active',
            version: 1,
            properties,
            parts: new Set(),
          })
        } else expect(entity.version).toBe(model.entities[write.subject]!.version)
      }
      for (const expected of model.entities) {
        const { entity, relationships } = await provenEntity(storage, expected.did, identity.did!)
        expect({
          controller: entity.controller,
          status: entity.status,
          version: entity.version,
          properties: entity.properties,
          parts: [...(relationships.partOf ?? [])].toSorted(),
        }).toEqual({
          controller: expected.controller,
          status: expected.status,
          version: expected.version,
          properties: Object.fromEntries(expected.properties),
          parts: [...expected.parts].toSorted(),
        })
      }
    },
  )

  test('writes at the same time from two writers lose and double nothing', async () => {
    const identity = testIdentity()
    const [one, other, storage] = await twoWriters(engine, identity)
    const writers = [one, other]
    const [by] = parties as [string, string]
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => writers[index % 2]!.create({ type: 'Part' }, { did: by })),
    )
    const dids = made.map(({ entity }) => entity.did)
    const random = randomNumbers(7)
    let succeeded = 0
    for (let round = 0; round < 6; round++) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) => {
          const [writer, did] = [writers[index % 2]!, dids[random(dids.length)]!]
          const properties = { [`p${round}`]: index }
          return index < 6
            ? writer.update(did, { properties }, { did: by }, 'any')
            : writer.relate(did, 'partOf', [dids[random(dids.length)]!], { did: by })
        }),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') succeeded += 1
        else expect(outcome.reason.code).toBe('entity_invalid')
      }
    }
    expect(succeeded).toBeGreaterThan(36)
    const model = new EntityModel()
    for (const did of dids) {
      const { entity, relationships } = await provenEntity(storage, did, identity.did!)
      expect(entity.version).toBeGreaterThan(1)
      const parts = new Set(relationships.partOf)
      model.entities.push({ did, controller: by, status: 'active', version: 1, properties: new Map(), parts })
    }
    expect(hasCircle(model)).toBe(false)
  })

  test('of two groups taken away at the same time in two processes one stays', async () => {
    const [first, second, storage] = await twoWriters(engine)
    const [by] = parties as [string, string]
    for (let round = 0; round < 4; round++) {
      const { entity } = await first.create(
        { type: 'Organisation', membershipGroups: ['Elders', 'Youth'] },
        { did: by },
      )
      const [one, two] = await groupsOf(storage, entity.id)
      const outcomes = await Promise.allSettled([
        first.deactivate(one!, { did: by }, 1),
        second.update(two!, { relationships: { subDomainOf: null } }, { did: by }, 1),
      ])
      expect(
        outcomes.map(outcome => (outcome.status === 'rejected' ? outcome.reason.code : 'done')).toSorted(),
      ).toEqual(['done', 'last_membership_group'])
    }
  })

  test('one Idempotency-Key makes one entity in two processes, and what fails keeps no key', async () => {
    const [first, second, storage] = await twoWriters(engine)
    const by = { did: parties[0]! }
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? first : second).create({ type: 'Part' }, by, 'key-1')),
    )
    expect(new Set(replies.map(({ entity }) => entity.did)).size).toBe(1)
    expect(replies.filter(({ repeated }) => !repeated)).toHaveLength(1)
    await expect(first.create({ type: 'Other' }, by, 'key-1')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
    await expect(first.create({ type: 'Part', claim: {} }, by, 'key-2')).rejects.toMatchObject({
      code: 'entity_invalid',
    })
    expect((await first.create({ type: 'Part' }, by, 'key-2')).repeated).toBeUndefined()
    expect(await storage.read.selectFrom('entities_entities').select('id').execute()).toHaveLength(2)
  })

  test('concurrent creations share a transaction, and one that the database rejects does not affect others', async () => {
    const storage = await engine.open()
    const applied: number[] = []
    const identity = testIdentity()
    const projections: Projection[] = [
      {
        async apply(changes, tx) {
          applied.push(changes.length)
          const bad = changes.some(({ after }) => after.type === 'Bad')
          if (bad)
            await tx
              .selectFrom('entities_nothing' as 'entities_entities')
              .selectAll()
              .execute()
        },
      },
    ]
    const writer = testWriter(storage, identity, { projections })
    const types = ['Part', 'Part', 'Bad', 'Part']
    const outcomes = await Promise.allSettled(types.map(type => writer.create({ type }, { did: parties[0]! })))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(applied).toEqual([4, 1, 1, 1, 1])
    expect(await storage.read.selectFrom('entities_entities').select('id').execute()).toHaveLength(3)
    applied.length = 0
    await Promise.all(Array.from({ length: 64 }, () => writer.create({ type: 'Part' }, { did: parties[0]! })))
    expect(applied).toEqual([64])
  })

  test('creations with very many targets take no capacity from concurrent ones', async () => {
    const writer = testWriter(await engine.open())
    const by = { did: parties[0]! }
    const targets = (round: number) =>
      Array.from({ length: 1_000 }, (_, at) => entityDid('did:web:a.example', `0${round * 1_000 + at}`.padEnd(26, '0')))
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 40 }, (_, round) =>
        writer.create({ type: 'Part', relationships: { partOf: targets(round + 10) } }, by),
      ),
      writer.create({ type: 'Part' }, by),
    ])
    const codes = outcomes.map(outcome => (outcome.status === 'rejected' ? outcome.reason.code : 'done'))
    expect(codes).toEqual([...Array.from({ length: 40 }, () => 'entity_invalid'), 'done'])
  })

  test('a credential is entered and taken out in the transaction of who issues it', async () => {
    const storage = await engine.open()
    const identity = testIdentity()
    const writer = testWriter(storage, identity)
    const [by, issuer] = parties as [string, string]
    const { entity } = await writer.create({ type: 'Part' }, { did: by })
    const entry = { did: entity.did, id: 'urn:uuid:1', type: 'CleanCookingCredential', issuer, by: issuer }
    const read = async () => (await provenEntity(storage, entity.did, identity.did!)).entity
    const rolledBack = storage.write(async tx => {
      await writer.addCredential(entry, tx)
      throw new Error('the issuer changed its mind')
    })
    await expect(rolledBack).rejects.toThrow('changed its mind')
    expect((await read()).version).toBe(1)
    await storage.write(tx => writer.addCredential(entry, tx))
    await storage.write(tx => writer.addCredential(entry, tx))
    const { id, type } = entry
    expect(await read()).toMatchObject({ version: 2, credentials: [{ id, type, issuer }] })
    await storage.write(tx => writer.addCredential({ ...entry, did: 'did:web:elsewhere.example' }, tx))
    await Promise.all([
      storage.write(tx => writer.removeCredential({ did: entity.did, id, by: issuer }, tx)),
      writer.update(entity.did, { properties: { a: 1 } }, { did: by }, 'any'),
      storage.write(tx => writer.addCredential({ ...entry, id: 'urn:uuid:2' }, tx)),
    ])
    const after = await read()
    expect(after).toMatchObject({ version: 5, properties: { a: 1 }, credentials: [{ id: 'urn:uuid:2' }] })
  })

  test('an entity that moves to another version of its protocol keeps its claims and any number of edges', async () => {
    const storage = await engine.open()
    const writer = testWriter(storage)
    const edges = createEdgeStore(storage)
    const by = { did: parties[0]! }
    const { entity: protocol } = await writer.create({ type: 'Protocol', relationships: { near: 'any' } }, by)
    const { entity: meter } = await writer.create({ type: 'Meter', protocol: protocol.did }, by)
    const { id: from } = meter
    await writer.update(protocol.did, { properties: { fuel: 'string' } }, by, 1)
    await writer.update(protocol.did, { relationships: { near: 'Organisation' } }, by, 2)
    const near = Array.from({ length: 1_001 }, (_, index) => ({ from, relationship: 'near', to: `urn:near:${index}` }))
    const claim = { from, relationship: 'produces', to: 'urn:uuid:1' }
    await storage.write(tx => edges.insert([...near, claim], 1, tx))
    const moved = await writer.update(meter.did, { protocolVersion: 2 }, by, 1)
    expect(moved.entity.protocol).toEqual({ did: protocol.did, version: 2 })
    await expect(writer.update(meter.did, { protocolVersion: 3 }, by, 2)).rejects.toMatchObject({
      issues: [{ path: '/relationships/near', code: 'too_many' }],
    })
  })
})

const twoWriters = async (
  engine: TestEngine,
  identity = testIdentity(),
): Promise<[EntityWriter, EntityWriter, EntitiesStorage]> => {
  const url = await engine.emptyDatabase()
  const first = await engine.open({ url })
  const second = engine.name === 'postgres' ? await engine.open({ url }) : first
  return [testWriter(first, identity), testWriter(second, identity), first]
}

const groupsOf = async (storage: EntitiesStorage, organisationId: string): Promise<readonly string[]> => {
  const ids = await activeGroupsOf(storage.read, organisationId)
  return [...(await findEntities(storage.read, ids)).values()].map(({ did }) => did)
}

const hasCircle = ({ entities }: EntityModel): boolean => {
  let left = entities.map(({ did, parts }) => ({ did, parts: [...parts] }))
  for (;;) {
    const ends = new Set(left.filter(({ parts }) => parts.length === 0).map(({ did }) => did))
    if (ends.size === 0) return left.length > 0
    left = left
      .filter(({ did }) => !ends.has(did))
      .map(({ did, parts }) => ({ did, parts: parts.filter(part => !ends.has(part)) }))
  }
}

import { toJson } from '@sibyl/plugin/storage'
import { openStorage } from '@sibyl/storage'
import { expect, test } from 'vitest'
import { entitiesMigrations } from '../storage/entities-migrations.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { testIdentity, testWriter } from '../writing/test-writer.test.helper.ts'
import { documentProjection, lastDocumentChanges } from './document-changes.ts'

const owner = { did: 'did:web:ada.example' }
const services = [{ id: '#readings', type: 'Telemetry', endpoint: 'https://a.example/' }]

await onEachEngine('changes of documents', ({ emptyDatabase, open }) => {
  test('each member has the last version that changed it', async () => {
    const storage = await open()
    const writer = testWriter(storage, testIdentity(), { projections: [documentProjection] })
    const { entity } = await writer.create({ type: 'Meter', services }, owner)
    await writer.update(entity.did, { properties: { n: 1 } }, owner, 1)
    await writer.update(entity.did, { services: null, alsoKnownAs: ['urn:a:1'] }, owner, 2)
    await writer.update(entity.did, { alsoKnownAs: null }, owner, 3)
    await writer.deactivate(entity.did, owner, 4)
    const at = (version: number) => lastDocumentChanges(storage.read, entity.id, version)
    const none = { controller: null, services: null, alsoKnownAs: null, status: null }
    expect(await at(2)).toEqual(none)
    expect(await at(3)).toEqual({ ...none, services: 3, alsoKnownAs: 3 })
    expect(await at(5)).toEqual({ ...none, services: 3, alsoKnownAs: 4, status: 5 })
  })

  test('a database from before has them from its events', async () => {
    const storage = (await openStorage({ url: await emptyDatabase() })).for<EntitiesTables>()
    try {
      const before = Object.fromEntries(Object.entries(entitiesMigrations).filter(([name]) => name < '0008'))
      await storage.migrate('entities', before)
      const fact = { entity_id: 'e', at: 1, by: owner.did, previous_hash: '', hash: '', signature: '', signer: '' }
      const changes = [
        ['created', { type: 'Meter', controller: owner.did, services }],
        ['updated', { properties: { controller: 'x' } }],
        ['updated', { controller: 'did:web:ben.example', services: null }],
        ['related', { relationships: { services: ['did:web:a.example'] } }],
        ['updated', { alsoKnownAs: [] }],
        ['deactivated', {}],
        ['credential-removed', { id: 'urn:uuid:1' }],
      ] as const
      const rows = changes.map(([kind, change], index) => ({
        ...fact,
        kind,
        version: index + 1,
        change: toJson(change as never),
      }))
      await storage.write(tx => tx.insertInto('entities_events').values(rows).execute())
      await storage.migrate('entities', entitiesMigrations)
      expect(await lastDocumentChanges(storage.read, 'e', 7)).toEqual({
        controller: 3,
        services: 3,
        alsoKnownAs: 5,
        status: 6,
      })
    } finally {
      await storage.close()
    }
  })
})

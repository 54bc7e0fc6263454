import { expect, test } from 'vitest'
import { onEachEngine } from '../storage/on-each-engine.test.helper.ts'
import { testIdentity, testWriter } from '../writing/test-writer.test.helper.ts'
import { documentProjection, lastDocumentChanges } from './document-changes.ts'

const owner = { did: 'did:web:ada.example' }
const services = [{ id: '#readings', type: 'Telemetry', endpoint: 'https://a.example/' }]

await onEachEngine('changes of documents', ({ open }) => {
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
})

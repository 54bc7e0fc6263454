import { definePlugin } from '@sibyl/plugin'
import { expect, test } from 'vitest'
import { entities } from '../entities.ts'
import type { EntitiesStorage, EntitiesTables } from '../storage/entities-tables.ts'
import { ada, bootEntities, keys } from '../writing/entity-routes.test.helper.ts'

type Oracle = Awaited<ReturnType<typeof bootEntities>>

const resolve = async ({ app }: Oracle, did: string, options: Record<string, string> = {}) => {
  const response = await app.request(`/1.0/identifiers/${did}?${new URLSearchParams(options)}`)
  return { status: response.status, body: await response.json() }
}

const failed = (status: number, error: string) => ({
  status,
  body: { didDocument: null, didResolutionMetadata: { error: { type: `https://www.w3.org/ns/did#${error}` } } },
})

const service = (name: string) => ({ id: `#${name}`, type: 'Telemetry', endpoint: `https://${name}.example/` })

test('the document of an entity in the past, by version and by time', async () => {
  let now = Date.parse('2026-11-21T09:30:00.250Z')
  await using oracle = await bootEntities({ clock: { now: () => now } })
  const { did } = (await oracle.create({ type: 'Device', services: [service('old')] })).body
  now += 60_000
  await oracle.patch(did, 1, { services: [service('new')], controller: ada })
  now += 60_000
  await oracle.deactivate(did, 2, keys.ada)
  const first = {
    status: 200,
    body: {
      didDocument: { id: did, service: [{ id: `${did}#old` }], verificationMethod: [{}] },
      didDocumentMetadata: {
        created: '2026-11-21T09:30:00Z',
        versionId: '1',
        nextVersionId: '2',
        nextUpdate: '2026-11-21T09:31:00Z',
      },
    },
  }
  const second = {
    status: 200,
    body: {
      didDocument: { controller: ada, service: [{ id: `${did}#new` }] },
      didDocumentMetadata: { updated: '2026-11-21T09:31:00Z', versionId: '2', nextVersionId: '3' },
    },
  }
  expect(await resolve(oracle, did, { versionId: '1' })).toMatchObject(first)
  expect(await resolve(oracle, did, { versionTime: '2026-11-21T09:30:00Z' })).toMatchObject(first)
  expect(await resolve(oracle, did, { versionTime: '2026-11-21T10:30:59+01:00' })).toMatchObject(first)
  expect(await resolve(oracle, did, { versionId: '2' })).toMatchObject(second)
  expect(await resolve(oracle, did, { versionTime: '2026-11-21T09:31:00Z' })).toMatchObject(second)
  expect(await resolve(oracle, did, { versionId: '3' })).toEqual(await resolve(oracle, did))
  expect(await resolve(oracle, did, { versionTime: '2031-01-01T00:00:00Z' })).toEqual(await resolve(oracle, did))
  expect(await resolve(oracle, did, { versionTime: '2026-11-21T09:30:00.249Z' })).toMatchObject(
    failed(404, 'NOT_FOUND'),
  )
  expect(await resolve(oracle, did, { versionId: '4' })).toMatchObject(failed(404, 'NOT_FOUND'))
})

test('a document of the past is made of the changes that say so, and no other is read', async () => {
  let storage: EntitiesStorage | undefined
  const neighbour = definePlugin<never, EntitiesTables>({
    name: 'neighbour',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Neighbour', summary: 'Writes many changes.', whenToUse: ['never'] },
    requires: ['entities'],
    setup(host) {
      storage = host.storage
      return {}
    },
  })
  await using oracle = await bootEntities({ plugins: [entities(), neighbour] })
  const { did } = (await oracle.create({ type: 'Device', services: [service('old')], alsoKnownAs: ['urn:a:1'] })).body
  await oracle.patch(did, 1, { services: [service('new')] })
  const entity_id = did.slice(-26)
  // Whatever reads one of these fails at it.
  const fact = { entity_id, kind: 'updated' as const, at: Date.now(), by: ada, change: '{' as never }
  const rest = { previous_hash: '', hash: '', signature: '', signer: '' }
  const rows = Array.from({ length: 2_000 }, (_, index) => ({ ...fact, ...rest, version: index + 3 }))
  await storage!.write(async tx => {
    for (let from = 0; from < rows.length; from += 500) {
      await tx
        .insertInto('entities_events')
        .values(rows.slice(from, from + 500))
        .execute()
    }
    await tx
      .updateTable('entities_entities')
      .set({ version: 2_002, updated_at: fact.at })
      .where('id', '=', entity_id)
      .execute()
  })
  const last = await resolve(oracle, did, { versionId: '2001' })
  expect(last).toMatchObject({
    status: 200,
    body: {
      didDocument: { service: [{ id: `${did}#new` }], alsoKnownAs: ['urn:a:1'] },
      didDocumentMetadata: { versionId: '2001', nextVersionId: '2002' },
    },
  })
  expect(await resolve(oracle, did, { versionTime: '2100-01-01T00:00:00Z' })).toMatchObject({
    status: 200,
    body: { didDocument: { service: [{ id: `${did}#new` }] }, didDocumentMetadata: { versionId: '2002' } },
  })
  expect(await resolve(oracle, did, { versionId: '1' })).toMatchObject({
    body: { didDocument: { service: [{ id: `${did}#old` }] } },
  })
})

test('an unavailable result is rejected in the form of the standard', async () => {
  await using oracle = await bootEntities()
  const { did } = (await oracle.create({ type: 'Device' })).body
  for (const options of [
    { versionId: '0' },
    { versionId: '1.0' },
    { versionId: '' },
    { versionId: '9999999999' },
    { versionTime: 'yesterday' },
    { versionId: '1', versionTime: '2026-11-21T09:30:00Z' },
  ]) {
    expect(await resolve(oracle, did, options as never)).toMatchObject(failed(400, 'INVALID_OPTIONS'))
  }
  const other = { versionId: '1' }
  expect(await resolve(oracle, `${did}x`, other)).toMatchObject(failed(404, 'NOT_FOUND'))
  expect(await resolve(oracle, oracle.app.identity.publicDid, other)).toMatchObject(
    failed(501, 'FEATURE_NOT_SUPPORTED'),
  )
  expect(await resolve(oracle, oracle.app.identity.did!, other)).toMatchObject(failed(501, 'FEATURE_NOT_SUPPORTED'))
})

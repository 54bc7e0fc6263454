import { definePlugin, type Host } from '@sibyl/plugin'
import { didResolver, type ServiceOf } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entities } from '../entities.ts'
import type { StoredEntity } from '../records/stored-entity.ts'
import type { EntitiesTables } from '../storage/entities-tables.ts'
import { saveEntities } from '../storage/entity-rows.ts'
import type { DidResolution } from './did-resolution.ts'

const publicDid = 'did:web:localhost%3A3000'
const owner = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
const id = '01jd3v7q5k7rm0x2p9e8w4n6ts'
const did = `${publicDid}:entities:${id}`
const gone = `${publicDid}:entities:01jd3v7q5k7rm0x2p9e8w4n6tt`
const elsewhere = `${publicDid}:entities:01jd3v7q5k7rm0x2p9e8w4n6tv`

const stored = (changes: Partial<StoredEntity> = {}): StoredEntity => ({
  id: (changes.did ?? did).slice(-26),
  did,
  type: 'Device',
  domainClass: 'Physical Twins',
  controller: owner,
  status: 'active',
  properties: {},
  services: [{ id: '#readings', type: 'Telemetry', endpoint: 'https://stove.example.org/readings' }],
  credentials: [],
  alsoKnownAs: ['did:ixo:entity:1', 'not a URI'],
  version: 3,
  createdAt: Date.UTC(2026, 10, 21, 9, 30, 0, 250),
  updatedAt: Date.UTC(2026, 10, 22),
  hash: 'ab',
  ...changes,
})

let oracle: Awaited<ReturnType<typeof testApp>>
let service: ServiceOf<typeof didResolver>

beforeAll(async () => {
  let host: Host<unknown, EntitiesTables> | undefined
  const neighbour = definePlugin<never, EntitiesTables>({
    name: 'neighbour',
    version: '1.0.0',
    core: '^0.1.0',
    manifest: { title: 'Neighbour', summary: 'Asks for the resolver.', whenToUse: ['never'] },
    requires: ['entities'],
    setup(given) {
      host = given
      return {}
    },
  })
  oracle = await testApp({ plugins: [entities(), neighbour] })
  service = host!.service(didResolver)
  const others = [
    stored({ did: gone, status: 'deactivated', version: 4 }),
    stored({ did: elsewhere, controller: publicDid, services: [], alsoKnownAs: [], version: 1 }),
  ]
  await host!.storage.write(tx => saveEntities(tx, [stored(), ...others]))
})

afterAll(() => oracle[Symbol.asyncDispose]())

const get = (path: string, accept?: string) =>
  oracle.app.request(`http://localhost:3000${path}`, accept === undefined ? {} : { headers: { accept } })

const resolve = async (text: string, accept = 'application/did-resolution') => {
  const response = await get(`/1.0/identifiers/${text}`, accept)
  return { status: response.status, type: response.headers.get('content-type'), body: (await response.json()) as never }
}

const failed = (error: string) => ({
  didDocument: null,
  didResolutionMetadata: {
    error: { type: `https://www.w3.org/ns/did#${error}`, title: expect.any(String), detail: expect.any(String) },
  },
  didDocumentMetadata: {},
})

describe('GET /1.0/identifiers/:did', () => {
  test('an entity has its controller, its key and its services as whole ids', async () => {
    const key = owner.slice('did:key:'.length)
    expect(await resolve(did)).toEqual({
      status: 200,
      type: 'application/did-resolution',
      body: {
        didDocument: {
          '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
          id: did,
          controller: owner,
          alsoKnownAs: ['did:ixo:entity:1'],
          verificationMethod: [{ id: `${did}#${key}`, type: 'Multikey', controller: owner, publicKeyMultibase: key }],
          authentication: [`${did}#${key}`],
          assertionMethod: [`${did}#${key}`],
          capabilityInvocation: [`${did}#${key}`],
          service: [
            { id: `${did}#readings`, type: 'Telemetry', serviceEndpoint: 'https://stove.example.org/readings' },
          ],
        },
        didResolutionMetadata: { contentType: 'application/did' },
        didDocumentMetadata: { created: '2026-11-21T09:30:00Z', updated: '2026-11-22T00:00:00Z', versionId: '3' },
      },
    })
  })

  test('an entity of the oracle has the key of the oracle, which is named as its controller', async () => {
    const { body } = await resolve(elsewhere)
    expect(body).toMatchObject({
      didDocument: {
        id: elsewhere,
        controller: publicDid,
        verificationMethod: [
          { controller: publicDid, publicKeyMultibase: oracle.app.identity.did!.slice('did:key:'.length) },
        ],
      },
    })
    expect(body).not.toHaveProperty('didDocument.service')
    expect(body).not.toHaveProperty('didDocumentMetadata.updated')
  })

  test.each([
    ['as it is', did],
    ['encoded once', encodeURIComponent(did)],
    ['encoded twice', encodeURIComponent(encodeURIComponent(did))],
    ['with its percent encoded alone', did.replaceAll('%', '%25')],
    ['with its percent in lower case', did.replace('%3A', '%3a')],
  ])('a DID arrives %s', async (_, text) => {
    expect(await resolve(text)).toMatchObject({ status: 200, body: { didDocument: { id: did } } })
  })

  test('the oracle itself, as at its own address', async () => {
    const { body } = await resolve(publicDid)
    expect(body).toMatchObject({ didDocument: await (await get('/.well-known/did.json')).json() })
  })

  test('any did:key', async () => {
    const { status, body } = await resolve(owner)
    expect(status).toBe(200)
    expect(body).toMatchObject({ didDocument: { id: owner, verificationMethod: [{ type: 'Multikey' }] } })
  })

  test.each([
    ['not-a-did', 400, 'INVALID_DID'],
    ['did:example', 400, 'INVALID_DID'],
    ['did:web:', 400, 'INVALID_DID'],
    ['did:web:a:', 400, 'INVALID_DID'],
    ['DID:web:a', 400, 'INVALID_DID'],
    ['did:web:%zz', 400, 'INVALID_DID'],
    ['%ff', 400, 'INVALID_DID'],
    [`did:web:${'a'.repeat(600)}`, 400, 'INVALID_DID'],
    [`${did}/path`, 400, 'INVALID_DID'],
    [`${did}%23key`, 400, 'INVALID_DID'],
    [`${did}%3Fservice=readings`, 400, 'INVALID_DID'],
    ['did:key:z6MkInvalid', 400, 'INVALID_DID'],
    ['did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc', 501, 'FEATURE_NOT_SUPPORTED'],
    [`did:key:zgghBUVkqmWS8e1ioRVp2WN9Vw6x4NvnE9${'G'.repeat(700)}`, 501, 'FEATURE_NOT_SUPPORTED'],
    [`did:key:z6Mk${'G'.repeat(700)}`, 400, 'INVALID_DID'],
    [`did:key:z${'G'.repeat(2_000)}`, 400, 'INVALID_DID'],
    ['did:unsupported:123', 501, 'METHOD_NOT_SUPPORTED'],
    ['did:ixo:entity:1', 501, 'METHOD_NOT_SUPPORTED'],
    ['did:web:example.org', 501, 'FEATURE_NOT_SUPPORTED'],
    [`did:web:example.org:entities:${id}`, 501, 'FEATURE_NOT_SUPPORTED'],
    [`${publicDid}:entities:01jd3v7q5k7rm0x2p9e8w4n6tz`, 404, 'NOT_FOUND'],
    [`${publicDid}:somewhere`, 404, 'NOT_FOUND'],
    [`${did}?expandRelativeUrls=true`, 200, undefined],
    [`${did}?service=readings`, 501, 'FEATURE_NOT_SUPPORTED'],
  ])('%s is answered with %i %s', async (text, status, error) => {
    const answer = await resolve(text)
    expect(answer.status).toBe(status)
    if (error) expect(answer.body).toEqual(failed(error))
  })

  test('a deactivated DID is 410, with its metadata and without a document', async () => {
    for (const accept of ['application/did-resolution', 'application/did']) {
      expect(await resolve(gone, accept)).toEqual({
        status: 410,
        type: 'application/did-resolution',
        body: {
          didDocument: null,
          didResolutionMetadata: {},
          didDocumentMetadata: {
            created: '2026-11-21T09:30:00Z',
            updated: '2026-11-22T00:00:00Z',
            versionId: '4',
            deactivated: true,
          },
        },
      })
    }
  })

  test.each([
    [undefined, 'application/did-resolution', 'didDocument'],
    ['*/*', 'application/did-resolution', 'didDocument'],
    ['application/did', 'application/did', 'id'],
    ['application/did+json', 'application/did+json', 'id'],
    ['application/did+ld+json', 'application/did+ld+json', 'id'],
    ['application/ld+json', 'application/did+ld+json', 'id'],
    [
      'application/ld+json;profile="https://w3id.org/did-resolution"',
      'application/ld+json;profile="https://w3id.org/did-resolution"',
      'didDocument',
    ],
    ['application/json', 'application/json', 'didDocument'],
    ['text/html, application/did;q=0.5, application/did-resolution;q=0.2', 'application/did', 'id'],
    ['application/did;q=0, application/did+json', 'application/did+json', 'id'],
  ])('who accepts %s gets %s', async (accept, type, member) => {
    const response = await get(`/1.0/identifiers/${did}`, accept)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('vary')?.toLowerCase()).toContain('accept')
    expect(await response.json()).toHaveProperty(member)
  })

  test.each([
    'text/html',
    'constructor',
    '__proto__',
    'application/did;q=0',
    `text/${'x'.repeat(5_000)}, application/did`,
  ])('accepting only %.20s… gets 406', async accept => {
    expect(await resolve(did, accept)).toMatchObject({
      status: 406,
      type: 'application/did-resolution',
      body: failed('REPRESENTATION_NOT_SUPPORTED'),
    })
  })
})

describe('GET /entities/:id/did.json', () => {
  const problem = (code: string) => expect.objectContaining({ code })

  test('is the document, where did:web looks for it', async () => {
    const response = await get(`/entities/${id}/did.json`)
    expect(response.headers.get('content-type')).toBe('application/did+json')
    expect(await response.json()).toMatchObject({ id: did, controller: owner })
  })

  test.each([
    [gone.slice(-26), 410, 'did_deactivated'],
    ['01jd3v7q5k7rm0x2p9e8w4n6tz', 404, 'entity_not_found'],
    ['..%2f..', 404, 'entity_not_found'],
  ])('%s is answered with %i %s', async (text, status, code) => {
    const response = await get(`/entities/${text}/did.json`)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual(problem(code))
  })
})

describe('the service for other plugins', () => {
  test('resolves the same, without HTTP', async () => {
    const { didDocument }: DidResolution = await service.resolve(did)
    expect(didDocument).toEqual((await resolve(did, 'application/did')).body)
    expect(await service.resolve('nonsense')).toEqual(failed('INVALID_DID'))
    expect(await service.resolve(did.replaceAll('%3A', ':'))).toEqual(failed('FEATURE_NOT_SUPPORTED'))
  })
})

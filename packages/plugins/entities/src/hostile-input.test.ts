import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootEntities } from './writing/entity-routes.test.helper.ts'

let oracle: Awaited<ReturnType<typeof bootEntities>>
beforeAll(async () => {
  oracle = await bootEntities()
})
afterAll(() => oracle[Symbol.asyncDispose]())

const pathOf = (did: string, rest = '') => `/v1/entities/${encodeURIComponent(did)}${rest}`

test('relationships may have the names that objects have members of', async () => {
  const names = ['constructor', 'toString', 'hasOwnProperty']
  const relationships = Object.fromEntries(names.map(name => [name, 'any']))
  const protocol = (await oracle.create({ type: 'Protocol', relationships })).body.did
  const target = (await oracle.create({ type: 'Device' })).body.did
  const { did } = (await oracle.create({ type: 'Device', protocol })).body
  const empty = await oracle.patch(did, 1, { relationships: { hasOwnProperty: null } })
  expect([empty.status, empty.body.version]).toEqual([200, 1])
  expect((await oracle.patch(did, 1, { relationships: { constructor: target } })).status).toBe(200)
  expect((await oracle.relate(did, 'toString', [target])).status).toBe(200)
  expect((await oracle.unrelate(did, 'toString', target)).status).toBe(200)
  const now = await oracle.send('GET', pathOf(did))
  expect(now.body.relationships).toEqual({ constructor: [target] })
  expect((await oracle.send('GET', pathOf(did, '?at=2999-01-01T00:00:00Z'))).body).toEqual(now.body)
})

test('values that no database can store are rejected, or not found', async () => {
  const { did } = (await oracle.create({ type: 'Device' })).body
  const target = `\0${did}`
  const webhook = (url: string) => oracle.send('POST', '/v1/webhooks', { body: { url } })
  const answers = await Promise.all([
    oracle.unrelate(did, 'partOf', target),
    oracle.relate(did, 'partOf', [target]),
    oracle.send('GET', '/entities/%00/did.json'),
    oracle.send('GET', `/entities/%00${did.slice(-26)}/did.json`),
    oracle.send('DELETE', '/v1/webhooks/%00'),
    webhook('http://8.8.8.8/\0'),
    webhook('http://8.8.8.8/\ud800'),
  ])
  expect(answers.map(({ body }) => body.code)).toEqual([
    'input_invalid',
    'input_invalid',
    'entity_not_found',
    'entity_not_found',
    'webhook_not_found',
    'input_invalid',
    'input_invalid',
  ])
})

test('a DID in another form is the same target', async () => {
  const target = (await oracle.create({ type: 'Device' })).body.did
  const other = target.replace('%3A', ':')
  const created = await oracle.create({ type: 'Device', relationships: { partOf: [target, other] } })
  expect(created.body.relationships).toEqual({ partOf: [target] })
  const { did } = created.body
  expect((await oracle.relate(did, 'partOf', [other])).body.version).toBe(1)
  expect((await oracle.patch(did, 1, { relationships: { partOf: [other, target] } })).body.version).toBe(1)
  expect((await oracle.unrelate(did, 'partOf', other)).body.relationships).toEqual({})
})

test('the DID of the oracle in another form is the oracle', async () => {
  const own = (await oracle.create({ type: 'Device' })).body.controller
  const created = (await oracle.create({ type: 'Device', controller: own.replace('%3A', '%3a') })).body
  expect(created.controller).toBe(own)
  expect((await oracle.patch(created.did, 1, { controller: 'did:web:' })).status).toBe(400)
  expect((await oracle.patch(created.did, 1, { properties: { a: 1 } })).status).toBe(200)
})

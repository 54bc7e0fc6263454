import { createSigningKey } from '@sibyl/identity/browser'
import { entities } from '@sibyl/plugin-entities'
import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HttpRegistry } from './http-registry.ts'

const apiKey = 'a-key-that-may-do-all'
const readingKey = 'a-key-that-may-only-read'

let oracle: Awaited<ReturnType<typeof testApp>>
let url: string
beforeAll(async () => {
  const env = { ENTITIES_API_KEYS: `all:${apiKey},reader:${readingKey}:read` }
  oracle = await testApp({ plugins: [entities()], env: { ...env, PORT: '0' } })
  url = (await oracle.app.listen({ host: '127.0.0.1', port: 0 })).url
})
afterAll(() => oracle.app.close())

test('an entity is registered, read, changed and taken out of use', async () => {
  const registry = new HttpRegistry({ url, apiKey })
  const made = await registry.create({ type: 'CookStove', properties: { serial: 'A-17', fuel: 'wood' } })
  expect(made.entity).toMatchObject({ type: 'CookStove', domainClass: 'Physical Twins', version: 1, status: 'active' })
  expect(made.entity.controller).toBe(oracle.app.identity.publicDid)
  expect(await registry.get(made.entity.did)).toEqual(made)
  const changed = await registry.update(made.entity.did, { properties: { fuel: null, serial: 'A-18' } }, made.etag)
  expect(changed.entity.properties).toEqual({ serial: 'A-18' })
  await expect(registry.update(made.entity.did, { properties: {} }, made.etag)).rejects.toMatchObject({
    code: 'etag_stale',
    status: 412,
  })
  const ended = await registry.deactivate(made.entity.did, changed.etag)
  expect(ended.entity).toMatchObject({ status: 'deactivated', version: 3 })
  expect(await registry.get(made.entity.did)).toEqual(ended)
  const others = ['zzz', 'yyy'].map(end => made.entity.did.slice(0, -3) + end)
  const [other = ''] = others.filter(one => one !== made.entity.did)
  expect(await registry.get(other)).toBeUndefined()
})

test('a creation whose answer is lost is one entity', async () => {
  let lost = 0
  const registry = new HttpRegistry({
    url,
    apiKey,
    repeat: { firstDelayMs: 1, maxDelayMs: 1 },
    async fetch(input, init) {
      const answer = await fetch(input, init)
      if (lost === 2) return answer
      lost += 1
      await answer.body?.cancel()
      throw new TypeError('the connection broke')
    },
  })
  const { entity } = await registry.create({ type: 'LostStove', properties: { serial: 'B-1' } })
  expect(lost).toBe(2)
  const headers = { authorization: `Bearer ${apiKey}` }
  const list = await (await fetch(`${url}/v1/entities?type=LostStove`, { headers })).json()
  expect(list.entities).toEqual([entity])
})

test('rejects the same key with another body', async () => {
  const registry = new HttpRegistry({ url, apiKey })
  const options = { idempotencyKey: 'stove C-1' }
  const first = await registry.create({ type: 'CookStove', properties: { serial: 'C-1' } }, options)
  expect(await registry.create({ type: 'CookStove', properties: { serial: 'C-1' } }, options)).toEqual(first)
  await expect(registry.create({ type: 'CookStove' }, options)).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
})

test('the signer, and no one else, controls what they register', async () => {
  const signer = createSigningKey()
  const own = new HttpRegistry({ url, signer })
  const { entity, etag } = await own.create({ type: 'CookStove' })
  expect(entity.controller).toBe(signer.did)
  const other = new HttpRegistry({ url, signer: createSigningKey() })
  expect((await other.get(entity.did))?.etag).toBe(etag)
  const changing = other.update(entity.did, { properties: { serial: 'mine' } }, etag)
  await expect(changing).rejects.toMatchObject({ code: 'not_controller', status: 403 })
  expect((await own.deactivate(entity.did, etag)).entity.status).toBe('deactivated')
})

test('reports all problems of an entity with their paths', async () => {
  const registry = new HttpRegistry({ url, apiKey })
  const { entity: protocol } = await registry.create({
    type: 'Protocol',
    properties: { serial: { type: 'string', required: true }, watts: 'number' },
  })
  const error = await registry
    .create({ type: 'CookStove', protocol: protocol.did, properties: { watts: 'many' } })
    .catch(reason => reason)
  expect(error).toMatchObject({ code: 'entity_invalid', status: 422 })
  const paths = error.problem.issues.map((issue: { path: string }) => issue.path)
  expect(paths.toSorted()).toEqual(['/properties/serial', '/properties/watts'])
})

test('reports a read-only key, and an unknown one', async () => {
  await expect(new HttpRegistry({ url, apiKey: readingKey }).create({ type: 'CookStove' })).rejects.toMatchObject({
    code: 'scope_missing',
  })
  const unknown = new HttpRegistry({ url, apiKey: () => 'a-key-that-nobody-knows' })
  await expect(unknown.create({ type: 'CookStove' })).rejects.toMatchObject({ status: 401 })
})

test('sends a key only to the expected oracle', async () => {
  const asked: string[] = []
  const expecting = (expectedDid: string) =>
    new HttpRegistry({
      url,
      apiKey,
      expectedDid,
      fetch(input, init) {
        asked.push(`${String(input).slice(url.length)} ${new Headers(init?.headers).get('authorization')}`)
        return fetch(input, init)
      },
    })
  const elsewhere = expecting('did:web:elsewhere.example')
  await expect(elsewhere.create({ type: 'CookStove' })).rejects.toMatchObject({ code: 'oracle_mismatch' })
  expect(asked).toEqual(['/.well-known/oracle.json null'])
  await expecting(oracle.app.identity.did ?? '').create({ type: 'CookStove' })
  expect(asked.at(-1)).toBe(`/v1/entities Bearer ${apiKey}`)
})

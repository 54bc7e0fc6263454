import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entities } from '../entities.ts'
import { startGraphqlIndex } from './start-graphql-index.test.support.ts'

let server: Awaited<ReturnType<typeof startGraphqlIndex>>
beforeAll(async () => {
  server = await startGraphqlIndex()
})
afterAll(() => {
  server.stop()
})

const all = 'a-key-that-may-do-all-01'
const writes = 'a-key-that-writes-alone1'

const boot = async (env: Record<string, string> = {}) => {
  const keys = `all:${all},writes:${writes}:write`
  const { app } = await testApp({ plugins: [entities()], env: { ENTITIES_API_KEYS: keys, ...env } })
  const send = async (path: string, { key = all, ...init }: RequestInit & { key?: string } = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers }
    const response = await app.request(path, { ...init, headers })
    return { status: response.status, body: await response.json() }
  }
  return {
    app,
    send,
    create: async (body: object): Promise<string> =>
      (await send('/v1/entities', { method: 'POST', body: JSON.stringify(body) })).body.did,
    search: (query: Record<string, string>, key?: string) =>
      send(`/v1/search?${new URLSearchParams(query)}`, key === undefined ? {} : { key }),
    [Symbol.asyncDispose]: () => app.close(),
  }
}

test('finds what was just written, and no longer what is out of use', async () => {
  await using oracle = await boot()
  const protocol = await oracle.create({ type: 'Protocol', properties: { name: 'string', fuel: 'string' } })
  const stove = await oracle.create({ type: 'CookStove', protocol, properties: { name: 'ACE One', fuel: 'pellets' } })
  const kiosk = await oracle.create({ type: 'Kiosk', properties: { sells: 'pellets and ACE One spare parts' } })

  const { status, body } = await oracle.search({ q: 'ace one' })
  expect(status).toBe(200)
  expect(body.hits).toMatchObject([
    { source: 'local', did: stove, type: 'CookStove', excerpt: 'name: ACE One', entity: { did: stove, protocol } },
    { source: 'local', did: kiosk, type: 'Kiosk', excerpt: 'sells: pellets and ACE One spare parts' },
  ])
  expect(body).not.toHaveProperty('incomplete')
  expect((await oracle.search({ q: 'pellet', type: 'cook stoves' })).body.hits).toMatchObject([{ did: stove }])
  expect((await oracle.search({ protocol })).body.hits).toMatchObject([{ did: stove }])
  expect((await oracle.search({ q: 'pellet', limit: '1' })).body.hits).toHaveLength(1)
  expect((await oracle.search({})).body).toEqual({ hits: [] })

  const path = `/v1/entities/${encodeURIComponent(kiosk)}`
  expect((await oracle.send(path, { method: 'DELETE', headers: { 'if-match': '"1"' } })).status).toBe(200)
  expect((await oracle.search({ q: 'spare parts' })).body).toEqual({ hits: [] })
})

test('is for those who may read', async () => {
  await using oracle = await boot()
  expect((await oracle.app.request('/v1/search?q=x')).status).toBe(401)
  expect(await oracle.search({ q: 'x' }, writes)).toMatchObject({ status: 403, body: { code: 'scope_missing' } })
})

test('rejects invalid searches', async () => {
  await using oracle = await boot()
  const refused: Record<string, string>[] = [
    { limit: '0' },
    { limit: '101' },
    { limit: 'many' },
    { protocol: 'ixo' },
    { type: '' },
  ]
  for (const query of refused)
    expect(await oracle.search({ q: 'x', ...query }), JSON.stringify(query)).toMatchObject({
      status: 400,
      body: { code: 'input_invalid' },
    })
})

test('results of a remote index come last, marked with its host', async () => {
  await using oracle = await boot({ DOMAIN_INDEXER_URL: `${server.url}/good` })
  const own = await oracle.create({ type: 'CookStove', properties: { name: 'Jikokoa Classic' } })
  const found = async (query: Record<string, string>) =>
    (await oracle.search(query)).body.hits.map(({ source, did }: { source: string; did: string }) => [source, did])
  const [first, second, third] = [
    'did:ixo:entity:abc123',
    'did:web:other.example:entities:stove',
    'did:ixo:entity:long',
  ]
  expect(await found({ q: 'jikokoa' })).toEqual([
    ['local', own],
    [server.host, first],
    [server.host, second],
    [server.host, third],
  ])
  expect(await found({ q: 'jikokoa', limit: '2' })).toEqual([
    ['local', own],
    [server.host, first],
  ])
  expect(await found({ q: 'jikokoa', type: 'Kiosk' })).toEqual([[server.host, third]])
  expect(await found({ q: 'jikokoa', protocol: 'did:ixo:entity:protocol9' })).toEqual([[server.host, second]])
})

test('a remote index that is down is reported, and removes no results', async () => {
  await using oracle = await boot({ DOMAIN_INDEXER_URL: 'http://127.0.0.1:1/graphql' })
  const own = await oracle.create({ type: 'CookStove', properties: { name: 'Jikokoa Classic' } })
  expect((await oracle.search({ q: 'jikokoa' })).body).toMatchObject({
    hits: [{ source: 'local', did: own }],
    incomplete: 'The index at 127.0.0.1:1 could not be reached; the results are entities of this oracle only.',
  })
})

test.each(['ftp://indexer.example', 'indexer.example', 'https://ada:secret@indexer.example/graphql'])(
  'does not boot with the index %s',
  async url => {
    await expect(boot({ DOMAIN_INDEXER_URL: url })).rejects.toThrow(
      "Plugin 'entities' env validation failed for 'DOMAIN_INDEXER_URL'",
    )
  },
)

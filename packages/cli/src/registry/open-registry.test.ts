import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSigningKey } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { person } from './registry-project.test.helper.ts'

/** Serves one response for any request. */
const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const { did } = createSigningKey()
const record = {
  name: 'Registry\u001b[31m',
  version: '1',
  did,
  publicDid: 'did:web:registry.example',
  authentication: ['ucan'],
  access: 'open',
  endpoints: {},
}

/** Starts a registry that identifies itself, and then behaves differently. */
const serveRegistry = (answer: (request: IncomingMessage, response: ServerResponse) => unknown) =>
  serve((request, response) =>
    request.url === '/.well-known/oracle.json' ? response.end(JSON.stringify(record)) : answer(request, response),
  )

const create = (url: string) =>
  person({ REGISTRY_URL: url }).sibyl(['create-entity', '--type', 'CookStove', '--idempotency-key', 'k'])

test('reports a server that is not a registry in a sentence, with exit code 4', async () => {
  const endless = 'x'.repeat(200_000)
  const answers: [(response: ServerResponse) => unknown, string][] = [
    [response => response.end('hello'), 'is not a registry (no description of an oracle)'],
    [response => response.end('{"did":7}'), 'is not a registry (no description of an oracle)'],
    [response => response.end(endless), 'is not a registry (more than 100000 bytes)'],
    [response => response.writeHead(404).end(), 'is not a registry (HTTP 404)'],
    [response => response.writeHead(302, { location: 'http://127.0.0.1:1' }).end(), 'is not a registry (HTTP 302)'],
    [response => response.destroy(), 'No registry responds at '],
    [
      response => response.end(JSON.stringify({ ...record, did: undefined })),
      'has no signing key and cannot register entities.',
    ],
    [
      response => response.end(JSON.stringify({ ...record, did: 'did:key:z\r\nx: y' })),
      'is not a registry (its DID is invalid)',
    ],
  ]
  for (const [answer, words] of answers) {
    const { code, text, errors } = await create(await serve((_, response) => answer(response)))
    expect([code, text, errors]).toEqual([4, '', expect.stringContaining(words)])
    expect(errors.split('\n')).toHaveLength(3)
  }
})

test('an oracle without entities is not a registry', async () => {
  const { app } = await testApp({ plugins: [] })
  onTestFinished(() => app.close())
  const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
  const { code, errors } = await create(url)
  expect([code, errors]).toEqual([4, expect.stringContaining(`${url} is an oracle without entities.`)])
})

test('rejects invalid responses: of the wrong shape, too long, or with control characters', async () => {
  const json = { 'content-type': 'application/json' }
  const answers: [(response: ServerResponse) => unknown, number, string][] = [
    [response => response.writeHead(201, json).end('{}'), 4, 'is not a registry: '],
    [response => response.writeHead(201, json).end('<html>'), 4, 'is not a registry: '],
    [
      response => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      4,
      'it redirects to http://127.0.0.1:1/',
    ],
    [
      response => response.writeHead(201, json).end(`"${'x'.repeat(4_500_000)}"`),
      4,
      'is longer than the limit of 4000000 characters',
    ],
    [
      response =>
        response.writeHead(422, json).end(
          JSON.stringify({
            type: 'x',
            title: 'x',
            status: 422,
            code: 'entity_invalid',
            issues: Array.from({ length: 100 }, () => ({ path: '/a\u001b[2J', message: 'b\n'.repeat(200) })),
          }),
        ),
      1,
      '/  And 50 more.',
    ],
    [
      response =>
        response.writeHead(403, json).end('{"type":"x","title":"No\\u001b[2J","status":403,"code":"not_here"}'),
      1,
      'rejects the request: No[2J. (not_here)',
    ],
  ]
  for (const [answer, exit, words] of answers) {
    const { code, text, errors } = await create(await serveRegistry((_, response) => answer(response)))
    expect([code, text, errors]).toEqual([exit, '', expect.stringContaining(words)])
    expect(errors).not.toContain('\u001b')
    expect(errors.length).toBeLessThan(40_000)
  }
})

const entityOf = (controller: string, type = 'CookStove') => ({
  did: 'did:web:mine.example',
  type,
  controller,
  domainClass: 'Physical Twins',
  status: 'active',
  properties: {},
  services: [],
  relationships: {},
  verifiableCredential: [],
  alsoKnownAs: [],
  version: 1,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
})

test('no text of an entity can inject terminal sequences or fill the screen', async () => {
  const entity = entityOf('did:key:z\u001b[2J', `A${'x'.repeat(100_000)}`)
  const url = await serveRegistry((_, response) => response.setHeader('etag', '"1"').end(JSON.stringify(entity)))
  const { sibyl } = person({ REGISTRY_URL: url })
  for (const call of [
    ['create-entity', '--type=A'],
    ['update-entity', entity.did, '--set=a=b'],
  ]) {
    const { text, errors } = await sibyl(call)
    expect(text + errors).toContain('did:key:z[2J')
    expect(text + errors).not.toContain('\u001b')
    expect((text + errors).length).toBeLessThan(2_000)
  }
})

test('ignores an entity that was not requested', async () => {
  const entity = { ...entityOf(did), did: 'did:web:other.example' }
  const url = await serveRegistry((_, response) => response.setHeader('etag', '"1"').end(JSON.stringify(entity)))
  const { code, errors } = await person({ REGISTRY_URL: url }).sibyl([
    'update-entity',
    'did:web:mine.example',
    '--set=a=b',
  ])
  expect([code, errors]).toEqual([4, expect.stringContaining('returned another entity than the requested one.')])
})

test('retries when a registry crashes meanwhile, and shows how to continue', async () => {
  const url = await serveRegistry((_, response) => response.destroy())
  const { code, errors } = await create(url)
  expect([code, errors.split('\n')]).toEqual([
    4,
    [
      expect.stringMatching(`^sibyl: No response from the registry at ${url}: .+\\.$`),
      '       To continue without registering twice: sibyl create-entity --type=CookStove --idempotency-key=k',
      '',
    ],
  ])
})

import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildSchema, graphql } from 'graphql'

/**
 * A GraphQL server as a process of its own, on loopback: prints its URL, serves until it is ended. The path chooses how it
 * behaves, and `/requests` tells how many requests came to each path.
 */

// The schema that the README asks of an index.
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const schema = buildSchema(/```graphql\n(type Query[^`]*)```/.exec(readme)?.[1] ?? '')

const entities = [
  { did: 'did:ixo:entity:abc123', type: 'CookStove', protocol: null, excerpt: 'name: Jikokoa of another oracle' },
  {
    did: 'did:web:other.example:entities:stove',
    type: 'CookStove',
    protocol: 'did:ixo:entity:protocol9',
    excerpt: null,
  },
  { did: 'not a did', type: 'CookStove', protocol: null, excerpt: 'name: Jikokoa that is no entity' },
  { did: 'did:ixo:entity:long', type: 'Kiosk', protocol: null, excerpt: `Jikokoa\u0007\u202e ${'x'.repeat(5_000)}` },
]

const rootValue = {
  search: ({ q, first }: { q: string; first: number }) =>
    q.toLowerCase().includes('jikokoa') ? entities.slice(0, first) : [],
}

const answers: Readonly<Record<string, (response: ServerResponse, body: string) => void | Promise<void>>> = {
  '/good': async (response, body) => {
    const { query, variables } = JSON.parse(body)
    response.setHeader('content-type', 'application/graphql-response+json')
    response.end(JSON.stringify(await graphql({ schema, source: query, rootValue, variableValues: variables })))
  },
  '/slow': () => {},
  '/drip': response => {
    response.write('{"data": {"search": [')
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/error': response => void response.writeHead(500).end('secret-upstream-text'),
  '/flaky': async (response, body) => {
    if ((requests.get('/flaky') ?? 0) % 2 === 1) response.socket?.destroy()
    else await answers['/good']?.(response, body)
  },
  '/refused': async response => {
    const other = await graphql({ schema, source: '{ somethingElse }', rootValue })
    response.end(JSON.stringify({ errors: other.errors }))
  },
  '/garbage': response => void response.end('<html>secret-upstream-text</html>'),
  '/empty': response => void response.end(),
  '/other': response => void response.end('{"data":{"search":"none"}}'),
  '/huge': response => void response.end(`{"data":{"search":["${'x'.repeat(1_000_000)}"]}}`),
  '/redirect': response => void response.writeHead(307, { location: '/good' }).end(),
}

const requests = new Map<string, number>()

const server = createServer(async (request, response) => {
  const path = request.url ?? ''
  if (path === '/requests') return void response.end(JSON.stringify(Object.fromEntries(requests)))
  requests.set(path, (requests.get(path) ?? 0) + 1)
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  await answers[path]?.(response, Buffer.concat(chunks).toString('utf8'))
})

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

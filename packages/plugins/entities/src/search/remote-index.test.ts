import { readFileSync } from 'node:fs'
import { parse, print } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteIndex, remoteSearchQuery } from './remote-index.ts'
import { startGraphqlIndex } from './start-graphql-index.test.support.ts'

let server: Awaited<ReturnType<typeof startGraphqlIndex>>
beforeAll(async () => {
  server = await startGraphqlIndex()
})
afterAll(() => {
  server.stop()
})

const warnings: unknown[] = []
const log = { warn: (message: string, fields?: object) => void warnings.push([message, fields]) }
let now = 0
const clock = { now: () => now }
const index = (path: string, timeLimitMs = 3_000) =>
  createRemoteIndex({ url: `${server.url}${path}`, log, clock, timeLimitMs })

test('entities of another index come marked by its host, checked and cut', async () => {
  const source = server.host
  const { hits, incomplete } = await index('/good').search('jikokoa', 10)
  expect(incomplete).toBeUndefined()
  expect(hits).toEqual([
    { source, did: 'did:ixo:entity:abc123', type: 'CookStove', excerpt: 'name: Jikokoa of another oracle' },
    { source, did: 'did:web:other.example:entities:stove', type: 'CookStove', protocol: 'did:ixo:entity:protocol9' },
    { source, did: 'did:ixo:entity:long', type: 'Kiosk', excerpt: expect.stringMatching(/^Jikokoa x{192}$/) },
  ])
})

test('it gets the requested number, and may return none', async () => {
  expect((await index('/good').search('jikokoa', 1)).hits).toHaveLength(1)
  expect(await index('/good').search('"; } drop', 10)).toEqual({ hits: [] })
  expect(await index('/good').search('\ud800'.repeat(9_000), 10)).toEqual({ hits: [] })
})

test.each([
  ['/error', 'failed', 2],
  ['/refused', 'refused the query', 1],
  ['/garbage', 'gave an answer of another form', 1],
  ['/empty', 'gave an answer of another form', 1],
  ['/other', 'gave an answer of another form', 1],
  ['/huge', 'gave an answer of another form', 1],
  ['/redirect', 'refused the query', 1],
])('an index at %s %s, and is asked %d times', async (path, reason, times) => {
  const answer = await index(path).search('jikokoa', 10)
  expect(answer).toEqual({
    hits: [],
    incomplete: `The index at ${server.host} ${reason}; the results are entities of this oracle only.`,
  })
  expect(await server.requestsTo(path)).toBe(times)
  expect(JSON.stringify(warnings)).not.toContain('secret-upstream-text')
})

test('an aborted request is retried once', async () => {
  expect((await index('/flaky').search('jikokoa', 10)).hits).toHaveLength(3)
})

test.each(['/slow', '/drip'])('one that takes longer than its time at %s is left', async path => {
  expect((await index(path, 200).search('jikokoa', 10)).incomplete).toContain('took too long')
})

test('one that is not there is said to be so', async () => {
  const anonymous = createRemoteIndex({ url: 'http://127.0.0.1:1/graphql', log, clock })
  expect((await anonymous.search('jikokoa', 10)).incomplete).toContain('127.0.0.1:1 could not be reached')
})

test('an unavailable one is not called for ten seconds', async () => {
  const failing = index('/error')
  const asked = async () => {
    const times = await server.requestsTo('/error')
    expect((await failing.search('jikokoa', 10)).incomplete).toContain('failed')
    return (await server.requestsTo('/error')) - times
  }
  expect(await asked()).toBe(2)
  now += 9_999
  expect(await asked()).toBe(0)
  now += 1
  expect(await asked()).toBe(2)
})

test('the README shows the query that is sent', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const shown = /```graphql\n(query[^`]*)```/.exec(readme)?.[1] ?? ''
  expect(print(parse(shown))).toBe(print(parse(remoteSearchQuery)))
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { RecordedSession } from './recorded-session.ts'
import { replaySession } from './replay-session.ts'

const recording = (reply: unknown, contentType = 'application/json'): RecordedSession => ({
  provider: 'acme',
  source: 'https://acme.example/ussd',
  made: 'after documentation',
  exchanges: [
    {
      does: 'dials',
      request: {
        method: 'POST',
        path: '/ussd/{session}',
        headers: { 'Content-Type': 'application/json' },
        body: { id: '{session}' },
      },
      reply: { status: 200, contentType, body: reply as string },
    },
  ],
})

const answering = (body: string, type = 'application/json; charset=utf-8', status = 200) => ({
  request: () => new Response(body, { status, headers: { 'content-type': type } }),
})

test('the same reply is not a difference', async () => {
  expect(await replaySession(answering('{"show":"Hi","more":true}'), recording({ more: true, show: 'Hi' }))).toEqual([])
})

test.each([
  ['CON Welcome\n1. Go', 'CON …\n1. Go'],
  ['CON Welcome', 'CON Welcome…'],
  ['CON a b a b', 'CON …b…'],
  ['', '…'],
])('%j is %j', async (found, expected) => {
  expect(await replaySession(answering(found, 'text/plain'), recording(expected, 'text/plain'))).toEqual([])
})

test.each([
  ['CON Welcome', 'END …'],
  ['CON Welcome', 'CON …!'],
  ['aba', 'ab…ba'],
  ['CON b', 'CON …b…b'],
  ['Welcome', ''],
])('%j is not %j', async (found, expected) => {
  expect(await replaySession(answering(found, 'text/plain'), recording(expected, 'text/plain'))).toEqual([
    { exchange: '1: dials', what: 'body', expected, found },
  ])
})

test('reports every difference with its path', async () => {
  const found = answering('{"show":{"text":"Bye"},"extra":1}', 'application/problem+json', 400)
  expect(await replaySession(found, recording({ show: { text: 'Hi' }, more: false }))).toEqual([
    { exchange: '1: dials', what: 'status', expected: 200, found: 400 },
    { exchange: '1: dials', what: 'contentType', expected: 'application/json', found: 'application/problem+json' },
    { exchange: '1: dials', what: 'body.show.text', expected: 'Hi', found: 'Bye' },
    { exchange: '1: dials', what: 'body.more', expected: false, found: undefined },
    { exchange: '1: dials', what: 'body.extra', expected: undefined, found: 1 },
  ])
})

test('invalid JSON, and a list instead of an object, are differences', async () => {
  expect(await replaySession(answering('{'), recording({ a: 1 }))).toHaveLength(1)
  expect(await replaySession(answering('[1]'), recording({ '0': 1 }))).toHaveLength(1)
  expect(await replaySession(answering('{}'), recording({ constructor: '…' }))).toHaveLength(1)
})

test('calls an oracle by its URL, with a new session for each replay', async () => {
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push(`${request.url} ${Buffer.concat(chunks)}`)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await replaySession(url, recording({}))
  await replaySession(new URL(url), recording({}))
  await replaySession(url, recording({}), { sessionId: 's1' })
  server.close()
  expect(seen[2]).toBe('/ussd/s1 {"id":"s1"}')
  expect(seen[0]).toMatch(/^\/ussd\/[0-9a-f]{32} /)
  expect(new Set(seen).size).toBe(3)
})

test('encodes forms, sends texts unchanged, and waits in between', async () => {
  const bodies: string[] = []
  const pauses: number[] = []
  const target = {
    async request(path: string, init: RequestInit = {}) {
      bodies.push(`${init.method} ${path} ${init.body ?? ''}`)
      return new Response('OK', { headers: { 'content-type': 'text/plain' } })
    },
  }
  const reply = { status: 200, contentType: 'text/plain', body: 'OK' }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const differences = await replaySession(
    target,
    {
      provider: 'acme',
      source: 'made up',
      made: 'after documentation',
      exchanges: [
        { does: 'a form', request: { method: 'POST', path: '/', headers, body: { from: '+1', text: '1*2' } }, reply },
        { does: 'a text', afterMs: 70, request: { method: 'PUT', path: '/', headers, body: 'from=+1' }, reply },
        { does: 'a query', request: { method: 'GET', path: '/', query: { from: '+1' } }, reply },
      ],
    },
    { pause: ms => void pauses.push(ms) },
  )
  expect(differences).toEqual([])
  expect(bodies).toEqual(['POST / from=%2B1&text=1*2', 'PUT / from=+1', 'GET /?from=%2B1 '])
  expect(pauses).toEqual([70])
})

test.each([undefined, null, 'x', {}, { ...recording('x'), exchanges: [] }, { ...recording('x'), made: 'up' }])(
  '%j is not a recording',
  async given => {
    await expect(replaySession(answering(''), given)).rejects.toThrow()
  },
)

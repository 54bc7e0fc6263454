import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { createSigningKey } from '@sibyl/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Phone } from './phone.test.helper.ts'
import { proofOf } from './request-guard.ts'
import { signingAssets } from './signing-assets.ts'
import { pageHeaders } from './signing-page.ts'
import { proofHeader, type SigningFacts } from './signing-protocol.ts'
import { type OpenedPort, openPort } from './signing-server.ts'
import { SigningSession } from './signing-session.ts'

const secret = 'abcdefghijklmnopqrstuv'
const device = '0'.repeat(32)

let opened: OpenedPort
let facts: SigningFacts
let session: SigningSession
const happened: string[] = []

beforeAll(async () => {
  opened = await openPort('127.0.0.1', 0)
  facts = {
    id: 'AAAAAAAAAAA',
    challenge: '0'.repeat(32),
    origin: `http://127.0.0.1:${opened.port}`,
    audience: createSigningKey().did,
    registry: { title: 'a registry', did: createSigningKey().did },
    abilities: ['entities/*'],
    from: 1_000_000,
    until: 1_043_200,
  }
  session = new SigningSession(facts, async () => 'not in this test', {
    opened: () => happened.push('opened'),
    turnedAway: () => happened.push('turned away'),
    keyNamed: () => happened.push('key named'),
  })
  const assets = signingAssets()
  opened.serve({ session, secret, assets: () => assets, secondsLeft: () => 300 })
})
afterAll(() => opened.close())

interface Sent {
  method?: string
  path?: string
  headers?: Record<string, string | string[]>
  body?: string
}

/** Sends a raw request, as no browser would. */
const send = ({ method = 'GET', path = `/${facts.id}`, headers = {}, body = '' }: Sent) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: opened.port, method, path, headers }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })

/** Sends a request of the page, with changes. */
const post = (name: string, value: unknown, headers: Record<string, string> = {}, key = secret) => {
  const path = `/${facts.id}/${name}`
  const body = typeof value === 'string' ? value : JSON.stringify(value)
  const { origin } = facts
  const proof = proofOf(key, { direction: 'request', origin, path }, body)
  const usual = { origin, 'content-type': 'application/json', [proofHeader]: proof }
  return send({ method: 'POST', path, body, headers: { ...usual, ...headers } })
}

/** Writes bytes and returns the response until the server closes the connection. */
const talk = async (text: string): Promise<string> => {
  const socket = connect(opened.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  let answer = ''
  socket.setEncoding('latin1').on('data', chunk => {
    answer += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'close')
  return answer
}

test('the page and its files may load nothing else, and are not cached', async () => {
  const page = await send({})
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  expect(page.headers).not.toHaveProperty('access-control-allow-origin')
  expect(page.text).not.toMatch(/ style=| on[a-z]+=|<style|<script[^>]*>[^<]|https?:|\/\//)
  expect([...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address)).toEqual([
    'data:,',
    '/style.css',
    '/page.js',
  ])
  for (const [file, type] of [
    ['style.css', 'text/css; charset=utf-8'],
    ['page.js', 'text/javascript; charset=utf-8'],
  ]) {
    const plain = await send({ path: `/${file}` })
    expect([plain.status, plain.headers['content-type']]).toEqual([200, type])
    expect(plain.headers).toMatchObject(Object.fromEntries(Object.entries(pageHeaders)))
    const zipped = await send({ path: `/${file}`, headers: { 'accept-encoding': 'gzip' } })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(Number(zipped.headers['content-length'])).toBeLessThan(plain.text.length)
  }
})

test('the page contains nothing of the request, and opening it does not claim it', async () => {
  const { text } = await send({})
  expect(text).not.toContain('did:key')
  expect(text).not.toContain('registry')
  expect(happened).toEqual([])
  expect(session.isOpened).toBe(false)
})

test.each([
  '/',
  '/AAAAAAAAAAB',
  '/AAAAAAAAAA',
  '/AAAAAAAAAAA/',
  '/AAAAAAAAAAA/page.js',
  '/page.ts',
  '/../package.json',
  '/AAAAAAAAAAA/../AAAAAAAAAAA',
  '/page.js%00',
  '/AAAAAAAAAAA?x',
  '/favicon.ico',
  '/__proto__',
])('there is nothing at %s', async path => {
  const { status, text } = await send({ path })
  expect(status).toBe(404)
  expect(text).toContain('Nothing to sign here')
})

test.each(['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'])('%s is rejected', async method => {
  expect(await send({ method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
})

test('HEAD is GET without the page', async () => {
  expect(await send({ method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
})

test.each(['evil.example', 'evil.example:4180', 'localhost', '127.0.0.1', '127.0.0.1:1', '[::1]:4180'])(
  'serves nothing under the name %j, which prevents DNS rebinding',
  async host => {
    expect(await send({ headers: { host } })).toMatchObject({ status: 421 })
  },
)

test('it is served under one name', async () => {
  const host = `host: 127.0.0.1:${opened.port}\r\n`
  const names = ['', 'host:\r\n', `${host}host: evil.example\r\n`, `host: evil.example\r\n${host}`, host + host]
  for (const name of names) {
    expect(await talk(`GET /${facts.id} HTTP/1.1\r\n${name}\r\n`)).toMatch(/^HTTP\/1\.1 4(00|21) /)
  }
  expect(await talk(`GET /${facts.id} HTTP/1.1\r\n${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
})

test.each<[string, Record<string, string>, number]>([
  ['another origin', { origin: 'http://evil.example' }, 403],
  ['the origin of an opaque page', { origin: 'null' }, 403],
  ['a form', { 'content-type': 'text/plain' }, 415],
  ['another form of JSON', { 'content-type': 'application/json; charset=utf-8' }, 415],
  ['no proof', { [proofHeader]: '' }, 403],
  ['a short proof', { [proofHeader]: '00' }, 403],
  ['an invalid proof', { [proofHeader]: 'é'.repeat(64) }, 403],
])('rejects a post with %s', async (_, headers, status) => {
  expect((await post('claim', { device }, headers)).status).toBe(status)
  expect(session.isOpened).toBe(false)
})

test('a proof is bound to its path, its body and its secret', async () => {
  expect(await post('claim', { device }, {}, 'another-secret-of-22-c')).toMatchObject({ status: 403 })
  const path = `/${facts.id}/refuse`
  const proof = proofOf(secret, { direction: 'request', origin: facts.origin, path }, JSON.stringify({ device }))
  expect(await post('claim', { device }, { [proofHeader]: proof })).toMatchObject({ status: 403 })
  expect(await post('refuse', { device: '1'.repeat(32) }, { [proofHeader]: proof })).toMatchObject({ status: 403 })
  const answerProof = proofOf(secret, { direction: 'answer', origin: facts.origin, path }, JSON.stringify({ device }))
  expect(await post('refuse', { device }, { [proofHeader]: answerProof })).toMatchObject({ status: 403 })
})

test.each([
  ['no JSON', 'claim', '{'],
  ['a list', 'claim', []],
  ['no device', 'claim', {}],
  ['an invalid device', 'claim', { device: 'x' }],
  ['too much', 'claim', { device, more: 1 }],
  ['a prototype', 'claim', `{"device":"${device}","__proto__":{}}`],
  ['no key', 'key', { device, did: 'did:web:example.org' }],
  ['a long delegation', 'sign', { device, delegation: 'x'.repeat(8_193), signature: '0'.repeat(128) }],
  ['no signature', 'sign', { device, delegation: 'x', signature: '' }],
])('%s is invalid input', async (_, name, body) => {
  expect(await post(name, body)).toMatchObject({ status: 400 })
  expect(session.isOpened).toBe(false)
})

test.each(['nothing', '__proto__', 'constructor', 'toString', ''])('there is no route %j', async name => {
  expect(await post(name, { device })).toMatchObject({ status: 404 })
})

test('reads a body up to 16 kB, with or without a length', async () => {
  expect(await post('claim', 'x'.repeat(20_000))).toMatchObject({ status: 413 })
  const head = `POST /${facts.id}/claim HTTP/1.1\r\nhost: 127.0.0.1:${opened.port}\r\norigin: ${facts.origin}\r\ncontent-type: application/json\r\n`
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
  expect(await talk(`${head}transfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`)).toMatch(/^HTTP\/1\.1 413 /)
})

test('reads headers up to 8 kB', async () => {
  const answer = await talk(`GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 431 /)
})

test.each(['\x16\x03\x01\x02\x00', 'SSH-2.0-x\r\n', 'GET\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n'])(
  'rejects what is not HTTP: %j',
  async bytes => {
    expect(await talk(`${bytes}\r\n\r\n`)).toMatch(/^$|^HTTP\/1\.1 400 /)
  },
)

test('one address has a limited number of connections, and new ones are accepted when those end', async () => {
  const sockets = Array.from({ length: 24 }, () => connect(opened.port, '127.0.0.1').on('error', () => {}))
  const closed = sockets.map(socket => new Promise(resolve => socket.once('close', resolve)))
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nx: ')
  await Promise.race(closed)
  for (const socket of sockets) socket.destroy()
  await Promise.all(closed)
  await expect.poll(() => send({}).catch(() => undefined)).toMatchObject({ status: 200 })
})

test('responses prove that they come from the computer with the code', async () => {
  const link = new URL(`${facts.origin}/${facts.id}#${secret}`)
  const phone = new Phone(link)
  expect((await phone.computer.claim()).facts).toEqual(facts)
  expect(happened).toEqual(['opened'])
  const stranger = new Phone(new URL(`${facts.origin}/${facts.id}#another-secret-of-22-c`))
  await expect(stranger.computer.claim()).rejects.toMatchObject({ code: 'offline' })
  expect(await post('watch', { device: '1'.repeat(32) })).toMatchObject({ status: 409 })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { OraclePlugin } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})

/** Starts an oracle behind a real socket, with a caller. */
const served = async (steps: readonly ScriptedStep[] = ['fine'], plugins: readonly OraclePlugin[] = []) => {
  const logger = recordedLogger()
  const oracle = await testApp({ plugins, model: scriptedModel(steps), logger })
  const { port, url } = await oracle.app.listen({ port: 0, host: '127.0.0.1' })
  const base = url.replace('localhost', '127.0.0.1')
  const target = {
    request: (path: string, init?: RequestInit) => fetch(base + path, init),
    identity: oracle.app.identity,
  }
  return { oracle, port, base, actor: testActor(target), logger, [Symbol.asyncDispose]: () => oracle.app.close() }
}

/** Sends a request with a raw path. */
const raw = (
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const sending = request(
      { host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers: options.headers ?? {} },
      answer => {
        let text = ''
        answer.setEncoding('utf8').on('data', chunk => (text += chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
      },
    )
    sending.on('error', reject).end(options.body)
  })

/** Writes bytes to a socket and reads until it is closed, or until the response matches. */
const wire = async (port: number, bytes: string, until: RegExp): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  let text = ''
  for await (const chunk of socket) {
    text += String(chunk)
    if (until.test(text)) break
  }
  socket.destroy()
  return text
}

const internals = /node_modules|\bat .+:\d+|\.ts:/

describe('on a real socket', () => {
  test('a request without a body needs no content type, with or without a length', async () => {
    await using app = await served()
    const content = await app.actor.request('/auth/token', { method: 'POST' })
    expect([content.status, Object.keys(await content.json())]).toEqual([200, expect.arrayContaining(['token'])])
    const head = `POST /auth/token HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${await app.actor.token()}\r\n`
    expect(await wire(app.port, `${head}connection: close\r\n\r\n`, /never/)).toMatch(/^HTTP\/1.1 200 /)
    const token = await app.actor.token()
    const typeless = `POST /auth/token HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 2\r\n`
    expect(await wire(app.port, `${typeless}connection: close\r\n\r\n{}`, /never/)).toMatch(/^HTTP\/1.1 415 /)
  })

  test('another encoding of a public path does not open a protected one', async () => {
    await using app = await served()
    const paths = [
      '/health/../sessions',
      '/health/%2e%2e/sessions',
      '/health%2f..%2fsessions',
      '//sessions',
      '/sessions/',
      '/Sessions',
      '/health;/sessions',
      '/%73essions',
      '/./sessions',
      '/sessions?x=/health',
      '/sessions%00',
      '/health/..%2f..%2fsessions',
      '/sessions#/health',
      'http://127.0.0.1/sessions',
      '*',
      '/\\sessions',
    ]
    for (const path of paths) {
      const { status, text } = await raw(app.port, path)
      expect([400, 401, 404], `${path} ${text}`).toContain(status)
      expect(text).not.toMatch(internals)
    }
  })

  test('garbage, a huge header and an invalid host are rejected, and the next request is answered', async () => {
    await using app = await served()
    expect(await wire(app.port, 'hello\r\n\r\n', /400/)).toMatch(/^HTTP\/1\.1 400/)
    const huge = `GET / HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(100_000)}\r\n\r\n`
    expect(await wire(app.port, huge, /431/)).toMatch(/^HTTP\/1\.1 431/)
    for (const host of ['a b', 'x\\y', '', '[', 'a@b', '/etc']) {
      const { status, text } = await raw(app.port, '/', { headers: { host } })
      expect(status, host).toBe(host === '' ? 200 : 400)
      expect(text).not.toMatch(internals)
    }
    const twice =
      'POST /chat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    expect(await wire(app.port, twice, /400/)).toMatch(/^HTTP\/1\.1 400/)
    expect((await fetch(`${app.base}/health`)).status).toBe(200)
  })

  test('a Host that is neither localhost nor the host of PUBLIC_URL is misdirected, on every route', async () => {
    await using oracle = await testApp({ plugins: [], env: { PUBLIC_URL: 'https://oracle.example.org/agent' } })
    const { port } = await oracle.app.listen({ port: 0, host: '127.0.0.1' })
    const asked = async (path: string, host: string) => (await raw(port, path, { headers: { host } })).status
    expect(await asked('/health', 'oracle.example.org')).toBe(200)
    expect(await asked('/health', `localhost:${port}`)).toBe(200)
    for (const path of ['/', '/health', '/.well-known/oracle.json', '/sessions', '/no/such']) {
      expect(await asked(path, `evil.example:${port}`), path).toBe(421)
    }
  })

  test('rejects 10 MB with and without a length with 413', async () => {
    await using app = await served()
    const large = JSON.stringify({ message: 'x'.repeat(10_000_000) })
    const answer = await app.actor.request('/chat', {
      method: 'POST',
      body: large,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, (await answer.json()).code]).toEqual([413, 'body_too_large'])
    const body = new Blob([large]).stream()
    const chunked = await app.actor.request('/chat', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
      duplex: 'half',
    } as RequestInit)
    expect([chunked.status, (await chunked.json()).code]).toEqual([413, 'body_too_large'])
    expect((await fetch(`${app.base}/health`)).status).toBe(200)
  })

  test('a body that is shorter than declared affects no other request', async () => {
    await using app = await served()
    const token = await app.actor.token()
    const socket = connect(app.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /chat HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"message":`,
    )
    socket.end()
    await once(socket.resume(), 'close')
    expect((await fetch(`${app.base}/health`)).status).toBe(200)
    expect(app.logger.lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(await (await app.actor.request('/sessions')).json()).toEqual({ sessions: [] })
  })
})

describe('a stream on a real socket', () => {
  test('has the headers of a stream and of every response', async () => {
    await using app = await served()
    const answer = await app.actor.request('/chat', { json: { message: 'hi' }, headers: { 'x-request-id': 'abc' } })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'abc',
    })
    expect((await readStream(answer)).text).toBe('fine')
  })

  test('HEAD does not follow the turn', async () => {
    await using app = await served([['a', { wait: never }], 'b'])
    const reader = await streamReader(app.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
    await reader.until('text-delta')
    const head = await app.actor.request('/chat/s1/stream', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    await reader.leave()
  })

  test('a reader that drops the connection stops counting; the turn continues', async () => {
    const gate = Promise.withResolvers<void>()
    await using app = await served([['a', { wait: gate.promise }, 'b'], 'c'])
    const reader = await streamReader(app.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
    const { eventId } = await reader.until('text-delta')
    await reader.leave()
    gate.resolve()
    const rest = await readStream(await app.actor.request('/chat/s1/stream', { headers: { 'last-event-id': eventId } }))
    expect([rest.text, rest.last?.type]).toEqual(['b', 'finish'])
  })

  test('a reader that drops the connection before the first byte does not count', async () => {
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
    const before = async () => {
      asked.resolve()
      return gate.promise
    }
    await using app = await served([['a', { wait: never }], 'b'], [officePlugin({ turn: { before } })])
    const controller = new AbortController()
    const { signal } = controller
    const first = app.actor.request('/chat', { json: { id: 's1', message: 'hi' }, signal })
    await asked.promise
    controller.abort()
    await expect(first).rejects.toThrow()
    // A request on its own connection arrives after the drop was detected.
    await fetch(`${app.base}/health`).then(answer => answer.text())
    gate.resolve(undefined)
    const isRunning = async () => (await (await app.actor.request('/sessions/s1')).json()).messages?.length > 0
    await expect.poll(isRunning).toBe(true)
    const next = await app.actor.request('/chat', { json: { id: 's1', message: 'anew' } })
    expect((await readStream(next)).text).toBe('b')
  })

  test('a slow reader gets every event of a long answer', async () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `word-${index}`).join(' ')
    await using app = await served([words])
    const answer = await app.actor.request('/chat', { json: { id: 's1', message: 'hi' } })
    for (let ended = false; !ended; ) {
      ended = (await (await app.actor.request('/sessions/s1')).json()).runningTurn === undefined
    }
    expect((await readStream(answer)).text).toBe(words)
  })
})

test('reports a port in use, and can listen on another', async () => {
  await using app = await served()
  await using other = await testApp({ plugins: [] })
  await expect(other.app.listen({ port: app.port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'port_in_use',
    message: expect.stringContaining(String(app.port)),
  })
  await expect(other.app.listen({ port: 0, host: '203.0.113.1' })).rejects.toMatchObject({ code: 'listen_failed' })
  const { url } = await other.app.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

test('close ends streams with a final event and closes idle connections immediately', async () => {
  const app = await served([['a', { wait: never }]])
  await fetch(`${app.base}/health`).then(answer => answer.text())
  const reader = await streamReader(app.actor.request('/chat', { json: { message: 'hi' } }))
  await reader.until('text-delta')
  const closed = app.oracle.app.close()
  expect((await reader.rest()).last).toMatchObject({ type: 'error', code: 'turn_interrupted' })
  await closed
  await expect(fetch(`${app.base}/health`)).rejects.toThrow()
})

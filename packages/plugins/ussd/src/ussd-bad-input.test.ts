import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as readText } from 'node:stream/consumers'
import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledProviders } from './providers/bundled-providers.ts'
import { sendUssd, type UssdDialogue } from './testing/send-ussd.ts'
import { ussd } from './ussd.ts'

const invalid = 'END Invalid input. Please try again.'

let folder: string
let oracle: Awaited<ReturnType<typeof testApp>>
let port: number
let open: UssdDialogue

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sibyl-ussd-bad-'))
  oracle = await testApp({
    plugins: [ussd()],
    env: {
      DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
      PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
      USSD_TRUSTED_GATEWAYS: '127.0.0.1',
      USSD_GATEWAY_RATE: '0',
      USSD_PHONE_RATE: '0',
      REQUEST_TIME_LIMIT_SECONDS: '3',
    },
  })
  ;({ port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 }))
  open = await (await sendUssd(`http://127.0.0.1:${port}`)).answer('1')
})

afterAll(async () => {
  await oracle.app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Returns every row of the plugin's tables, as another process reads them; counts are written some seconds later. */
const rows = (): string => {
  const database = new DatabaseSync(join(folder, 'sibyl.db'), { readOnly: true })
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name like 'ussd\\_%' escape '\\' and name <> 'ussd_flow_counts'",
    )
    .all()
  const all = tables.map(({ name }) => [name, database.prepare(`select * from "${name}"`).all()])
  database.close()
  return JSON.stringify(all, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** Sends raw bytes, and reads until the other side closes. */
const raw = async (...parts: readonly (string | Uint8Array)[]): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return readText(socket).catch(() => 'connection reset')
}

const head = (...headers: readonly string[]): string =>
  ['POST /api/ussd HTTP/1.1', 'host: localhost', 'connection: close', ...headers, '', ''].join('\r\n')

const body = (overrides: Record<string, unknown> = {}): string =>
  JSON.stringify({
    sessionId: open.sessionId,
    serviceCode: '*1234#',
    phoneNumber: '+260971234567',
    text: '1*1',
    ...overrides,
  })

test('an invalid request gets the specified text over the wire, and changes no row', async () => {
  const before = rows()
  expect(before).toContain('ussd_sessions')
  const broken = Buffer.from(body({ text: 'caf\u00e9' }), 'latin1')
  const answers: Record<string, string> = {
    'another media type': await raw(head('content-type: text/xml', `content-length: ${body().length}`), body()),
    'no media type': await raw(head(`content-length: ${body().length}`), body()),
    'no body': await raw(head('content-type: application/json', 'content-length: 0')),
    'bytes that are not UTF-8': await raw(
      head('content-type: application/json', `content-length: ${broken.length}`),
      broken,
    ),
    'half a JSON': await raw(head('content-type: application/json', 'content-length: 20'), body().slice(0, 20)),
    'compressed bytes': await raw(
      head('content-type: application/json', 'content-encoding: gzip', 'content-length: 4'),
      Buffer.from([0x1f, 0x8b, 8, 0]),
    ),
  }
  for (const [name, answer] of Object.entries(answers)) {
    expect([answer.split('\r\n', 1)[0], answer.split('\r\n\r\n')[1]], name).toEqual(['HTTP/1.1 200 OK', invalid])
  }
  expect(rows()).toBe(before)
})

test('a body of 10 MB is rejected, with its length and in chunks', async () => {
  const before = rows()
  const large = body({ text: 'x'.repeat(10_000_000) })
  for (const content of [large, new Blob([large]).stream()]) {
    const init = { method: 'POST', body: content, headers: { 'content-type': 'application/json' }, duplex: 'half' }
    const answer = await fetch(`http://127.0.0.1:${port}/api/ussd`, init as RequestInit)
    expect([answer.status, await answer.text()]).toEqual([200, invalid])
  }
  expect(rows()).toBe(before)
})

test('a slow or incomplete body is a 4xx and changes no row', async () => {
  const before = rows()
  const [slow, cut] = await Promise.all([
    raw(head('content-type: application/json', `content-length: ${body().length}`), body().slice(0, 30)),
    new Promise<string>(resolve => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(head('content-type: application/json', 'content-length: 500'))
        socket.write(body(), () => socket.destroy())
      })
      socket.once('close', () => resolve('gone'))
    }),
  ])
  expect(slow).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(cut).toBe('gone')
  const health = await fetch(`http://127.0.0.1:${port}/health`)
  expect(health.status).toBe(200)
  expect(rows()).toBe(before)
})

test('garbage at the routes of every provider is never a 5xx and changes no row', async () => {
  const before = rows()
  const invalid = [
    '',
    '{',
    '[]',
    'null',
    '{}',
    '"x"',
    '{"sessionId":{}}',
    'a=1&a=2',
    'x=%FF',
    '\u0000',
    '<xml/>',
    '{"__proto__":1}',
  ]
  for (const provider of bundledProviders()) {
    for (const { method, path, takes } of provider.routes) {
      const url = `http://127.0.0.1:${port}/api/ussd/${provider.name}${path.replace(/\{\w+\}/g, 'x')}`
      const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain']
      for (const content of invalid) {
        const answers =
          takes === 'query'
            ? [await fetch(`${url}?${content}`, { method })]
            : await Promise.all(
                types.map(type => fetch(url, { method, body: content, headers: { 'content-type': type } })),
              )
        for (const answer of answers) {
          expect(answer.status, `${method} ${url} ${content}`).toBeLessThan(500)
          await answer.text()
        }
      }
    }
  }
  expect(rows()).toBe(before)
})

test('the open session continues unaffected', async () => {
  const again = await open.repeat()
  expect(again.text).toBe(open.text)
  expect((await open.answer('2')).kind).toBe('CON')
})

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextLoop } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { maxHeaderBytes, type ServerLimits, serve, serverLimits } from './serve.ts'

const limits: ServerLimits = { ...serverLimits, requestMs: 60_000, maxConnections: 100, backlog: 511 }

/** Starts a server that echoes requests, and connections to it. */
const served = async (
  own: Partial<ServerLimits> = {},
  answer?: (request: Request) => Response | Promise<Response>,
  { host = '127.0.0.1', publicUrl }: { host?: string; publicUrl?: string } = {},
) => {
  const asked: string[] = []
  const respond = async (request: Request) => {
    const body = request.method === 'GET' ? '' : await request.text().catch(() => 'cut off')
    asked.push(`${request.method} ${new URL(request.url).pathname} ${body}`.trim())
    return new Response(`you asked ${asked.at(-1)}`)
  }
  const server = await serve(answer ?? respond, host, 0, { ...limits, ...own }, publicUrl)
  onTestFinished(async () => {
    const stopped = server.stop()
    server.cut()
    await stopped
  })
  const open = async (): Promise<Socket> => {
    const socket = connect(server.port, host === '0.0.0.0' ? '127.0.0.1' : host).on('error', () => {})
    await once(socket, 'connect')
    onTestFinished(() => void socket.destroy())
    return socket
  }
  /** Sends bytes and reads until the connection is closed. */
  const exchange = async (bytes: string): Promise<string> => {
    const socket = await open()
    socket.write(bytes)
    return readAll(socket)
  }
  return { server, open, exchange, asked }
}

const readAll = async (socket: Socket): Promise<string> => {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  return text
}

/** Parses the responses of a connection: status, headers, and JSON bodies. */
const answersOf = (text: string) =>
  text
    .split(/(?=HTTP\/1\.1 )/)
    .filter(part => part !== '')
    .map(part => {
      const [head = '', body = ''] = part.split('\r\n\r\n')
      const [line = '', ...lines] = head.split('\r\n')
      const headers = Object.fromEntries(lines.map(each => each.toLowerCase().split(/: (.*)/s)))
      return { status: Number(line.split(' ')[1]), headers, body, json: () => JSON.parse(body) }
    })

/** The most connections that the kernel lets wait. */
const kernelBacklog = (() => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
})()

test.runIf(kernelBacklog >= 1_000)('a thousand connections wait while the process is busy', async () => {
  const { server } = await served({ backlog: 4_096 })
  const dial = `let made = 0
    for (let count = 0; count < 1000; count++) {
      require('node:net').connect(${server.port}, '127.0.0.1')
        .on('connect', () => ++made === 1000 && process.exit(0))
        .on('error', () => process.exit(1))
    }`
  // It accepts none before the child has ended.
  expect(spawnSync(process.execPath, ['-e', dial]).status).toBe(0)
})

const close = 'Host: localhost\r\nConnection: close\r\n'

/** Expects one response: a problem with the code, an ID and all headers, and a closed connection. */
const expectRefusal = (text: string, status: number, code: string) => {
  const [answer, ...more] = answersOf(text)
  expect(more).toEqual([])
  expect([answer?.status, answer?.json().code]).toEqual([status, code])
  expect(answer?.headers).toMatchObject({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    'x-request-id': answer?.json().requestId,
    connection: 'close',
  })
}

const hostRefused = async (exchange: (bytes: string) => Promise<string>, host: string) => {
  const [answer] = answersOf(await exchange(`GET /private HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
  return answer?.status === 200 ? false : `${answer?.status} ${answer?.json().code}`
}

describe('on a loopback address', () => {
  test.each([
    ['127.0.0.1', undefined, 'localhost'],
    ['127.0.0.1', undefined, 'LocalHost:3000'],
    ['127.0.0.1', undefined, '127.0.0.1:9'],
    ['127.0.0.1', undefined, '[::1]:3000'],
    ['::1', undefined, '[::1]'],
    ['localhost', undefined, 'localhost:1'],
    ['127.0.0.2', undefined, '127.0.0.2:80'],
    ['127.0.0.1', 'https://Oracle.example.org/path', 'oracle.example.org'],
    ['127.0.0.1', 'https://oracle.example.org', 'ORACLE.example.org:8443'],
    ['127.0.0.1', 'http://[2001:db8::1]:3000', '[2001:db8::1]'],
  ])('with %s and PUBLIC_URL %s, a request for %s is answered', async (host, publicUrl, name) => {
    const { exchange } = await served({}, undefined, { host, ...(publicUrl === undefined ? {} : { publicUrl }) })
    expect(await hostRefused(exchange, name)).toBe(false)
  })

  test.each([
    'evil.example',
    'evil.example:80',
    'localhost.evil.example',
    'localhost.',
    'oracle.example.org.',
    'notoracle.example.org',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '127.1',
    '0.0.0.0',
    '0x7f000001',
    '[::]',
    '[::ffff:7f00:1]',
    '192.168.0.1',
  ])('a request for %s is misdirected, which prevents DNS rebinding', async name => {
    const { exchange, asked } = await served({}, undefined, { publicUrl: 'https://oracle.example.org' })
    expect(await hostRefused(exchange, name)).toBe('421 host_not_served')
    expect(asked).toEqual([])
  })

  test('a misdirected request gets a problem that names the setting', async () => {
    const { exchange } = await served()
    const text = await exchange('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n')
    expectRefusal(text, 421, 'host_not_served')
    expect(answersOf(text)[0]?.json().detail).toContain('PUBLIC_URL')
  })
})

test('on another address any host is accepted', async () => {
  const { exchange } = await served({}, undefined, { host: '0.0.0.0' })
  expect(await hostRefused(exchange, 'oracle.example.org')).toBe(false)
})

test('headers that arrive one byte at a time time out', async () => {
  const { open } = await served({ headersMs: 300 })
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n')
  const drip = setInterval(() => socket.write('a'), 20)
  onTestFinished(() => clearInterval(drip))
  expectRefusal(await readAll(socket), 408, 'request_timeout')
})

test('a connection without a request is closed', async () => {
  const { open } = await served({ headersMs: 300 })
  expectRefusal(await readAll(await open()), 408, 'request_timeout')
})

test('a body that arrives one byte at a time times out, and its handler gets an error', async () => {
  const reported = Promise.withResolvers<string>()
  const { open } = await served({ headersMs: 1_500, requestMs: 1_500 }, async request => {
    await request.text().catch(error => reported.resolve(error.message))
    return new Response('late')
  })
  const socket = await open()
  socket.write(`POST / HTTP/1.1\r\n${close}Content-Length: 1000\r\n\r\n`)
  const drip = setInterval(() => socket.write('a'), 20)
  onTestFinished(() => clearInterval(drip))
  expectRefusal(await readAll(socket), 408, 'request_timeout')
  expect(await reported.promise).toMatch(/closed|aborted/)
})

test('too many or too large headers', async () => {
  const { exchange, asked } = await served()
  const headers = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: b\r\n`).join('')
  expectRefusal(await exchange(`GET / HTTP/1.1\r\n${close}${headers(10_000)}\r\n`), 431, 'headers_too_large')
  expectRefusal(await exchange(`GET / HTTP/1.1\r\n${close}${headers(300)}\r\n`), 431, 'headers_too_large')
  const huge = `Authorization: Bearer ${'x'.repeat(maxHeaderBytes)}\r\n`
  expectRefusal(await exchange(`GET / HTTP/1.1\r\n${close}${huge}\r\n`), 431, 'headers_too_large')
  expectRefusal(await exchange(`GET /${'x'.repeat(maxHeaderBytes)} HTTP/1.1\r\n${close}\r\n`), 431, 'headers_too_large')
  expect(asked).toEqual([])
  expect(answersOf(await exchange(`GET / HTTP/1.1\r\n${close}${headers(150)}\r\n`))[0]?.status).toBe(200)
})

test.each([
  ['two lengths of one body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ],
  [
    'chunks and a length',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ],
  ['an unknown encoding', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, what\r\n\r\n0\r\n\r\n'],
  ['a space before the colon', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
  ['a folded header', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n'],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'],
  ['an invalid Host', 'GET / HTTP/1.1\r\nHost: a@b\r\nConnection: close\r\n\r\n'],
  ['garbage', 'hello\r\n\r\n'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['a length that is not a number', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'],
  ['an invalid chunk', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
])('%s is rejected, and nothing after it is read', async (_, bytes) => {
  const { exchange, asked } = await served()
  expectRefusal(await exchange(bytes), 400, 'request_malformed')
  expect(asked.filter(line => line.includes('smuggled'))).toEqual([])
})

test('the path of an absolute-form target is used, whatever its host', async () => {
  const { exchange } = await served()
  const [answer] = answersOf(await exchange(`GET http://elsewhere/here HTTP/1.1\r\n${close}\r\n`))
  expect([answer?.status, answer?.body]).toEqual([200, 'you asked GET /here'])
})

test('pipelined requests are answered in order; broken bytes after them are not', async () => {
  const { open } = await served({}, async request => {
    const { pathname } = new URL(request.url)
    // The second request is in the same packet: it is parsed by then.
    if (pathname === '/1') await nextLoop()
    return new Response(pathname)
  })
  const socket = await open()
  socket.write(`GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET /2 HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  let text = ''
  let invalid = 'junk\r\n\r\n'
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk
    if (invalid === '' || !text.endsWith('/2')) continue
    socket.write(invalid)
    invalid = ''
  }
  const answers = answersOf(text)
  expect(answers.slice(0, 2).map(({ status, body }) => [status, body])).toEqual([
    [200, '/1'],
    [200, '/2'],
  ])
  expect(answers.slice(2).map(({ status }) => status)).toEqual([400])
})

test('garbage after a request in progress does not preempt its response', async () => {
  const { open } = await served({}, async () => {
    await nextLoop()
    return new Response('the answer')
  })
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\njunk\r\n\r\n')
  const [answer, ...more] = answersOf(await readAll(socket))
  expect([answer?.status, answer?.body, answer?.headers.connection]).toEqual([200, 'the answer', 'close'])
  expect(more).toEqual([])
})

test('connections beyond the maximum are closed, and later ones accepted again', async () => {
  const { open, exchange } = await served({ maxConnections: 2 })
  const held = [await open(), await open()]
  expect(await readAll(await open())).toBe('')
  for (const socket of held) socket.destroy()
  await expect.poll(() => exchange(`GET /again HTTP/1.1\r\n${close}\r\n`)).toContain('you asked GET /again')
})

test('connections of one address beyond its share are closed, and those of a proxy are not', async () => {
  const share = (except: string[]) => ({ max: 2, except: { has: (address: string) => except.includes(address) } })
  const { open, exchange } = await served({ perAddress: share([]) })
  const held = [await open(), await open()]
  expect(await readAll(await open())).toBe('')
  held[0]!.destroy()
  await expect.poll(() => exchange(`GET /again HTTP/1.1\r\n${close}\r\n`)).toContain('you asked GET /again')
  const proxied = await served({ perAddress: share(['127.0.0.1']) })
  for (let count = 0; count < 3; count += 1) await proxied.open()
  expect(await proxied.exchange(`GET /more HTTP/1.1\r\n${close}\r\n`)).toContain('you asked GET /more')
})

test('a response whose reader reads nothing is closed', async () => {
  const cancelled = Promise.withResolvers<void>()
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: controller => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => cancelled.resolve(),
      }),
    )
  const { open } = await served({ stallMs: 300 }, endless)
  const socket = await open()
  socket.pause()
  socket.write(`GET / HTTP/1.1\r\n${close}\r\n`)
  await cancelled.promise
})

test('a slow reader is not disconnected', async () => {
  const body = 'x'.repeat(20_000_000)
  const { open } = await served({ stallMs: 2_000 }, () => new Response(body))
  const socket = await open()
  const began = performance.now()
  socket.write(`GET / HTTP/1.1\r\n${close}\r\n`)
  let length = 0
  for await (const chunk of socket) {
    length += chunk.length
    // Everything in 2.5 s; a slow machine reads without a pause.
    const earlyMs = (2_500 * length) / body.length - (performance.now() - began)
    if (earlyMs > 0) await new Promise(resolve => setTimeout(resolve, earlyMs))
  }
  expect(length).toBeGreaterThan(body.length)
})

test('stopping rejects new connections, closes idle ones, and the others after their response', async () => {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const { server, open } = await served({}, async () => {
    asked.resolve()
    await gate.promise
    return new Response('answered')
  })
  const [idle, busy] = [await open(), await open()]
  busy.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await asked.promise
  const stopped = server.stop()
  expect(await readAll(idle)).toBe('')
  await expect(once(connect(server.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  gate.resolve()
  const [answer] = answersOf(await readAll(busy))
  expect([answer?.body, answer?.headers.connection]).toEqual(['answered', 'close'])
  await stopped
})

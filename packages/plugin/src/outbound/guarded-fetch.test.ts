import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { checkOutboundAddress } from './check-outbound-address.ts'
import type { ResolvedAddress } from './checked-target.ts'
import { createGuardedFetch, type GuardedRequest, guardedFetch } from './guarded-fetch.ts'
import { OutboundFailed } from './outbound-errors.ts'

/** Stands for the world; `inside` for the house. */
const outside = '127.0.0.2'
const inside = '127.0.0.1'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const serve = async (handle: RequestListener, host = outside, port = 0) => {
  const server = createServer(handle).listen(port, host)
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const serveSocket = async (handle: (socket: Socket) => void) => {
  const sockets = new Set<Socket>()
  const server = createSocketServer(socket => {
    sockets.add(socket.on('error', () => {}))
    handle(socket)
  }).listen(0, outside)
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A guard for which `outside` is the one public address, with names of our own. */
const guarded = (names: Readonly<Record<string, readonly string[]>> = { 'public.test': [outside] }) => {
  const asked: string[] = []
  const fetch = createGuardedFetch({
    async resolve(hostname) {
      asked.push(hostname)
      const addresses = names[hostname]
      if (!addresses) throw new Error('ENOTFOUND')
      return addresses.map((address): ResolvedAddress => ({ address, family: 4 }))
    },
    rules: allowPrivate => address => address === outside || (allowPrivate && address === inside),
  })
  return { fetch, asked }
}

const textOf = ({ body }: { readonly body: Uint8Array }) => Buffer.from(body).toString()

const refused = (violation: string) => ({ code: 'outbound_refused', fault: violation })

describe('an address chosen by a user', () => {
  test('is fetched if it is public, under its own name', async () => {
    const port = await serve((request, response) => {
      response.setHeader('x-seen', `${request.method} ${request.headers.host} ${request.url}`).end('hello')
    })
    const answer = await guarded().fetch(`http://public.test:${port}/a?b=c#d`)
    expect(answer).toMatchObject({ status: 200, isComplete: true })
    expect(answer.headers.get('x-seen')).toBe(`GET public.test:${port} /a?b=c`)
    expect(textOf(answer)).toBe('hello')
  })

  test.each([
    ['not a url', 'url'],
    ['', 'url'],
    ['file:///etc/passwd', 'scheme'],
    ['ftp://public.test/', 'scheme'],
    ['gopher://public.test/', 'scheme'],
    ['data:text/plain,hi', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['http://user:secret@public.test/', 'credentials'],
    ['http://user@public.test/', 'credentials'],
    ['http://public.test:22/', 'port'],
    ['http://public.test:25/', 'port'],
    ['https://public.test:1023/', 'port'],
  ])('%s is rejected for its %s', async (url, violation) => {
    const { fetch, asked } = guarded()
    await expect(fetch(url)).rejects.toMatchObject(refused(violation))
    expect(asked).toEqual([])
  })

  test.each([
    'http://127.0.0.1:8080/',
    'http://127.1:8080/',
    'http://2130706433:8080/',
    'http://0x7f.0.0.1:8080/',
    'http://0177.0.0.1:8080/',
    'http://①②⑦.⓪.⓪.①:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://[64:ff9b::127.0.0.1]:8080/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:8080/',
    'http://0/',
  ])('%s does not lead inward', async url => {
    await expect(guardedFetch(url)).rejects.toMatchObject(refused('address'))
    await expect(guardedFetch(url)).rejects.not.toThrow(/127|169|::/)
  })

  test('with one private address among its addresses is rejected', async () => {
    const { fetch } = guarded({ 'mixed.test': [outside, inside], 'none.test': [] })
    await expect(fetch('http://mixed.test:8080/')).rejects.toMatchObject(refused('address'))
    await expect(fetch('http://none.test:8080/')).rejects.toMatchObject(refused('address'))
  })

  test('whose name resolves differently the second time is not resolved twice', async () => {
    let secrets = 0
    // The inner address first: its free ports are free at the outer one too, which nothing else uses.
    const port = await serve((_, response) => {
      secrets += 1
      response.end('secret')
    }, inside)
    await serve((_, response) => response.end('public'), outside, port)
    const answers = [[outside], [inside]]
    const fetch = createGuardedFetch({
      resolve: async () => (answers.shift() ?? [inside]).map(address => ({ address, family: 4 })),
      rules: () => address => address === outside,
    })
    expect(textOf(await fetch(`http://rebinding.test:${port}/`))).toBe('public')
    await expect(fetch(`http://rebinding.test:${port}/`)).rejects.toMatchObject(refused('address'))
    expect(secrets).toBe(0)
  })

  test('may be private if the operator allows it, but never a metadata server', async () => {
    const port = await serve((_, response) => response.end('mine'), inside)
    const answer = await guardedFetch(`http://127.0.0.1:${port}/`, { allowPrivate: true })
    expect(textOf(answer)).toBe('mine')
    await expect(guardedFetch('http://169.254.169.254/', { allowPrivate: true })).rejects.toMatchObject(
      refused('address'),
    )
  })
})

test('an address can be checked without a request', async () => {
  await expect(checkOutboundAddress('http://localhost:8080/')).rejects.toMatchObject(refused('address'))
  await expect(checkOutboundAddress('http://a:b@localhost/')).rejects.toMatchObject(refused('credentials'))
  await expect(checkOutboundAddress('http://localhost:8080/', { allowPrivate: true })).resolves.toBeUndefined()
  await expect(checkOutboundAddress('http://nobody.invalid/')).rejects.toMatchObject({ code: 'outbound_failed' })
})

describe('redirects', () => {
  const redirectTo = (location: string, status = 302) =>
    serve((_, response) => response.writeHead(status, { location }).end())

  test.each([
    ['inward', `http://${inside}:8080/`, 'address'],
    ['to another scheme', 'file:///etc/passwd', 'scheme'],
    ['with credentials', 'http://a:b@public.test/', 'credentials'],
    ['to a port of mail', 'http://public.test:25/', 'port'],
    ['to nothing', 'http://[', 'url'],
  ])('rejects %s', async (_, location, violation) => {
    const port = await redirectTo(location)
    await expect(guarded().fetch(`http://public.test:${port}/`)).rejects.toMatchObject(refused(violation))
  })

  test('are followed three times, and not a fourth time', async () => {
    const port = await serve((request, response) => {
      const count = Number(request.url?.slice(1))
      if (count === 0) response.end('there')
      else response.writeHead(307, { location: `/${count - 1}` }).end()
    })
    const { fetch, asked } = guarded()
    const answer = await fetch(`http://public.test:${port}/3`)
    expect(textOf(answer)).toBe('there')
    expect(answer.url).toBe(`http://public.test:${port}/0`)
    expect(asked).toHaveLength(4)
    await expect(fetch(`http://public.test:${port}/4`)).rejects.toMatchObject(refused('redirects'))
    expect(await fetch(`http://public.test:${port}/4`, { maxRedirects: 0 })).toMatchObject({ status: 307 })
  })

  test('tell other servers no secrets, and take the body along only where they say so', async () => {
    const seen: unknown[] = []
    const custom = { 'X-Api-Key': 'secret', 'api-key': 'secret', 'X-Goog-Api-Key': 'secret', 'Private-Token': 'secret' }
    const port = await serve(async (request, response) => {
      const { authorization, cookie, accept, 'content-type': type } = request.headers
      const body = (await request.setEncoding('utf8').toArray()).join('')
      seen.push([request.method, body, authorization, cookie, accept, type, request.rawHeaders.includes('secret')])
      response.end()
    })
    const request: GuardedRequest = {
      method: 'POST',
      body: 'mine',
      headers: { Authorization: 'secret', Cookie: 'secret', ...custom, Accept: 'text/plain', 'Content-Type': 'text/x' },
    }
    const names = { 'public.test': [outside], 'other.test': [outside] }
    for (const status of [303, 302, 307]) {
      const first = await redirectTo(`http://other.test:${port}/`, status)
      await guarded(names).fetch(`http://public.test:${first}/`, request)
    }
    expect(seen).toEqual([
      ['GET', '', undefined, undefined, 'text/plain', undefined, false],
      ['GET', '', undefined, undefined, 'text/plain', undefined, false],
      ['POST', 'mine', undefined, undefined, 'text/plain', 'text/x', false],
    ])
  })
})

test('a redirect within an origin keeps all headers', async () => {
  const keys: unknown[] = []
  const port = await serve((request, response) => {
    keys.push(request.headers['x-api-key'])
    if (request.url === '/') response.writeHead(302, { location: '/there' }).end()
    else response.end()
  })
  await guarded().fetch(`http://public.test:${port}/`, { headers: { 'X-Api-Key': 'secret' } })
  expect(keys).toEqual(['secret', 'secret'])
})

describe('a server that', () => {
  const limited: GuardedRequest = { timeLimitMs: 150 }

  test('says nothing is given up', async () => {
    const port = await serveSocket(() => {})
    await expect(guarded().fetch(`http://public.test:${port}/`, limited)).rejects.toMatchObject({
      code: 'outbound_timeout',
    })
  })

  test('drips its headers or its body is given up', async () => {
    const drip = (head: string) => (socket: Socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write('x'), 10)
      socket.on('close', () => clearInterval(timer))
    }
    for (const head of ['HTTP/1.1 200 OK\r\nx-a: ', 'HTTP/1.1 200 OK\r\n\r\n']) {
      const port = await serveSocket(drip(head))
      await expect(guarded().fetch(`http://public.test:${port}/`, limited)).rejects.toMatchObject({
        code: 'outbound_timeout',
      })
    }
  })

  test('never ends its body is truncated', async () => {
    const closed = Promise.withResolvers<void>()
    const port = await serveSocket(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => {
        while (socket.writable && socket.write('x'.repeat(65_536)));
      }
      socket.on('drain', pour).on('close', closed.resolve)
      pour()
    })
    const answer = await guarded().fetch(`http://public.test:${port}/`, { maxBytes: 1_000 })
    expect(answer).toMatchObject({ status: 200, isComplete: false })
    expect(answer.body).toHaveLength(1_000)
    await closed.promise
  })

  test.each([
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['sends more headers than are read', `HTTP/1.1 200 OK\r\nx-a: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['breaks off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
    ['wants to speak something else', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ])('%s has failed', async (_, bytes) => {
    const port = await serveSocket(socket => socket.end(bytes))
    await expect(guarded().fetch(`http://public.test:${port}/`)).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  test('answers what is not wanted is left before its body', async () => {
    const left = Promise.withResolvers<void>()
    const port = await serve((_, response) => {
      response.on('close', left.resolve).writeHead(200, { 'content-type': 'image/png' }).write('x')
    })
    const onHead = ({ status, headers }: { readonly status: number; readonly headers: Headers }) => {
      throw new OutboundFailed(`${status} ${headers.get('content-type')}`)
    }
    await expect(guarded().fetch(`http://public.test:${port}/`, { onHead })).rejects.toMatchObject({
      cause: '200 image/png',
    })
    await left.promise
  })

  test('is not there has failed', async () => {
    await expect(guarded().fetch('http://unknown.test/')).rejects.toMatchObject({ code: 'outbound_failed' })
    const { fetch } = guarded({ 'shut.test': [outside] })
    await expect(fetch('http://shut.test:65535/')).rejects.toMatchObject({ code: 'outbound_failed' })
  })

  test('is awaited no longer than the caller wants, and so is a lookup', async () => {
    const controller = new AbortController()
    const fetch = createGuardedFetch({ resolve: () => new Promise(() => {}), rules: () => () => true })
    const fetching = fetch('http://public.test/', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(fetching).rejects.toThrow('enough')
  })
})

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { followedOracle } from './followed-oracle.test.helper.ts'

const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'sibyl-webhooks-'))
  return {
    databaseUrl: `file:${join(path, 'sibyl.db')}`,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** What a receiver took or refused. */
interface Delivery {
  readonly id: string
  readonly type: string
  readonly data: { readonly did: string } & Readonly<Record<string, unknown>>
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A server on loopback that checks what it gets as a receiver does, with the library of the standard. */
const startReceiver = async (
  answer: (delivery: Delivery, response: ServerResponse, count: number) => unknown = (_, response) => response.end(),
) => {
  const seen: Delivery[] = []
  const state: { secret?: string } = {}
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const headers = request.headers as Record<string, string>
    const verified = new Webhook(state.secret!).verify(body, headers) as Omit<Delivery, 'id'>
    const delivery = { ...verified, id: headers['webhook-id']! }
    seen.push(delivery)
    await answer(delivery, response, seen.length)
    for (const { count, resolve } of waiting) if (seen.length >= count) resolve()
  }
  const server = createServer((request, response) => {
    take(request, response).catch(() => response.writeHead(400).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    seen,
    state,
    /** Resolves once so many deliveries were seen. */
    async until(count: number) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (seen.length < count) {
        waiting.push({ count, resolve })
        await promise
      }
      return seen
    },
  }
}

const start = async (env: Readonly<Record<string, string>> = {}, aheadSeconds = 0) => {
  const clock = { now: () => Date.now() + aheadSeconds * 1000 }
  const oracle = await followedOracle({ ENTITIES_WEBHOOK_PRIVATE: 'on', ...env }, clock)
  closing.push(() => oracle[Symbol.asyncDispose]())
  const list = async () => {
    const { webhooks } = (await (await oracle.request('/v1/webhooks')).json()) as {
      webhooks: Record<string, unknown>[]
    }
    return webhooks
  }
  return {
    ...oracle,
    list,
    async register(receiver: Awaited<ReturnType<typeof startReceiver>>, filters: object = {}) {
      const response = await oracle.request('/v1/webhooks', { json: { url: receiver.url, ...filters } })
      expect(response.status).toBe(201)
      const webhook = (await response.json()) as { id: string; secret: string }
      receiver.state.secret = webhook.secret
      return webhook
    },
    /** The first webhook, once it is as told. */
    async whenListed(holds: (webhook: Record<string, unknown>) => boolean) {
      for (;;) {
        const [webhook] = await list()
        if (webhook && holds(webhook)) return webhook
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
  }
}

describe('a webhook', () => {
  test('gets each change, in order, signed so that a receiver can check it', async () => {
    const [oracle, receiver] = [await start(), await startReceiver()]
    await oracle.create()
    await oracle.register(receiver)
    const dids = [
      await oracle.create(),
      await oracle.create(),
      await oracle.create('Stove', { properties: { pin: 'x' } }),
    ]
    const seen = await receiver.until(3)
    expect(seen.map(({ data }) => data.did)).toEqual(dids)
    expect(seen[2]).toEqual({
      id: expect.stringMatching(/^msg_[\w-]+$/),
      type: 'entity.created',
      timestamp: expect.any(String),
      data: { did: dids[2], type: 'Stove', kind: 'created', version: 1, by: oracle.app.identity.publicDid },
    })
    expect(new Set(seen.map(({ id }) => id)).size).toBe(3)
    expect(await oracle.whenListed(({ deliveredAt }) => deliveredAt !== undefined)).toMatchObject({ state: 'active' })
  })

  test('gets only what it wants', async () => {
    const [oracle, receiver] = [await start(), await startReceiver()]
    await oracle.register(receiver, { type: 'Stove' })
    await oracle.create('Kiln')
    const did = await oracle.create('Stove')
    await oracle.create('Kiln')
    const other = await oracle.create('Stove')
    expect((await receiver.until(2)).map(({ data }) => data.did)).toEqual([did, other])
  })

  test('that fails gets the same change again before any later one, also from the process after', async () => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: mnemonic }
    const before = await start(env)
    const receiver = await startReceiver((_, response, count) => response.writeHead(count === 1 ? 500 : 204).end())
    await before.register(receiver)
    const dids = [await before.create(), await before.create()]
    const failing = await before.whenListed(({ state }) => state === 'failing')
    expect(failing).toMatchObject({ lastFailure: 'The receiver answered 500.', nextTryAt: expect.any(String) })
    await before.app.close()
    const after = await start(env, 10)
    dids.push(await after.create())
    const seen = await receiver.until(4)
    expect(seen.map(({ data }) => data.did)).toEqual([dids[0], ...dids])
    expect(seen[1]!.id).toBe(seen[0]!.id)
    expect(await after.whenListed(({ state }) => state === 'active')).not.toHaveProperty('lastFailure')
    await after.app.close()
  })

  test('is delivered by a job of an earlier version', async () => {
    using folder = temporaryFolder()
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: mnemonic }
    const before = await start(env)
    const receiver = await startReceiver((_, response, count) => response.writeHead(count === 1 ? 500 : 204).end())
    const { id } = await before.register(receiver)
    const did = await before.create()
    await before.whenListed(({ state }) => state === 'failing')
    await before.app.close()
    const database = new DatabaseSync(folder.databaseUrl.slice('file:'.length))
    // A check of the changes during the failed delivery requests another one. An earlier version had one job.
    const waiting = "kind = 'entities/webhooks' and state = 'waiting'"
    database.exec(`delete from sibyl_job where ${waiting} and id > (select min(id) from sibyl_job where ${waiting})`)
    const { changes } = database
      .prepare(`update sibyl_job set kind = 'entities/webhook', dedupe_key = ?, data = ? where ${waiting}`)
      .run(`${id}:2`, JSON.stringify({ webhook: id, run: 2 }))
    database.close()
    expect(changes).toBe(1)
    const after = await start(env, 10)
    expect((await receiver.until(2)).map(({ data }) => data.did)).toEqual([did, did])
    await after.app.close()
  })

  test('does not follow a redirect, inward or not', async () => {
    const [oracle, inner] = [await start(), await startReceiver()]
    const receiver = await startReceiver((_, response) => response.writeHead(307, { location: inner.url }).end())
    const { secret } = await oracle.register(receiver)
    inner.state.secret = secret
    await oracle.create()
    const { lastFailure } = await oracle.whenListed(({ state }) => state === 'failing')
    expect(lastFailure).toBe('The receiver answered 307. Redirects are not followed.')
    expect(inner.seen).toEqual([])
  })

  test('ends immediately when its receiver reports that it is gone', async () => {
    const oracle = await start()
    const receiver = await startReceiver((_, response) => response.writeHead(410).end())
    await oracle.register(receiver)
    await oracle.create()
    const webhook = await oracle.whenListed(({ state }) => state === 'given-up')
    expect(webhook.lastFailure).toBe('The receiver answered 410 and accepts no more changes.')
    expect(webhook).not.toHaveProperty('nextTryAt')
  })

  test('that is ended gets nothing more', async () => {
    const [oracle, receiver, other] = [await start(), await startReceiver(), await startReceiver()]
    const { id } = await oracle.register(receiver)
    await oracle.register(other)
    expect((await oracle.request(`/v1/webhooks/${id}`, { method: 'DELETE' })).status).toBe(204)
    await oracle.create()
    await other.until(1)
    expect(receiver.seen).toEqual([])
    expect(await oracle.list()).toHaveLength(1)
  })
})

describe('the routes of webhooks', () => {
  test('reject addresses that are not public', async () => {
    const oracle = await start({ ENTITIES_WEBHOOK_PRIVATE: 'off' })
    const refused = async (url: string) => {
      const response = await oracle.request('/v1/webhooks', { json: { url } })
      const { code } = (await response.json()) as { code: string }
      return `${response.status} ${code}`
    }
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://localhost:9000/',
      'http://[::1]:9000/',
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      'http://user:secret@example.org/',
    ]) {
      expect(await refused(url), url).toBe('422 outbound_refused')
    }
    expect(await refused('')).toBe('400 input_invalid')
    expect(await oracle.list()).toEqual([])
  })

  test('show the secret once, and each their own', async () => {
    const [oracle, receiver] = [await start(), await startReceiver()]
    const { id, secret } = await oracle.register(receiver, { type: 'Stove' })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const text = await (await oracle.request('/v1/webhooks')).text()
    expect(JSON.parse(text)).toEqual({
      webhooks: [{ id, url: receiver.url, type: 'Stove', state: 'active', createdAt: expect.any(String) }],
    })
    const others = await oracle.request('/v1/webhooks', { as: 'other' })
    expect(await others.json()).toEqual({ webhooks: [] })
    const ended = await oracle.request(`/v1/webhooks/${id}`, { method: 'DELETE', as: 'other' })
    expect(ended.status).toBe(404)
    expect(await ended.json()).toMatchObject({ code: 'webhook_not_found' })
    expect((await oracle.request('/v1/webhooks', { json: { url: receiver.url }, as: 'reader' })).status).toBe(403)
  })

  test('need a signing key, and keep to a number', async () => {
    const receiver = await startReceiver()
    const keyless = await start({ ORACLE_MNEMONIC: '' })
    const response = await keyless.request('/v1/webhooks', { json: { url: receiver.url } })
    expect(await response.json()).toMatchObject({ status: 503, code: 'signing_key_missing' })
    const oracle = await start()
    const codes = await Promise.all(
      Array.from(
        { length: 22 },
        async () => (await oracle.request('/v1/webhooks', { json: { url: receiver.url } })).status,
      ),
    )
    expect(codes.toSorted()).toEqual([...Array(20).fill(201), 409, 409])
  })
})

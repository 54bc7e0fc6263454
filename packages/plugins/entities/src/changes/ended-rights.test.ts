import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharePostgres } from '@sibyl/storage/testing'
import { createSigningKey, delegatedActor, type TestActor, testActor } from '@sibyl/testing'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ChangeSignal } from './change-signal.ts'
import { followChanges } from './follow-changes.ts'
import { eventReader, followedOracle } from './followed-oracle.test.helper.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const env = { ENTITIES_WEBHOOK_PRIVATE: 'on' }

const start = async (more: Readonly<Record<string, string>> = {}) => {
  const oracle = await followedOracle({ ...env, ...more })
  closing.push(() => oracle[Symbol.asyncDispose]())
  return oracle
}

/** A receiver that takes everything. */
const startReceiver = async () => {
  const seen: string[] = []
  const server = createServer(async (request, response) => {
    seen.push(JSON.parse((await request.setEncoding('utf8').toArray()).join('')).data.did)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const databaseUrl = () => {
  const path = mkdtempSync(join(tmpdir(), 'sibyl-ended-rights-'))
  closing.push(() => rmSync(path, { recursive: true, force: true }))
  return `file:${join(path, 'sibyl.db')}`
}

const webhookOf = async (person: Pick<TestActor, 'request'>) =>
  (await (await person.request('/v1/webhooks')).json()).webhooks[0]

const helperAt = async ({ app }: Awaited<ReturnType<typeof start>>) => {
  const helper = await delegatedActor(app, { key: createSigningKey() }, { abilities: ['entities/*'] })
  return { helper, self: testActor(app, Date.now, helper.key) }
}

describe('once the right has ended', () => {
  test('a stream of changes ends with the reason, and sends no further change', async () => {
    const oracle = await start()
    const { helper } = await helperAt(oracle)
    const stream = eventReader(await helper.request('/v1/changes'))
    const did = await oracle.create()
    expect((await stream.next())?.data.did).toBe(did)
    await helper.revoke()
    await oracle.create()
    expect((await stream.next())?.data).toEqual({
      code: 'grant_revoked',
      detail: 'The delegation behind this authorization was revoked.',
    })
    expect(await stream.next()).toBeUndefined()
  })

  test('a stream without changes ends with its next heartbeat', async () => {
    const end = { code: 'grant_expired', detail: 'It expired.' }
    const feed = {
      tip: async () => ({ transaction: 0, sequence: 0 }),
      read: async () => ({ changes: [], isFull: false, isHeldBack: false }),
    }
    const parts = { feed, signal: new ChangeSignal(), lookMs: 1_000, heartbeatMs: 5, lifeMs: 60_000 }
    const from = { transaction: 0, sequence: 0 }
    const { signal } = new AbortController()
    const texts: string[] = []
    let checked = 0
    const rightEnd = async () => (++checked > 1 ? end : undefined)
    for await (const text of followChanges(parts, {}, from, signal, rightEnd)) texts.push(text)
    expect(texts).toEqual([
      expect.stringMatching(/^retry: /),
      expect.stringMatching(/^: ping/),
      `event: ended\ndata: ${JSON.stringify(end)}\n\n`,
    ])
  })

  test('a webhook is stopped with the reason, and gets nothing more', async () => {
    const [oracle, receiver] = [await start(), await startReceiver()]
    const { helper, self } = await helperAt(oracle)
    expect((await helper.request('/v1/webhooks', { json: { url: receiver.url } })).status).toBe(201)
    const did = await oracle.create()
    await expect.poll(() => receiver.seen).toEqual([did])
    await helper.revoke()
    await oracle.create()
    await expect
      .poll(() => webhookOf(self))
      .toMatchObject({
        state: 'stopped',
        lastFailure: 'grant_revoked: The delegation behind this authorization was revoked.',
      })
    expect(receiver.seen).toEqual([did])
  })

  test.each([
    ['is not listed any more', 'writer:another-name-key-0123:read+write:did:web:x.example', 'grant_removed'],
    ['may not write any more', 'maker:maker-key-0123456789:read', 'scope_missing'],
  ])('a webhook of an API key that %s is stopped', async (_, list, code) => {
    const common = { DATABASE_URL: databaseUrl(), ORACLE_MNEMONIC: mnemonic }
    const receiver = await startReceiver()
    const key = 'maker-key-0123456789'
    const writer = 'writer:writer-key-0123456789'
    const before = await start({ ...common, ENTITIES_API_KEYS: `${writer},maker:${key}` })
    const register = (oracle: typeof before) =>
      oracle.app.request('/v1/webhooks', {
        method: 'POST',
        body: JSON.stringify({ url: receiver.url }),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
    expect((await register(before)).status).toBe(201)
    await before.app.close()
    const after = await start({ ...common, ENTITIES_API_KEYS: `${writer},${list}` })
    await after.create()
    await expect
      .poll(() => webhookOf(after))
      .toMatchObject({ state: 'stopped', lastFailure: expect.stringContaining(`${code}: `) })
    expect(receiver.seen).toEqual([])
  })
})

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('a revocation at one process ends streams and webhooks at the other', async () => {
    const common = {
      DATABASE_URL: (await postgres?.createDatabase()) ?? '',
      ORACLE_MNEMONIC: mnemonic,
    }
    const [one, two, receiver] = [await start(common), await start(common), await startReceiver()]
    const { helper, self } = await helperAt(one)
    expect((await helper.request('/v1/webhooks', { json: { url: receiver.url } })).status).toBe(201)
    const stream = eventReader(await helper.request('/v1/changes'))
    expect((await helper.revoke(two.app)).status).toBe(200)
    await two.create()
    expect((await stream.next())?.data).toMatchObject({ code: 'grant_revoked' })
    await expect.poll(() => webhookOf(self)).toMatchObject({ state: 'stopped' })
    expect(receiver.seen).toEqual([])
  })
})

import { createSigningKey, delegatedActor, fromAddress, type TestActor, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { entities } from '../entities.ts'
import { maxFollowers } from './changes-route.ts'

const apiKey = 'writer-key-0123456789'

const started = (env: Readonly<Record<string, string>> = {}) =>
  testApp({
    plugins: [entities()],
    env: { ENTITIES_API_KEYS: `writer:${apiKey}`, ENTITIES_WEBHOOK_PRIVATE: 'on', ...env },
  })

/** Calls for so many fresh DIDs, one after the other, and returns the codes of what was refused, and how much was not. */
const count = async (times: number, call: (index: number) => Promise<Response>, streams: Response[] = []) => {
  const refused: string[] = []
  let allowed = 0
  for (let index = 0; index < times; index += 1) {
    const response = await call(index)
    if (response.status < 300) {
      allowed += 1
      streams.push(response)
    } else refused.push((await response.json()).code)
  }
  return { allowed, refused: [...new Set(refused)] }
}

const hook = { json: { url: 'http://127.0.0.1:18099/hook' } }

describe('with ORACLE_ACCESS=open one address with any number of DIDs', () => {
  test('follows the changes on its share of the connections, and leaves the others theirs', async () => {
    await using oracle = await started({ RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_DID_PER_MINUTE: '0' })
    const at = (address: string) => () => testActor(fromAddress(oracle.app, address)).request('/v1/changes')
    const share = maxFollowers.capacity / 4
    const streams: Response[] = []
    expect(await count(share + 5, at('203.0.113.7'), streams)).toEqual({
      allowed: share,
      refused: ['too_many_followers'],
    })
    expect(await count(5, at('203.0.113.8'), streams)).toEqual({ allowed: 5, refused: [] })
    await streams[0]?.body?.cancel()
    expect(await count(2, at('203.0.113.7'), streams)).toEqual({ allowed: 1, refused: ['too_many_followers'] })
    for (const stream of streams) await stream.body?.cancel()
  })

  test('registers its share of the webhooks, wherever its DIDs come from', async () => {
    await using oracle = await started({
      LIMIT_SHARE_PERCENT: '1',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_DID_PER_MINUTE: '0',
    })
    const at = (address: string) => () => testActor(fromAddress(oracle.app, address)).request('/v1/webhooks', hook)
    expect(await count(12, at('203.0.113.7'))).toEqual({ allowed: 10, refused: ['too_many_webhooks'] })
    expect(await count(1, at('203.0.113.8'))).toEqual({ allowed: 1, refused: [] })
    const shop = await fromAddress(oracle.app, '203.0.113.7').request('/v1/webhooks', {
      method: 'POST',
      body: JSON.stringify(hook.json),
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    })
    expect(shop.status).toBe(201)
  })
})

describe('with delegated access a re-delegation to a fresh key', () => {
  const controller = createSigningKey()
  const env = { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did, RATE_LIMIT_DID_PER_MINUTE: '0' }
  const calls = (call: (actor: TestActor) => Promise<Response>) => async () => {
    await using oracle = await started(env)
    const holder = await delegatedActor(oracle.app, { key: controller })
    const streams: Response[] = []
    const fresh = async () => call(await delegatedActor(oracle.app, holder))
    expect(await count(22, fresh, streams)).toMatchObject({ allowed: 20 })
    const other = await call(await delegatedActor(oracle.app, { key: controller }))
    expect(other.status).toBeLessThan(300)
    for (const stream of [...streams, other]) await stream.body?.cancel()
  }

  test(
    'follows on the connections of its holder',
    calls(actor => actor.request('/v1/changes')),
  )
  test(
    'registers the webhooks of its holder',
    calls(actor => actor.request('/v1/webhooks', hook)),
  )
})

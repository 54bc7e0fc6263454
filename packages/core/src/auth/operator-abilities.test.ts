import { createSigningKey } from '@sibyl/identity'
import { type PluginParts, route } from '@sibyl/plugin'
import { delegatedActor, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { officePlugin } from '../testing/office-plugin.ts'

const operatorToken = 'operator-token-0123456789'
const keyOfReader = 'key-of-reader-0123456789'
const keyOfAll = 'key-of-all-0123456789abc'
const controller = createSigningKey()

const ok = { 200: { description: 'fine' } }
const parts: PluginParts = {
  routes: [
    route.get('/state', { auth: 'operator', summary: 'State', ok }, c => Response.json(c.get('actor'))),
    route.post('/state', { auth: 'operator', summary: 'Change', ok }, () => new Response('changed')),
  ],
}

const oracle = (env: Record<string, string> = {}) =>
  testApp({
    plugins: [officePlugin(parts, 'shop')],
    env: {
      ORACLE_OPERATOR_TOKEN: operatorToken,
      ORACLE_CONTROLLERS: controller.did,
      ORACLE_API_KEYS: `reader:${keyOfReader}:operator/read,all:${keyOfAll}:*`,
      ...env,
    },
  })

const bearer = (token: string, init: RequestInit = {}): RequestInit => ({
  ...init,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
})

const codeOf = async (answer: Response): Promise<unknown> => {
  const text = await answer.text()
  return answer.ok ? answer.status : [answer.status, JSON.parse(text).code]
}

describe.each(['open', 'delegated'])('with %s access', access => {
  test('routes of the operator accept those to whom the operator granted the ability, by method', async () => {
    await using app = await oracle({ ORACLE_ACCESS: access })
    const reader = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/read'] })
    const read = await reader.request('/state')
    expect(await read.json()).toMatchObject({ via: 'operator', did: reader.did, grant: { root: controller.did } })
    expect(await codeOf(await reader.request('/state', { json: {} }))).toEqual([403, 'ucan_capability_missing'])
    const all = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/*'] })
    expect(await codeOf(await all.request('/state', { json: {} }))).toBe(200)
  })

  test('a grant of everything is not a grant of the operator', async () => {
    await using app = await oracle({ ORACLE_ACCESS: access })
    const user = await delegatedActor(app.app, { key: controller }, { abilities: ['*'] })
    expect((await user.request('/sessions')).status).toBe(200)
    expect(await codeOf(await user.request('/state'))).toEqual([403, 'ucan_capability_missing'])
    const forged = await user.token(['operator/read']).catch((error: Error) => error)
    const answer = forged instanceof Error ? undefined : await app.app.request('/state', bearer(forged))
    expect(answer?.status).not.toBe(200)
    expect(await codeOf(await app.app.request('/state', bearer(keyOfAll)))).toEqual([403, 'scope_missing'])
  })

  test('a signer cannot make itself an operator', async () => {
    await using app = await oracle({ ORACLE_ACCESS: access })
    const stranger = testActor(app.app)
    const token = await stranger.token(['operator/read', 'auth/token', 'api-key/create'])
    const refused = access === 'open' ? [403, 'operator_grant_needed'] : [403, 'ucan_untrusted_root']
    expect(await codeOf(await app.app.request('/state', bearer(token)))).toEqual(refused)
  })

  test('an API key of the environment has the abilities that it names', async () => {
    await using app = await oracle({ ORACLE_ACCESS: access })
    expect(await codeOf(await app.app.request('/state', bearer(keyOfReader)))).toBe(200)
    const post = await app.app.request('/state', bearer(keyOfReader, { method: 'POST', body: '{}' }))
    expect(await codeOf(post)).toEqual([403, 'scope_missing'])
  })

  test('the right ends when it is revoked', async () => {
    await using app = await oracle({ ORACLE_ACCESS: access })
    const reader = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/read'] })
    expect((await reader.request('/state')).status).toBe(200)
    expect((await reader.revoke()).status).toBe(200)
    expect(await codeOf(await reader.request('/state'))).toEqual([401, 'ucan_revoked'])
  })
})

test('a bearer or an API key that a signer made for itself has no operator rights', async () => {
  await using app = await oracle({ ORACLE_ACCESS: 'open' })
  const stranger = testActor(app.app)
  const exchange = await stranger.token(['auth/token', 'operator/*'])
  const exchanged = await app.app.request('/auth/token', bearer(exchange, { method: 'POST', body: '{}' }))
  const { token } = (await exchanged.json()) as { token: string }
  expect(await codeOf(await app.app.request('/state', bearer(token)))).toEqual([403, 'operator_grant_needed'])
  const create = await stranger.token(['api-key/create', 'operator/*'])
  const body = JSON.stringify({ name: 'k', scopes: ['operator/read'] })
  const made = await app.app.request('/api-keys', bearer(create, { method: 'POST', body }))
  const { key } = (await made.json()) as { key: string }
  expect(await codeOf(await app.app.request('/state', bearer(key)))).toEqual([403, 'operator_grant_needed'])
})

test.each(['open', 'delegated'])(
  'with %s access a delegated operator has the limit of their DID with their delegates; the operator token has none',
  async access => {
    await using app = await oracle({ RATE_LIMIT_DID_PER_MINUTE: '3', ORACLE_ACCESS: access })
    const reader = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/read'] })
    const another = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/read'] })
    const helper = await delegatedActor(app.app, reader, { abilities: ['operator/read'] })
    for (const actor of [reader, reader, helper]) expect((await actor.request('/state')).status).toBe(200)
    expect(await codeOf(await reader.request('/state'))).toEqual([429, 'rate_limited'])
    expect((await another.request('/state')).headers.get('ratelimit')).toMatch(/"did";r=2/)
    for (let count = 0; count < 5; count += 1) {
      expect((await app.app.request('/state', bearer(operatorToken))).status).toBe(200)
    }
  },
)

describe('routes that are also the operator’s', () => {
  test('act as the operator only if asked, and only with its abilities', async () => {
    await using app = await oracle()
    const body = JSON.stringify({ name: 'server', did: 'did:key:z6MkServer' })
    await app.app.request('/api-keys', bearer(operatorToken, { method: 'POST', body }))
    const reader = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/read', 'api-key/read'] })
    const list = async (path: string) => (await (await reader.request(path)).json()).keys
    expect(await list('/api-keys')).toEqual([])
    expect(await list('/api-keys?as=operator')).toMatchObject([{ name: 'server' }])
    const user = await app.actor.request('/api-keys?as=operator')
    expect(await codeOf(user)).toEqual([403, 'ucan_capability_missing'])
  })

  test('an API key that a delegated operator creates ends with their right', async () => {
    await using app = await oracle()
    const all = await delegatedActor(app.app, { key: controller }, { abilities: ['operator/*'] })
    const wider = await all.request('/api-keys?as=operator', { json: { name: 'wide', scopes: ['chat/send'] } })
    expect(await codeOf(wider)).toEqual([403, 'scope_not_held'])
    const { did: oracleDid, publicDid } = app.app.identity
    for (const did of [controller.did, oracleDid, publicDid]) {
      const json = { name: 'trusted', scopes: ['operator/read'], did }
      expect(await codeOf(await all.request('/api-keys?as=operator', { json }))).toEqual([403, 'did_not_yours'])
    }
    const made = await all.request('/api-keys?as=operator', { json: { name: 'monitor', scopes: ['operator/read'] } })
    const { key } = (await made.json()) as { key: string }
    expect(await codeOf(await app.app.request('/state', bearer(key)))).toBe(200)
    await all.revoke()
    expect(await codeOf(await app.app.request('/state', bearer(key)))).toEqual([401, 'credential_rejected'])
  })
})

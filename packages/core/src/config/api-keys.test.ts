import { createMnemonic } from '@sibyl/identity'
import { route } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { callWith } from '../testing/call-with.ts'
import { expectRefusal, readSessions, sendWith } from '../testing/forge-invocation.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { parseApiKeys, secretsInApiKeys } from './api-keys.ts'

const shop = 'key-of-the-shop-0123456789'
const till = 'key-of-the-till/0123+456=='

const oracle = (list: string, env: Record<string, string> = {}, logger = recordedLogger()) =>
  testApp({
    plugins: [
      officePlugin({
        routes: [
          route.get(
            '/desk',
            { auth: { ucan: 'desk/look' }, summary: 'A route', ok: { 200: { description: 'who' } } },
            c => c.json(c.get('actor') ?? {}),
          ),
        ],
      }),
    ],
    model: scriptedModel(['one', 'two', 'three']),
    env: { ...env, ORACLE_API_KEYS: list },
    logger,
  })

describe('ORACLE_API_KEYS', () => {
  test('let their holders chat and see their sessions, and nothing else by default', async () => {
    await using app = await oracle(`shop:${shop}, till:${till}:desk/*+session/read`)
    expect((await readStream(await sendWith(app, shop))).text).toBe('one')
    expect((await readStream(await sendWith(app, shop))).text).toBe('two')
    expect((await (await callWith(app, shop, 'GET', '/sessions')).json()).sessions).toMatchObject([{ id: 's1' }])
    for (const [path, method] of [
      ['/desk', 'GET'],
      ['/delegation', 'GET'],
      ['/delegation', 'DELETE'],
      ['/auth/token', 'DELETE'],
    ] as const) {
      await expectRefusal(await callWith(app, shop, method, path), 403, 'scope_missing')
    }
    expect((await callWith(app, till, 'GET', '/desk')).status).toBe(200)
    await expectRefusal(await sendWith(app, till), 403, 'scope_missing')
  })

  test('act under a DID derived from name and oracle, or a given one', async () => {
    const mnemonic = createMnemonic(12).reveal()
    const whoIs = async (list: string, key: string, words = mnemonic) => {
      await using app = await oracle(list, { ORACLE_MNEMONIC: words })
      const actor = await (await callWith(app, key, 'GET', '/desk')).json()
      expect(actor).toMatchObject({ via: 'api-key', scopes: ['*'] })
      expect(actor.did).not.toBe(app.app.identity.did)
      return actor.did as string
    }
    const did = await whoIs(`shop:${shop}:*`, shop)
    expect(did).toMatch(/^did:key:z6Mk/)
    expect(await whoIs(`other:${till}:*,shop:${shop}:*`, shop)).toBe(did)
    expect(await whoIs(`shop:new-${shop}:*`, `new-${shop}`)).toBe(did)
    expect(await whoIs(`shop2:${shop}:*`, shop)).not.toBe(did)
    expect(await whoIs(`shop:${shop}:*`, shop, createMnemonic(12).reveal())).not.toBe(did)
    expect(await whoIs(`shop:${shop}:*:did:key:z6MkShop`, shop)).toBe('did:key:z6MkShop')
  })

  test('of one name may overlap during rotation', async () => {
    await using app = await oracle(`shop:${shop}:*,shop:new-${shop}:desk/*`)
    const [old, next] = await Promise.all(
      [shop, `new-${shop}`].map(async key => (await callWith(app, key, 'GET', '/desk')).json()),
    )
    expect([old.did, old.scopes, next.scopes]).toEqual([next.did, ['*'], ['desk/*']])
  })

  test('are rejected like all credentials without a signing mnemonic', async () => {
    await using app = await oracle(`shop:${shop}:*`, { ORACLE_MNEMONIC: '' })
    for (const path of ['/desk', '/sessions', '/delegation', '/capabilities']) {
      await expectRefusal(await callWith(app, shop, 'GET', path), 401, 'signing_key_missing')
    }
    for (const path of ['/auth/token', '/chat', '/delegation']) {
      await expectRefusal(await callWith(app, shop, 'POST', path, {}), 401, 'signing_key_missing')
    }
  })

  test('that are wrong are distinguished from UCANs, and open no operator route', async () => {
    await using app = await oracle(`shop:${shop}:*`, { ORACLE_OPERATOR_TOKEN: 'operator-0123456789' })
    for (const wrong of [`${shop}x`, shop.slice(0, -1), shop.toUpperCase(), 'shop', `shop:${shop}`.replace(':', '.')]) {
      expect([wrong, (await readSessions(app, `Bearer ${wrong}`)).status]).toEqual([wrong, 401])
    }
    await expectRefusal(await readSessions(app, `Bearer ${shop}x`), 401, 'credential_unknown')
    expect((await callWith(app, shop, 'GET', '/revocations')).status).toBe(403)
  })

  test('that are invalid are logged by position, without their text', async () => {
    const logger = recordedLogger()
    const list = [
      `good:${shop}`,
      'short:0123456789',
      `:${till}`,
      `two words:${till}x`,
      `odd:key with spaces 0123456789`,
      `scoped:${till}y:chat`,
      `did:${till}z:*:not-a-did`,
      `twice:${shop}`,
      'lonely-key-without-a-name-0123456789',
    ].join(',')
    await using app = await oracle(list, {}, logger)
    const reported = logger.lines.filter(({ message }) => message.includes('API keys'))
    expect(reported).toMatchObject([
      { level: 'warn', fields: { variable: 'ORACLE_API_KEYS', entries: [2, 3, 4, 5, 6, 7, 8, 9] } },
    ])
    expect(JSON.stringify(logger.lines)).not.toContain('0123456789')
    expect((await readSessions(app, `Bearer ${shop}`)).status).toBe(200)
    expect((await readSessions(app, `Bearer ${till}y`)).status).toBe(401)
  })

  test('appear in /.well-known/oracle.json as an authentication method', async () => {
    const ways = async (list: string) => {
      await using app = await oracle(list)
      return (await (await app.app.request('/.well-known/oracle.json')).json()).authentication
    }
    expect(await ways(`shop:${shop}`)).toEqual(['ucan', 'bearer', 'api-key'])
    expect(await ways('')).toEqual(['ucan', 'bearer'])
    expect(await ways('short:key')).toEqual(['ucan', 'bearer'])
  })
})

test('parseApiKeys returns nothing for an empty value, and empty input matches no key', () => {
  const rules = { defaultScopes: ['read'] }
  for (const text of [undefined, '', ' , ,', ':', '::', ':::']) {
    const list = parseApiKeys(text, rules)
    expect([list.size, list.find(''), list.find('undefined')]).toEqual([0, undefined, undefined])
  }
})

test('secretsInApiKeys returns every key of a list, including those of invalid entries', () => {
  expect(secretsInApiKeys(`a:${shop}:*,lonely-0123456789,b:${till}`)).toEqual([
    `a:${shop}:*`,
    shop,
    'lonely-0123456789',
    'lonely-0123456789',
    `b:${till}`,
    till,
  ])
})

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSigningKey } from '@sibyl/identity'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { scriptedModel, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { everythingOn, temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'
import { canary, canarySteps, ok, useAll } from './canary-person.test.support.ts'

const phone = '+260971234567'
const operator = { authorization: 'Bearer operator-token-of-the-tests-01' }

/** The insides of full-text indexes, where words stand without what they were about. */
const shadow = /^entities_(search|terms)(_|$)/

/** The text of every table. */
const dump = (file: string): ReadonlyMap<string, string> => {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database.prepare(`select name from sqlite_master where type = 'table'`).all()
  const texts = tables
    .map(({ name }) => String(name))
    .filter(name => !shadow.test(name))
    .map((name): [string, string] => {
      const statement = database.prepare(`select * from "${name}"`)
      statement.setReadBigInts(true)
      const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
      return [name, JSON.stringify(statement.all(), plain)]
    })
  database.close()
  return new Map(texts)
}

const tablesWith = (file: string, texts: readonly string[]): string[] =>
  [...dump(file)].filter(([, content]) => texts.some(text => content.includes(text))).map(([name]) => name)

test('nothing of two people who used everything is left after their erasure', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'oracle.db')
  const key = createSigningKey()
  const env = everythingOn(folder, {
    DATABASE_URL: `file:${file}`,
    ORACLE_OPERATOR_TOKEN: operator.authorization.slice('Bearer '.length),
    ORACLE_CONTROLLERS: key.did,
    ENTITIES_API_KEYS: 'office:an-office-key-of-the-test-01',
    CREDITS_DEFAULT_GRANT: '1000',
    SMS_PROVIDER: 'embedded:',
    USSD_PHONE_RATE: '0',
  })
  const { app } = await testApp({ plugins: bundledPlugins(), env, model: scriptedModel(canarySteps()) })
  const ada = testActor(app, Date.now, key)
  const ask = (path: string, init: RequestInit & { readonly json?: unknown } = {}) => {
    const body = init.json === undefined ? {} : { method: 'POST', body: JSON.stringify(init.json) }
    return app.request(path, { ...init, ...body, headers: { ...operator, 'content-type': 'application/json' } })
  }
  const person = (who: string) => `/people/${encodeURIComponent(who)}`

  await useAll(ada, app.identity.did!)
  await ok(ask('/credits/grants', { json: { did: ada.did, amount: '5', reason: `For ${canary}` } }))
  const menu = await (await sendUssd(app, { phoneNumber: phone })).answer(
    '2',
    '2',
    canary,
    '1',
    '830549',
    '830549',
    '1',
  )
  await menu.answer('1', `Where is ${canary}?`)
  await ok(ask('/sms/inbound/embedded', { json: { from: phone, text: `I am ${canary}`, id: 'm1' } }))
  await expect.poll(async () => JSON.stringify(await (await ask('/sms/outbox')).json())).toContain('By SMS')

  const { did: caller } = await ok(ask('/operator/people/find', { json: { address: phone } }))
  const { ussd } = await ok(ask(`${person(caller)}/export`))
  const texts = [canary, ada.did, ussd.did, phone.slice(1)]
  const exported = [await ok(ask(`${person(ada.did)}/export`)), await ok(ask(`${person(caller)}/export`))]
  expect(Object.keys(exported[0]).toSorted()).toEqual([
    'claims',
    'core',
    'credentials',
    'credits',
    'entities',
    'files',
    'memory',
    'sandbox',
    'sessions',
    'tasks',
    'user-preferences',
  ])
  expect(Object.keys(exported[1])).toEqual(expect.arrayContaining(['sessions', 'core', 'sms', 'ussd', 'credits']))
  expect(tablesWith(file, texts)).toEqual(
    expect.arrayContaining([
      'claims_claims',
      'claims_transitions',
      'core_delegations',
      'core_messages',
      'core_token_usage',
      'core_tool_calls',
      'credentials_credentials',
      'credits_people',
      'entities_events',
      'files_entries',
      'memory_facts',
      'sandbox_outputs',
      'sms_inbound',
      'sms_messages',
      'tasks_tasks',
      'user_preferences_people',
      'ussd_people',
    ]),
  )

  for (const who of [ada.did, caller]) await ok(ask(person(who), { method: 'DELETE' }))
  for (const who of [ada.did, caller]) expect(await ok(ask(`${person(who)}/export`))).toEqual({ sessions: [] })
  expect(tablesWith(file, texts)).toEqual([])
  const books = await (await ask('/credits/accounts')).json()
  expect(books.totals.sum).toBe('0')
  await app.close()
  expect(tablesWith(file, texts)).toEqual([])
})

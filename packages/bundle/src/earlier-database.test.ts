import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { signingKeyFromSecret } from '@sibyl/identity'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { recordedLogger, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from './all-plugins.test.support.ts'
import { bundledPlugins } from './bundled-plugins.ts'

/**
 * The database and the files of a field office with all sixteen plugins, as they were on 2026-11-24: two phones with accounts,
 * reports, a claim that became a credential, a weekly task, a fact, preferences, a ledger and an entity. Those of 2026-11-29 are
 * the same with an API key, an alert, an entity with a position, and turns of adapters.
 */
const fixtures = join(import.meta.dirname, '../fixtures')
const days = [
  { day: '2026-11-24', balance: '94.5', stoves: ['KE-1'], places: [], keys: [], alerts: [] },
  {
    day: '2026-11-29',
    balance: '91.934',
    stoves: ['KE-1', 'KE-2'],
    places: ['KE-2'],
    keys: ['reports'],
    alerts: ['failures'],
  },
]
/** A cook stove of a list. */
interface Stove {
  readonly did: string
  readonly properties: { readonly serial: string }
}

const officeKey = 'd967dd6ccc3846e1dd61aee15c7a106a7015f5216fc03d3c'
const operatorToken = '87c79006bc1bbc13ad43009d9fe3eca284c8bb86bdfeb368'
const coordinatorKey = signingKeyFromSecret(new Uint8Array(32).fill(7))

const environmentIn = (folder: string) => ({
  DATABASE_URL: `file:${join(folder, 'sibyl.db')}`,
  PUBLIC_URL: 'http://localhost:45095',
  ORACLE_MNEMONIC: 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
  ORACLE_CONTROLLERS: coordinatorKey.did,
  ORACLE_OPERATOR_TOKEN: operatorToken,
  ENTITIES_API_KEYS: `office:${officeKey}`,
  CREDITS_DEFAULT_GRANT: '100',
  FILES_DIR: join(folder, 'files'),
  FIRECRAWL_MCP_URL: 'embedded:',
  MEMORY_MCP_URL: 'embedded:',
  PIN_ENCRYPTION_KEY: '7a6ebd491e6ad1d01020880c8b81f7fac496af9e8a44d2928459f97fb0c3b57d',
  SANDBOX_MCP_URL: 'embedded:',
  SMS_PROVIDER: 'embedded:',
})

test.each(days)('a database of $day opens, and all that it holds is still there and verifies', async expected => {
  const folder = temporaryFolder()
  const fixture = join(fixtures, expected.day)
  cpSync(join(fixtures, '2026-11-24/files'), join(folder, 'files'), { recursive: true })
  cpSync(join(fixture, 'sibyl.db.mark'), join(folder, 'sibyl.db.mark'))
  writeFileSync(join(folder, 'sibyl.db'), gunzipSync(readFileSync(join(fixture, 'sibyl.db.gz'))))
  const logger = recordedLogger()
  const startedAt = Date.now()
  // Before the Friday on which the weekly task is due.
  const clock = { now: () => Date.parse('2026-11-24T12:00:00Z') + Date.now() - startedAt }
  await using oracle = await testApp({ plugins: bundledPlugins(), env: environmentIn(folder), logger, clock })
  const { app } = oracle
  const coordinator = testActor(app, clock.now, coordinatorKey)
  const read = async (path: string) => {
    const answer = await coordinator.request(path)
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
  expect((await app.request('/health')).status).toBe(200)

  const { sessions } = await read('/sessions')
  expect(sessions.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(['office', 'fixture']))
  expect(JSON.stringify(await read('/sessions/office'))).toContain('Which claims are waiting?')
  expect(JSON.stringify(await read('/memory'))).toContain('the coordinator lives in Mongu')
  expect(JSON.stringify(await read('/tasks'))).toContain('write the weekly report')
  expect(await read('/credits')).toMatchObject({ balance: expected.balance })
  const { files, usage } = await read('/files?under=reports')
  expect(usage.bytes).toBeGreaterThanOrEqual(files[0].bytes)
  const content = await coordinator.request(`/files/content?path=${encodeURIComponent(files[0].path)}`)
  expect(await content.text()).toContain('Delivered five stoves to Mwila')

  const byKey = { headers: { authorization: `Bearer ${officeKey}` } }
  const { entities } = await (await app.request('/v1/entities?type=CookStove', byKey)).json()
  const stoves = entities.toSorted((one: Stove, other: Stove) =>
    one.properties.serial.localeCompare(other.properties.serial),
  )
  expect(stoves.map(({ properties }: Stove) => properties.serial)).toEqual(expected.stoves)
  const inZambia = await (await app.request('/v1/places?bbox=22,-18,34,-8', byKey)).json()
  expect(inZambia.places).toHaveLength(expected.places.length)
  const history = await app.request(`/v1/entities/${encodeURIComponent(stoves[0].did)}/proof`, byKey)
  expect([history.status, JSON.stringify(await history.json())]).toEqual([200, expect.stringContaining('"signature"')])
  const { claims } = await read('/v1/claims')
  expect(claims.map(({ state }: { state: string }) => state).toSorted()).toEqual(['approved', 'rejected'])

  const { credentials } = await (await app.request('/credentials', byKey)).json()
  const kept = await (await app.request(`/credentials/${encodeURIComponent(credentials[0].id)}`, byKey)).json()
  const verified = await app.request('/credentials/verify', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(kept.credential),
  })
  expect(await verified.json()).toMatchObject({ verified: true })

  const byOperator = { headers: { authorization: `Bearer ${operatorToken}` } }
  const { keys } = await read('/api-keys')
  expect(keys.map(({ name }: { name: string }) => name)).toEqual(expected.keys)
  const { alerts } = await (await app.request('/operator/alerts', byOperator)).json()
  expect(alerts.map(({ name }: { name: string }) => name)).toEqual(expected.alerts)
  const outbox = await app.request('/sms/outbox', byOperator)
  expect(JSON.stringify(await outbox.json())).toContain('imekubaliwa')
  const welcome = await sendUssd(app, { phoneNumber: '+260971234567' })
  const account = await welcome.answer('2', '1', '387513518', '8305', '4')
  expect(account.text).toContain('Mutale')
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([])
})

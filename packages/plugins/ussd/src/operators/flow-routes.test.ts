import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { sendUssd } from '../testing/send-ussd.ts'
import { ussd } from '../ussd.ts'

const token = 'an-operator-token-of-a-test'
const env = { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), ORACLE_OPERATOR_TOKEN: token }

const boot = (more: Record<string, string> = {}) => testApp({ plugins: [ussd()], env: { ...env, ...more } })

const read = async ({ app }: Awaited<ReturnType<typeof boot>>, path: string, bearer = token) => {
  const response = await app.request(path, { headers: { authorization: `Bearer ${bearer}` } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('the operator reads the flow, its languages and what a phone needs', async () => {
  await using oracle = await boot({ USSD_GATEWAY_ONLY: 'true', USSD_SERVICE_CODES: '*1234#' })
  const { status, body } = await read(oracle, '/api/ussd/flow')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    start: 'preMenu',
    keys: { back: '0', more: '98', previous: '99' },
    gateway: {
      onlyTrusted: true,
      textMode: 'cumulative',
      serviceCodes: ['*1234#'],
      sessionSeconds: 180,
      replySeconds: 12,
    },
  })
  expect(body.gateway).toHaveProperty('providers', expect.arrayContaining([{ name: 'hubtel', title: 'Hubtel' }]))
})

test('the counts outlive a restart, and name no phone and no session', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-ussd-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const DATABASE_URL = `file:${join(folder, 'oracle.db')}`
  const sessionId = 'a-session-of-this-test'
  {
    await using oracle = await boot({ DATABASE_URL })
    const welcome = await sendUssd(oracle.app, { phoneNumber: '+260971234567', sessionId })
    await (await welcome.answer('1')).answer('*')
    await sendUssd(oracle.app, { phoneNumber: '+260971234568' })
  }
  await using oracle = await boot({ DATABASE_URL })
  const { body } = await read(oracle, '/api/ussd/flow/counts')
  const none = { entered: 0, continued: 0, endedByFlow: 0, endedByUser: 0, timedOut: 0, errors: 0 }
  const today = new Date().toISOString().slice(0, 10)
  expect(body).toEqual({
    from: new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10),
    to: today,
    screens: [
      { screen: 'knowMore', ...none, entered: 1, endedByUser: 1 },
      { screen: 'preMenu', ...none, entered: 2, continued: 1 },
    ],
    days: [{ day: today, ...none, entered: 3, continued: 1, endedByUser: 1 }],
  })
  expect(JSON.stringify(body)).not.toMatch(/26097|a-session/)
  const before = await read(oracle, '/api/ussd/flow/counts?from=2020-01-01&to=2020-12-31')
  expect(before.body).toMatchObject({ screens: [], days: [] })
})

test('callers without the right, and invalid days, are rejected', async () => {
  await using oracle = await boot()
  for (const path of ['/api/ussd/flow', '/api/ussd/flow/counts']) {
    expect((await oracle.app.request(path)).status).toBe(401)
    expect((await read(oracle, path, 'another-token-of-a-stranger')).status).toBe(401)
  }
  for (const query of ['from=2026-11-28&to=2026-11-27', 'from=yesterday', 'to=2026-02-30', "from=1'%20or%201=1"]) {
    expect((await read(oracle, `/api/ussd/flow/counts?${query}`)).status, query).toBe(400)
  }
  const { body } = await read(oracle, '/api/ussd/flow/counts?from=2026-11-28&to=2026-11-27')
  expect(body.code).toBe('day_range_invalid')
})

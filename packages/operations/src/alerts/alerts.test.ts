import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { samplePlugin } from '@sibyl/core/testing'
import { defineToolFailures, type Host, type OraclePlugin, provide } from '@sibyl/plugin'
import { personNotices, smsSender } from '@sibyl/protocol'
import { sharePostgres } from '@sibyl/storage/testing'
import { createSigningKey, delegatedActor, testApp } from '@sibyl/testing'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { AlertRecord } from './alert-records.ts'
import { alertsJob } from './alerts.ts'

const postgres = await sharePostgres()
const engines = [
  { name: 'sqlite', emptyDatabase: async () => 'memory:' },
  ...(postgres ? [{ name: 'postgres', emptyDatabase: () => postgres.createDatabase() }] : []),
]
afterAll(() => postgres?.stop())

const operatorToken = 'operator-token-for-tests'
const patience = { interval: 5, timeout: 60_000 }

const rule = {
  name: 'Jobs fail',
  metric: 'dead_jobs',
  comparison: 'above',
  threshold: 0,
  minutes: 1,
  quietMinutes: 0,
} as const

/** A receiver of webhooks on loopback. */
const receiver = async () => {
  const received: { readonly headers: Record<string, string>; readonly body: string }[] = []
  const world = { status: 204 }
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    if (world.status < 300) received.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(world.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`
  const came = (count: number) => vi.waitFor(() => expect(received).toHaveLength(count), patience)
  return { url, world, received, came, [Symbol.asyncDispose]: async () => void server.close() }
}

const started = async (env: Record<string, string> = {}, others: readonly OraclePlugin[] = []) => {
  const made = Promise.withResolvers<Host>()
  const shop = samplePlugin('shop', {
    setup: host => {
      host.jobs.define('shop/pay', z.null(), async () => Promise.reject(new Error('no')), { maxAttempts: 1 })
      made.resolve(host)
      return {}
    },
  })
  const oracle = await testApp({
    plugins: [shop, ...others],
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ALERT_WEBHOOK_PRIVATE: 'on', ...env },
  })
  const host = await made.promise
  const call = async <Body = Record<string, unknown>>(method: string, path: string, json?: object) => {
    const answer = await oracle.app.request(`/operator/${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Body }
  }
  const create = async (target: object, more: object = {}) =>
    (await call<AlertRecord & { secret?: string }>('POST', 'alerts', { ...rule, ...more, target })).body
  const check = () => oracle.runJob(alertsJob, {})
  /** Makes a job that is dead. */
  const fail = async () => {
    const { id } = await host.jobs.enqueue('shop/pay', null)
    await vi.waitFor(async () => expect(await host.jobs.get(id)).toMatchObject({ state: 'dead' }), patience)
    return id
  }
  const events = async () => (await call<{ events: Record<string, unknown>[] }>('GET', 'alert-events')).body.events
  return { ...oracle, host, call, create, check, fail, events, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test.each(engines)(
  'notifies a webhook, signed, when a value goes beyond the threshold and returns, on $name',
  async engine => {
    await using oracle = await started({ DATABASE_URL: await engine.emptyDatabase() })
    await using hook = await receiver()
    const { id, secret, target } = await oracle.create({ webhook: hook.url })
    expect(target).toEqual({ channel: 'webhook', shown: expect.not.stringContaining('secret-path') })
    await oracle.check()
    expect(await oracle.events()).toEqual([])
    const job = await oracle.fail()
    await oracle.check()
    await hook.came(1)
    const [{ headers, body } = { headers: {}, body: '' }] = hook.received
    expect(new Webhook(secret ?? '').verify(body, headers)).toMatchObject({
      type: 'alert.fired',
      data: { alert: id, name: 'Jobs fail', metric: 'dead_jobs', comparison: 'above', threshold: 0, value: 1 },
    })
    expect((await oracle.call('GET', 'alerts')).body).toMatchObject({ alerts: [{ id, state: 'firing', value: 1 }] })
    await oracle.check()
    await oracle.host.jobs.cancel(job)
    await oracle.check()
    await hook.came(2)
    expect(JSON.parse(hook.received[1]?.body ?? '')).toMatchObject({ type: 'alert.resolved', data: { value: 0 } })
    await vi.waitFor(
      async () =>
        expect(await oracle.events()).toMatchObject([
          { kind: 'resolved', delivery: 'sent', alert: id },
          { kind: 'fired', delivery: 'sent', value: 1 },
        ]),
      patience,
    )
  },
)

test('a receiver that fails is retried, and the reason is in the history without the address', async () => {
  await using oracle = await started()
  await using hook = await receiver()
  const { id } = await oracle.create({ webhook: hook.url })
  hook.world.status = 500
  expect((await oracle.call('POST', `alerts/${id}/test`)).status).toBe(202)
  await vi.waitFor(
    async () =>
      expect(await oracle.events()).toMatchObject([
        { kind: 'test', delivery: 'pending', fault: expect.stringContaining('answered 500') },
      ]),
    patience,
  )
  await vi.waitFor(
    async () =>
      expect((await oracle.call('GET', 'outboxes')).body).toMatchObject({
        outboxes: [{ name: 'core/alert-notices', pending: 1, retrying: 1 }],
      }),
    patience,
  )
  hook.world.status = 200
  const { jobs } = (await oracle.call<{ jobs: { id: string }[] }>('GET', 'jobs?kind=core/alert-notices')).body
  expect((await oracle.call('POST', `jobs/${jobs[0]?.id}/retry`)).status).toBe(200)
  await hook.came(1)
  expect(JSON.stringify(await oracle.events())).not.toContain('secret-path')
})

const notOwn = defineToolFailures({ phone_not_own: { status: 403, message: 'That number is not yours.' } })

test('a delegated operator chooses their own phone, and five tests are sent in an hour', async () => {
  const sent: unknown[] = []
  const own = '+260971234567'
  const phones = samplePlugin('phones', {
    setup: () => ({
      services: [
        provide(smsSender, { send: async message => void sent.push(message) }),
        provide(personNotices.sms, {
          addressOf: async ({ to = '' }) => {
            if (to !== own) throw notOwn.phone_not_own()
            return { to, shown: to }
          },
          send: async () => {},
        }),
      ],
    }),
  })
  const controller = createSigningKey()
  await using oracle = await started({ ORACLE_CONTROLLERS: controller.did }, [phones])
  const operator = await delegatedActor(
    oracle.app,
    { key: controller },
    { abilities: ['operator/read', 'operator/write'] },
  )
  const create = async (sms: string) => operator.request('/operator/alerts', { json: { ...rule, target: { sms } } })
  expect((await create('+260970000000')).status).toBe(403)
  const { id } = await (await create(own)).json()
  const change = { method: 'PUT', json: { ...rule, target: { sms: '+260970000000' } } }
  expect((await operator.request(`/operator/alerts/${id}`, change)).status).toBe(403)
  const send = async () => (await operator.request(`/operator/alerts/${id}/test`, { method: 'POST' })).status
  const statuses: number[] = []
  for (let count = 0; count < 6; count += 1) statuses.push(await send())
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
  await vi.waitFor(() => expect(sent).toHaveLength(5), patience)
  await operator.request(`/operator/alerts/${id}`, { method: 'DELETE' })
  const again = await (await create(own)).json()
  expect((await operator.request(`/operator/alerts/${again.id}/test`, { method: 'POST' })).status).toBe(429)
  expect((await oracle.create({ sms: '+260970000000' })).target).toMatchObject({ channel: 'sms' })
})

test('notifies a phone and a room by the services of plugins', async () => {
  const sent: unknown[] = []
  const phones = samplePlugin('phones', {
    setup: () => ({ services: [provide(smsSender, { send: async message => void sent.push(message) })] }),
  })
  const rooms = samplePlugin('rooms', {
    setup: () => ({
      services: [
        provide(personNotices.matrix, {
          addressOf: async ({ to = '' }) => ({ to: '!room:home', shown: to }),
          send: async notice => void sent.push(notice),
        }),
      ],
    }),
  })
  await using oracle = await started({ ORACLE_NAME: 'Field' }, [phones, rooms])
  const phone = await oracle.create({ sms: '+260971234567' })
  expect(phone.target).toEqual({ channel: 'sms', shown: '+260•••567' })
  const room = await oracle.create({ matrix: '#operators:home' })
  expect(room.target).toEqual({ channel: 'matrix', shown: '!room:home' })
  await oracle.fail()
  await oracle.check()
  const text = '[Field] Alert: Jobs fail. dead_jobs is 1, limit: above 0.'
  await vi.waitFor(() => expect(sent).toHaveLength(2), patience)
  expect(sent).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ to: '+260971234567', text }),
      expect.objectContaining({ to: '!room:home', text, did: expect.stringContaining('did:web:') }),
    ]),
  )
})

test('changes and deletes an alert; the check ends with the last one', async () => {
  await using oracle = await started()
  await using hook = await receiver()
  const { id } = await oracle.create({ webhook: hook.url })
  await oracle.fail()
  const changed = await oracle.call('PUT', `alerts/${id}`, { ...rule, threshold: 7, enabled: false })
  expect(changed).toMatchObject({ status: 200, body: { threshold: 7, enabled: false, target: { channel: 'webhook' } } })
  await oracle.call('PUT', `alerts/${id}`, { ...rule, enabled: false })
  await oracle.check()
  expect(await oracle.events()).toEqual([])
  expect((await oracle.call('DELETE', `alerts/${id}`)).status).toBe(204)
  expect(await oracle.call('DELETE', `alerts/${id}`)).toMatchObject({ status: 404, body: { code: 'alert_not_found' } })
  await oracle.check()
  await expect(oracle.runJob(alertsJob)).rejects.toThrow('no schedule creates one')
})

test('rejects targets that cannot be reached and invalid rules', async () => {
  await using oracle = await started({ ALERT_WEBHOOK_PRIVATE: 'off' })
  const post = (more: object) => oracle.call('POST', 'alerts', { ...rule, ...more })
  expect(await post({ target: { webhook: 'http://127.0.0.1:9000/' } })).toMatchObject({
    status: 422,
    body: { code: 'outbound_refused' },
  })
  for (const target of [{ sms: '+260971234567' }, { matrix: '#operators:home' }]) {
    expect(await post({ target })).toMatchObject({ status: 409, body: { code: 'alert_channel_missing' } })
  }
  for (const more of [{ metric: 'moon' }, { minutes: 0 }, { target: { sms: '1', matrix: '2' } }, { name: ' ' }]) {
    expect((await post({ target: { sms: '+260971234567' }, ...more })).status).toBe(400)
  }
  expect((await oracle.actor.request('/operator/alerts')).status).toBe(403)
})

test.each([
  'turns_per_minute',
  'failed_turns_per_minute',
  'failed_turns_percent',
  'turn_p95_seconds',
  'tokens_today',
  'token_budget_percent',
  'dead_letters',
  'late_job_minutes',
  'plugins_failing',
  'model_circuit_open',
  'database_ms',
  'disk_free_percent',
  'memory_mb',
])('reads %s', async metric => {
  await using oracle = await started({ TOKEN_BUDGET_ORACLE_PER_DAY: '1000000' })
  await using hook = await receiver()
  await oracle.chat('hello')
  await oracle.create({ webhook: hook.url }, { metric, threshold: 1e15 })
  await oracle.check()
  const { body } = await oracle.call<{ alerts: AlertRecord[] }>('GET', 'alerts')
  expect(body.alerts).toMatchObject([{ value: expect.any(Number), checkedAt: expect.any(String), state: 'ok' }])
  const positive = ['turns_per_minute', 'turn_p95_seconds', 'tokens_today', 'disk_free_percent', 'memory_mb']
  if (positive.includes(metric)) expect(body.alerts[0]?.value).toBeGreaterThan(0)
})

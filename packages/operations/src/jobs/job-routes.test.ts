import { samplePlugin } from '@sibyl/core/testing'
import { type Host, outbox } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { OperatorStatusRecord, TokenUsageRecord } from '../status/status-records.ts'
import type { JobKindRecord, JobRecord, OutboxRecord } from './job-records.ts'

const operatorToken = 'operator-token-for-tests'
const patience = { interval: 5, timeout: 60_000 }

/** An oracle with a plugin whose deliveries and payments fail as long as `isBroken`. */
const started = async (env: Record<string, string> = {}) => {
  const world = { isBroken: true, delivered: [] as string[] }
  const made = Promise.withResolvers<{ host: Host; wake: (key: string) => Promise<void> }>()
  const plugin = samplePlugin('shop', {
    setup: host => {
      host.jobs.define(
        'shop/pay',
        z.object({ order: z.string() }),
        async () => {
          if (world.isBroken) throw Object.assign(new Error('the till is closed'), { code: 'till_closed' })
        },
        { maxAttempts: 1 },
      )
      host.jobs.define(
        'shop/slow',
        z.null(),
        async () => {
          if (world.isBroken) throw new Error('not yet')
        },
        { backOffMs: 3_600_000 },
      )
      const notices = outbox(
        host.jobs,
        'shop/notices',
        async key => {
          if (world.isBroken) throw new Error('the receiver is away')
          world.delivered.push(key)
          return 'done'
        },
        { maxAttempts: 1 },
      )
      made.resolve({ host, wake: key => notices.wake(key) })
      return {}
    },
  })
  const oracle = await testApp({ plugins: [plugin], env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env } })
  const { host, wake } = await made.promise
  const call = async <Body = unknown>(path: string, init: RequestInit = {}) => {
    const answer = await oracle.app.request(path, {
      ...init,
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    })
    return { status: answer.status, body: (await answer.json()) as Body }
  }
  const post = (path: string, json?: object) =>
    call(path, { method: 'POST', ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
  const inState = (id: string, state: string) =>
    vi.waitFor(async () => expect((await call(`/operator/jobs/${id}`)).body).toMatchObject({ state }), patience)
  return { ...oracle, world, host, wake, call, post, inState, [Symbol.asyncDispose]: () => oracle.app.close() }
}

test('lists jobs without their data, with the code of the last failure, and retries one that failed', async () => {
  await using oracle = await started()
  const { id } = await oracle.host.jobs.enqueue('shop/pay', { order: 'of +260971234567' })
  await oracle.inState(id, 'dead')
  const { body } = await oracle.call<{ jobs: JobRecord[] }>('/operator/jobs?state=dead')
  expect(body.jobs).toEqual([
    {
      id,
      kind: 'shop/pay',
      purpose: 'work',
      state: 'dead',
      dueAt: expect.any(String),
      createdAt: expect.any(String),
      endedAt: expect.any(String),
      attempts: 1,
      maxAttempts: 1,
      error: { code: 'till_closed', text: 'Error: the till is closed' },
    },
  ])
  expect(JSON.stringify(body)).not.toContain('260971')
  oracle.world.isBroken = false
  expect(await oracle.post(`/operator/jobs/${id}/retry`)).toMatchObject({ status: 200, body: { id } })
  await oracle.inState(id, 'done')
  expect(await oracle.post(`/operator/jobs/${id}/retry`)).toMatchObject({
    status: 409,
    body: { code: 'job_state_conflict' },
  })
  expect(await oracle.post('/operator/jobs/none/retry')).toMatchObject({ status: 404, body: { code: 'job_not_found' } })
})

test('a job that waits after a failure runs at once, and one that waits for its time does not', async () => {
  await using oracle = await started()
  const { id } = await oracle.host.jobs.enqueue('shop/slow', null)
  await vi.waitFor(
    async () =>
      expect((await oracle.call(`/operator/jobs/${id}`)).body).toMatchObject({ state: 'waiting', attempts: 1 }),
    patience,
  )
  oracle.world.isBroken = false
  expect((await oracle.post(`/operator/jobs/${id}/retry`)).status).toBe(200)
  await oracle.inState(id, 'done')
  const later = await oracle.host.jobs.enqueue('shop/slow', null, { runAt: Date.now() + 3_600_000 })
  expect((await oracle.post(`/operator/jobs/${later.id}/retry`)).status).toBe(409)
  expect(await oracle.post(`/operator/jobs/${later.id}/cancel`)).toMatchObject({
    status: 200,
    body: { state: 'cancelled' },
  })
  expect((await oracle.post(`/operator/jobs/${later.id}/cancel`)).status).toBe(409)
})

test('pages through jobs of one kind, and counts all kinds', async () => {
  await using oracle = await started()
  const runAt = Date.now() + 3_600_000
  const ids: string[] = []
  for (let index = 0; index < 5; index += 1) {
    ids.push((await oracle.host.jobs.enqueue('shop/pay', { order: 'x' }, { runAt: runAt + (index % 2) })).id)
  }
  const seen: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await oracle.call<{ jobs: JobRecord[]; next?: string }>(
      `/operator/jobs?kind=shop/pay&limit=2${cursor}`,
    )
    seen.push(...body.jobs.map(job => job.id))
    if (body.next === undefined) break
    cursor = `&cursor=${body.next}`
  }
  expect(seen.toSorted()).toEqual(ids.toSorted())
  const { body } = await oracle.call<{ kinds: JobKindRecord[] }>('/operator/job-kinds')
  expect(body.kinds.find(({ kind }) => kind === 'shop/pay')).toEqual({
    kind: 'shop/pay',
    purpose: 'work',
    maxAttempts: 1,
    waiting: 5,
    running: 0,
    done: 0,
    dead: 0,
    cancelled: 0,
  })
  expect((await oracle.call('/operator/jobs?cursor=bad')).body).toMatchObject({ code: 'cursor_invalid' })
})

test('shows the dead letters of an outbox, and retries them', async () => {
  await using oracle = await started()
  for (const key of ['a', 'b']) await oracle.wake(key)
  const outboxes = async () =>
    (await oracle.call<{ outboxes: OutboxRecord[] }>('/operator/outboxes')).body.outboxes.filter(
      ({ name }) => name !== 'core/alert-notices',
    )
  await vi.waitFor(
    async () => expect(await outboxes()).toEqual([{ name: 'shop/notices', pending: 0, retrying: 0, dead: 2 }]),
    patience,
  )
  expect(await oracle.post('/operator/outboxes/retry', { name: 'shop/pay' })).toMatchObject({
    status: 404,
    body: { code: 'outbox_not_found' },
  })
  oracle.world.isBroken = false
  expect((await oracle.post('/operator/outboxes/retry', { name: 'shop/notices' })).body).toEqual({
    retried: 2,
    more: false,
  })
  await vi.waitFor(() => expect(oracle.world.delivered.toSorted()).toEqual(['a', 'b']), patience)
  expect(await outboxes()).toMatchObject([{ dead: 0 }])
})

test('reports the state of the oracle and how full its limits are', async () => {
  await using oracle = await started({ RATE_LIMIT_DID_PER_MINUTE: '4', TOKEN_BUDGET_ORACLE_PER_DAY: '1000' })
  for (let index = 0; index < 4; index += 1) await oracle.actor.request('/usage')
  await oracle.host.limits.take({ name: 'codes', key: 'secret-key', perMinute: 2 })
  const { body } = await oracle.call<OperatorStatusRecord>('/operator/status')
  expect(body).toMatchObject({
    status: 'ok',
    database: { state: 'connected', engine: 'sqlite' },
    process: { pid: process.pid, runningTurns: 0 },
    model: { name: 'offline', state: 'ready' },
    plugins: [{ name: 'shop', state: 'ready' }],
    budgets: { tokens: 0, budget: 1000 },
  })
  expect(body.limits).toEqual([
    { name: 'address', callers: 0, limited: 0, fullest: 0 },
    { name: 'did', perMinute: 4, callers: 1, limited: 1, fullest: 1 },
    { name: 'shop/codes', callers: 1, limited: 0, fullest: 0.5 },
  ])
  expect(JSON.stringify(body)).not.toContain('secret-key')
})

test('counts tokens by day and by user', async () => {
  await using oracle = await started()
  await oracle.chat('hello')
  const { body } = await oracle.call<TokenUsageRecord>('/operator/usage?days=3')
  expect(body.days.map(({ users }) => users)).toEqual([0, 0, 1])
  expect(body.users).toEqual([{ did: oracle.actor.did, tokens: body.days[2]?.tokens }])
  expect(body.users[0]?.tokens).toBeGreaterThan(0)
})

test('the routes are for the operator alone', async () => {
  await using oracle = await started()
  for (const path of ['/operator/status', '/operator/jobs', '/operator/job-kinds', '/operator/outboxes']) {
    expect((await oracle.actor.request(path)).status, path).toBe(403)
  }
})

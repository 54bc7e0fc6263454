import { officePlugin, samplePlugin } from '@sibyl/core/testing'
import { defineTool, provide, type Tool, ToolFailure } from '@sibyl/plugin'
import { turnPrices } from '@sibyl/protocol'
import { readStream, type ScriptedStep, scriptedModel, type TestApp, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'

const operatorToken = 'an-operator-token-of-tests'

const tool = (more: Partial<Tool> = {}) =>
  ({
    ...defineTool({
      description: 'Works.',
      input: z.object({}),
      effect: 'read',
      execute: async () => 'hunter2 of the tool',
    }),
    ...more,
  }) as Tool

const oracleWith = (steps: readonly ScriptedStep[], env: Readonly<Record<string, string>> = {}) =>
  testApp({
    plugins: [
      officePlugin({
        tools: {
          work: tool(),
          fail: tool({
            execute: async () => {
              throw new ToolFailure('no')
            },
          }),
          pay: tool({ approval: 'user' }),
        },
      }),
    ],
    model: scriptedModel(steps),
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env },
  })

const turnsOf = async (oracle: TestApp, query = '') => (await oracle.actor.request(`/sessions/s1/turns${query}`)).json()

const summaryOf = async (oracle: TestApp, query = '') => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  const response = await oracle.app.request(`/operator/turns${query}`, { headers })
  return { status: response.status, ...(await response.json()) }
}

const usage = { inputTokens: 100, cachedInputTokens: 20, outputTokens: 10 }

test('a turn has spans of its steps and tool calls, and no text', async () => {
  await using oracle = await oracleWith([
    [{ tool: 'work', id: 'c1' }, { tool: 'fail', id: 'c2' }, { usage }],
    'hunter2',
  ])
  await oracle.chat('hunter2 in a question', { session: 's1' })
  const { turns, keepDays } = await turnsOf(oracle)
  expect(keepDays).toBe(7)
  expect(turns).toMatchObject([
    { channel: 'chat', model: 'scripted', outcome: 'done', omittedSpans: 0, turnId: expect.stringMatching(/^turn_/) },
  ])
  const spans = turns[0].spans.map(({ kind, name, capability, toolCallId, outcome }: Record<string, string>) =>
    [kind, name, capability, toolCallId, outcome].filter(Boolean).join(' '),
  )
  expect(spans).toEqual([
    'prompt done',
    'model scripted done',
    'tool work desk c1 done',
    'tool fail desk c2 failed',
    'model scripted done',
  ])
  for (const { startMs, durationMs } of turns[0].spans) {
    expect(startMs).toBeGreaterThanOrEqual(0)
    expect(startMs + durationMs).toBeLessThanOrEqual(turns[0].durationMs + 1)
  }
  expect(turns[0].spans[1].firstPartMs).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(turns)).not.toContain('hunter2')
})

test('the turn that continues has the wait for the approval before its start', async () => {
  await using oracle = await oracleWith([{ tool: 'pay', id: 'c1' }, 'paid'])
  const { events } = await oracle.chat('pay', { session: 's1' })
  const question = events.find(({ type }) => type === 'tool-approval-request')
  const path = `/chat/s1/approvals/${question?.approvalId}`
  await readStream(await oracle.actor.request(path, { json: { decision: 'once' } }))
  const { turns } = await turnsOf(oracle)
  expect(turns.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['done', 'awaiting-approval'])
  const wait = turns[0].spans.find(({ kind }: { kind: string }) => kind === 'wait')
  expect(wait).toMatchObject({ name: 'pay', capability: 'desk', toolCallId: 'c1', outcome: 'once' })
  expect(wait.startMs).toBeLessThanOrEqual(0)
})

test('are read by the owner alone, in pages, and deleted with the session', async () => {
  await using oracle = await oracleWith(['1', '2', '3'])
  for (const text of ['one', 'two', 'three']) await oracle.chat(text, { session: 's1' })
  const first = await turnsOf(oracle, '?limit=2')
  const second = await turnsOf(oracle, `?limit=2&cursor=${first.next}`)
  const ids = [...first.turns, ...second.turns].map(({ turnId }: { turnId: string }) => turnId)
  expect([ids.length, new Set(ids).size, second.next]).toEqual([3, 3, undefined])
  expect((await testActor(oracle.app).request('/sessions/s1/turns')).status).toBe(404)
  await oracle.actor.request('/sessions/s1', { method: 'DELETE' })
  expect((await summaryOf(oracle)).totals.turns).toBe(0)
})

test('an erasure of the person deletes them', async () => {
  await using oracle = await oracleWith(['1'])
  await oracle.chat('one', { session: 's1' })
  expect((await summaryOf(oracle)).totals.turns).toBe(1)
  await oracle.actor.request('/me', { method: 'DELETE' })
  expect((await summaryOf(oracle)).totals.turns).toBe(0)
})

test('none are stored with TRACES_KEEP_DAYS=0, which is the default of production', async () => {
  const production: Readonly<Record<string, string>> = { NODE_ENV: 'production', ORACLE_ACCESS: 'open' }
  for (const env of [{ TRACES_KEEP_DAYS: '0' }, production]) {
    await using oracle = await oracleWith(['1'], env)
    await oracle.chat('one', { session: 's1' })
    expect(await turnsOf(oracle)).toEqual({ turns: [], keepDays: 0 })
  }
})

test('the summary of the operator counts turns, errors, tokens and tools', async () => {
  await using oracle = await oracleWith([
    [{ tool: 'work' }, { tool: 'fail' }, { usage }],
    ['done', { usage }],
    { error: new Error('x') },
  ])
  await oracle.chat('one', { session: 's1' })
  await oracle.chat('two', { session: 's2' })
  const summary = await summaryOf(oracle)
  expect(summary).toMatchObject({
    status: 200,
    keepDays: 7,
    bucketSeconds: 900,
    totals: { turns: 2, errors: 1, usage: { inputTokens: 200, cachedInputTokens: 40, outputTokens: 20 } },
    models: [{ model: 'scripted', turns: 2 }],
    channels: [{ channel: 'chat', turns: 2, errors: 1 }],
    tools: [
      { tool: 'work', capability: 'desk', calls: 1, failed: 0 },
      { tool: 'fail', capability: 'desk', calls: 1, failed: 1 },
    ],
    latenciesOf: 2,
    toolsOf: 1,
  })
  expect(summary.errors).toEqual([{ code: expect.any(String), turns: 1 }])
  expect(summary.totals.durationMs.p95).toBeGreaterThanOrEqual(summary.totals.durationMs.p50)
  const sum = (count: (bucket: { turns: number }) => number) =>
    summary.buckets.map(count).reduce((a: number, b: number) => a + b)
  expect(sum(({ turns }) => turns)).toBe(2)
  expect(summary.buckets.length).toBeLessThanOrEqual(121)
  expect((await summaryOf(oracle, '?model=other')).totals.turns).toBe(0)
  expect((await summaryOf(oracle, '?channel=chat')).totals.turns).toBe(2)
})

test('a summary has at most 500 buckets, and rejects an invalid time and callers without the right', async () => {
  await using oracle = await oracleWith(['1'])
  await oracle.chat('one', { session: 's1' })
  const wide = await summaryOf(oracle, '?from=2026-01-01T00:00:00Z&to=2026-12-31T00:00:00Z&bucketSeconds=1')
  expect(wide.buckets.length).toBeLessThanOrEqual(500)
  for (const query of ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', '?from=2020-01-01T00:00:00Z']) {
    expect(await summaryOf(oracle, query)).toMatchObject({ status: 400, code: 'time_range_invalid' })
  }
  expect((await oracle.actor.request('/operator/turns')).status).toBe(403)
  expect((await oracle.app.request('/operator/turns')).status).toBe(401)
})

test('has the cost of a turn if a plugin prices turns, and stores the turn if that fails', async () => {
  const priced = (costOf: () => bigint | undefined) =>
    samplePlugin('prices', { setup: () => ({ services: [provide(turnPrices, { costOf })] }) })
  for (const [costOf, cost] of [
    [() => 1_500_000n, 1.5],
    [() => undefined, undefined],
    [
      () => {
        throw new Error('x')
      },
      undefined,
    ],
  ] as const) {
    await using oracle = await testApp({
      plugins: [priced(costOf)],
      model: scriptedModel(['1']),
      env: { ORACLE_OPERATOR_TOKEN: operatorToken },
    })
    await oracle.chat('one', { session: 's1' })
    expect((await turnsOf(oracle)).turns[0].cost).toBe(cost)
    expect((await summaryOf(oracle)).totals.cost).toBe(cost)
  }
})

test('the operator lists the latest turns of a person without texts, and the sessions of their own', async () => {
  await using oracle = await oracleWith([[{ tool: 'work' }, { tool: 'work' }, { usage }], 'hunter2', 'done'])
  await oracle.chat('hunter2 in a question', { session: 'private-plan' })
  await oracle.chat('another', { session: 's2' })
  const path = `/operator/people/${encodeURIComponent(oracle.actor.did)}/turns`
  const as = async (token: string, at = path) =>
    (await oracle.app.request(at, { headers: { authorization: `Bearer ${token}` } })).json()
  const list = await as(operatorToken)
  expect(list.turns.map(({ tools }: { tools: string[] }) => tools)).toEqual([[], ['work']])
  expect(list.turns[1]).toMatchObject({ channel: 'chat', model: 'scripted', outcome: 'done' })
  expect(JSON.stringify(list)).not.toMatch(/hunter2|private-plan|spans/)
  expect(await as(operatorToken, '/operator/people/did:key:z6MkUnknown/turns')).toEqual({ turns: [], keepDays: 7 })
  expect([401, 403]).toContain((await oracle.actor.request(path)).status)
  const made = await oracle.app.request('/api-keys', {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'self', did: oracle.actor.did, scopes: ['operator/read'] }),
  })
  const { turns } = await as((await made.json()).key)
  expect(turns.map(({ sessionId }: { sessionId: string }) => sessionId)).toEqual(['s2', 'private-plan'])
})

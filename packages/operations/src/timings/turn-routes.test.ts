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

test('the operator lists the turns of all users without texts, and the sessions of their own', async () => {
  await using oracle = await oracleWith([[{ tool: 'work' }, { tool: 'work' }, { usage }], 'hunter2', 'done'])
  await oracle.chat('hunter2 in a question', { session: 'private-plan' })
  await readStream(await testActor(oracle.app).request('/chat', { json: { message: 'another' } }))
  const as = async (token: string, query = '') =>
    (await oracle.app.request(`/operator/traces${query}`, { headers: { authorization: `Bearer ${token}` } })).json()
  const list = await as(operatorToken)
  expect(list.traces.map(toolsOf)).toEqual([[], ['work', 'work']])
  expect(list.traces[1]).toMatchObject({
    ...{ did: oracle.actor.did, channel: 'chat', model: 'scripted', outcome: 'done' },
    spans: [{ kind: 'prompt' }, { kind: 'model' }, { kind: 'tool' }, { kind: 'tool' }, { kind: 'model' }],
  })
  expect(JSON.stringify(list)).not.toMatch(/hunter2|private-plan/)
  expect((await oracle.app.request('/operator/traces')).status).toBe(401)
  expect((await oracle.actor.request('/operator/traces')).status).toBe(403)
  const made = await oracle.app.request('/api-keys', {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'self', did: oracle.actor.did, scopes: ['operator/read'] }),
  })
  const { traces } = await as((await made.json()).key)
  expect(traces.map(({ sessionId }: { sessionId?: string }) => sessionId)).toEqual([undefined, 'private-plan'])
})

interface TraceRecord {
  readonly turnId: string
  readonly startedAt: string
  readonly spans: readonly { readonly kind: string; readonly name?: string; readonly code?: string }[]
}

const toolsOf = ({ spans }: TraceRecord) => spans.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []))

const tracesOf = async (oracle: TestApp, query = ''): Promise<{ readonly traces: TraceRecord[]; next?: string }> => {
  const headers = { authorization: `Bearer ${operatorToken}` }
  return (await oracle.app.request(`/operator/traces?${query}`, { headers })).json()
}

test('turns are listed by time, person, channel, model, tool, result, error and cost, in pages', async () => {
  const failure = new ToolFailure('no', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) })
  await using oracle = await testApp({
    plugins: [
      officePlugin({ tools: { work: tool(), fail: tool({ execute: () => Promise.reject(failure) }) } }),
      samplePlugin('prices', {
        setup: () => ({
          services: [provide(turnPrices, { costOf: ({ usage }) => (usage.inputTokens < 5_000 ? 1_000n : 1_000_000n) })],
        }),
      }),
    ],
    model: scriptedModel([
      [{ tool: 'work' }, { usage: { ...usage, inputTokens: 5_000 } }],
      'worked',
      [{ tool: 'fail' }],
      'failed',
      { error: new Error('x') },
      'plain',
    ]),
    env: { ORACLE_OPERATOR_TOKEN: operatorToken },
  })
  for (const text of ['one', 'two', 'three']) await oracle.chat(text, { session: 's1' })
  const ben = testActor(oracle.app)
  await readStream(await ben.request('/chat', { json: { message: 'four' } }))
  const all = (await tracesOf(oracle)).traces
  const [four, three, two, one] = all.map(({ turnId }) => turnId)
  const { code } = (await summaryOf(oracle)).errors[0]
  expect(all.map(({ spans }) => spans.find(({ kind }) => kind === 'tool')?.code).join()).toBe(',,ECONNREFUSED,')
  const startOfTwo = encodeURIComponent(all[2]!.startedAt)
  for (const [query, ids] of [
    [`from=${startOfTwo}`, [four, three, two]],
    [`to=${startOfTwo}`, [one]],
    [`turn=${two}`, [two]],
    [`person=${ben.did}`, [four]],
    [`person=${oracle.actor.did}&channel=chat&model=scripted`, [three, two, one]],
    ['channel=sms', []],
    ['model=other', []],
    ['tool=work', [one]],
    ['tool=fail&result=tool-error', [two]],
    ['tool=work&result=tool-error', []],
    ['result=tool-error', [two]],
    ['result=error', [three]],
    ['result=failed', [three]],
    ['result=done', [four, two, one]],
    [`code=${code}`, [three]],
    ['minCost=0.9', [one]],
  ] as const) {
    expect([query, (await tracesOf(oracle, query)).traces.map(({ turnId }) => turnId)]).toEqual([query, ids])
  }
  for (const [query, ids] of [
    ['limit=2', [four, three]],
    ['limit=1&result=done', [four]],
    ['limit=1&result=tool-error', [two]],
  ] as const) {
    const { traces, next } = await tracesOf(oracle, query)
    const more = next === undefined ? undefined : await tracesOf(oracle, `${query}&cursor=${next}`)
    expect(traces.map(({ turnId }) => turnId)).toEqual(ids)
    expect(more?.traces.map(({ turnId }) => turnId)).toEqual(
      query === 'limit=2' ? [two, one] : query.endsWith('done') ? [two] : undefined,
    )
  }
  const { next } = await tracesOf(oracle, 'limit=1')
  expect(await tracesOf(oracle, `limit=1&result=done&cursor=${next}`)).toMatchObject({ code: 'cursor_invalid' })
})

import { defineTool, ToolFailure } from '@sibyl/plugin'
import { recordedLogger } from '@sibyl/plugin/testing'
import { type CollectedSpan, startOtlpCollector } from '@sibyl/telemetry/testing'
import { readStream, type ScriptedStep, scriptedModel, type TestActor, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const style = defineTool({
  description: 'Looks.',
  input: z.object({ where: z.string() }),
  effect: 'read',
  execute: async ({ where }) => ({ seen: `a secret behind ${where}` }),
})

const fail = defineTool({
  description: 'Fails.',
  input: z.object({}),
  effect: 'read',
  execute: async () => {
    throw new ToolFailure('It cannot be done.')
  },
})

const usage = { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 }

const answer: ScriptedStep[] = [
  [{ tool: 'look', input: { where: 'the curtain' }, id: 'call1' }, { usage }],
  ['It is quiet.', { usage }],
]

const oracleWith = async (steps: readonly ScriptedStep[], env: Record<string, string> = {}) => {
  const collector = await startOtlpCollector()
  const log = recordedLogger()
  const oracle = await testApp({
    config: { name: 'Field Oracle' },
    plugins: [officePlugin({ tools: { look: style, fail } })],
    model: scriptedModel(steps),
    logger: log,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
  })
  return { ...oracle, collector, log }
}

const ask = async (actor: TestActor, headers: Record<string, string> = {}) =>
  readStream(await actor.request('/chat', { json: { id: 's1', message: 'Look behind the curtain' }, headers }))

const named = (spans: readonly CollectedSpan[], name: string) => spans.filter(span => span.name === name)

test('traces a turn from the request to each tool call, within the trace of the caller', async () => {
  const { app, actor, collector } = await oracleWith(answer)
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const stream = await ask(actor, { traceparent, 'x-request-id': 'req-1' })
  await app.close()
  await collector.close()
  const { spans } = collector
  const [request] = named(spans, 'POST /chat')
  const [agent] = named(spans, 'invoke_agent Field Oracle')
  const [tool] = named(spans, 'execute_tool look')
  const [first, second] = named(spans, 'chat scripted')
  expect(spans).toHaveLength(5)
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(['0af7651916cd43dd8448eb211c80319c']))
  expect(request).toMatchObject({
    parentSpanId: 'b7ad6b7169203331',
    kind: 2,
    failed: false,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/chat',
      'http.response.status_code': 200,
      'sibyl.request.id': 'req-1',
    },
    resource: { 'service.name': 'Field Oracle', 'service.version': expect.any(String) },
  })
  expect(agent).toMatchObject({
    parentSpanId: request?.spanId,
    kind: 1,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Field Oracle',
      'gen_ai.conversation.id': 's1',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 200,
      'gen_ai.usage.cache_read.input_tokens': 80,
      'gen_ai.usage.output_tokens': 20,
      'sibyl.turn.id': (stream.last!.messageMetadata as { turnId: string }).turnId,
      'sibyl.turn.outcome': 'done',
    },
  })
  expect(first).toMatchObject({
    parentSpanId: agent?.spanId,
    kind: 3,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.response.finish_reasons': ['tool-calls'],
    },
  })
  expect(second?.attributes['gen_ai.response.finish_reasons']).toEqual(['stop'])
  expect(tool).toMatchObject({
    parentSpanId: agent?.spanId,
    failed: false,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'call1',
      'gen_ai.tool.type': 'function',
    },
  })
  for (const span of spans) expect(span.endedAt).toBeGreaterThanOrEqual(span.startedAt)
  expect(agent!.startedAt).toBeGreaterThanOrEqual(request!.startedAt)
  expect(tool!.startedAt).toBeGreaterThanOrEqual(agent!.startedAt)
  expect(second!.startedAt).toBeGreaterThanOrEqual(tool!.endedAt)
})

test('records no messages, results or credentials', async () => {
  const { app, actor, collector } = await oracleWith(answer, { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key%2C1' })
  const token = await actor.token()
  await readStream(
    await app.request('/chat', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 's1', message: 'Look behind the curtain' }),
    }),
  )
  await app.request('/sessions/whatever?secret=in-the-query')
  await app.close()
  await collector.close()
  const bodies = collector.requests.map(({ body }) => body).join('')
  for (const text of ['curtain', 'quiet', 'secret', 'whatever', token, actor.did]) expect(bodies).not.toContain(text)
  expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'a key,1' } })
})

test('marks failures with the code in the stream', async () => {
  const { app, actor, collector } = await oracleWith([[{ tool: 'fail' }], { error: new TypeError('fetch failed') }])
  const { last } = await ask(actor)
  await app.close()
  await collector.close()
  const failed = collector.spans.filter(span => span.failed)
  const code = last?.code
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']]).toSorted()).toEqual([
    ['chat scripted', code],
    ['execute_tool fail', 'tool_failed'],
    ['invoke_agent Field Oracle', code],
  ])
})

test('a sampler decides which traces are recorded; unsampled callers stay unsampled', async () => {
  const { app, actor, collector } = await oracleWith([])
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00'
  await app.request('/.well-known/oracle.json', { headers: { traceparent } })
  await app.request('/.well-known/did.json', { headers: { traceparent: 'what is this' } })
  await actor.request('/no/such')
  await app.request('/health')
  await app.close()
  await collector.close()
  expect(collector.spans.map(({ name }) => name)).toEqual(['GET /.well-known/did.json', 'GET unmatched'])
  const never = await oracleWith([], { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })
  await never.actor.request('/sessions')
  await never.app.close()
  expect(never.collector.requests).toEqual([])
  await never.collector.close()
})

test('a collector that is absent, rejects or hangs fails no turn, and does not block shutdown', async () => {
  for (const status of [-1, 503, 400, 0]) {
    const { app, actor, collector, log } = await oracleWith([['fine'], ['fine']])
    if (status < 0) await collector.close()
    else collector.status = status
    const { text } = await ask(actor)
    expect(text).toBe('fine')
    await app.close()
    const warnings = log.lines.filter(({ message }) => message === 'traces could not be sent')
    expect(warnings).toHaveLength(1)
    if (status >= 0) await collector.close()
  }
})

test('is off by default, and off with OTEL_SDK_DISABLED', async () => {
  const collector = await startOtlpCollector()
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SDK_DISABLED: 'true' }]) {
    await using oracle = await testApp({ plugins: [], model: scriptedModel(['fine']), env: env as never })
    await oracle.chat('hi')
    const actor = testActor(oracle.app)
    await actor.request('/sessions')
  }
  expect(collector.requests).toEqual([])
  await collector.close()
})

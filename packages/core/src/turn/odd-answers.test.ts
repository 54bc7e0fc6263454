/** @module-tag long */
import {
  type FakeOpenAi,
  type FakeReply,
  type RawApi,
  rawEvents,
  startFakeOpenAi,
  startRawProvider,
  streamHead,
} from '@sibyl/models/testing'
import { defineTool } from '@sibyl/plugin'
import { readStream } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'
import { type UpstreamOracle, upstreamOracle } from '../testing/upstream-oracle.ts'

const apis: readonly RawApi[] = ['openai', 'openai-compatible']

describe.each(apis)('a strict model server behind %s', api => {
  let script: readonly FakeReply[] = []
  let count = 0
  let server: FakeOpenAi
  let upstream: UpstreamOracle
  beforeAll(async () => {
    server = await startFakeOpenAi({ replies: () => script[Math.min(count++, script.length - 1)]! })
    upstream = await upstreamOracle(api, server.url)
  })
  afterAll(async () => {
    await upstream[Symbol.asyncDispose]()
    await server.close()
  })

  /** Runs turns one after the other in one session. The last reply is repeated. */
  const session = async (replies: readonly FakeReply[], turns: number) => {
    script = replies
    count = 0
    const before = server.requests.length
    const id = crypto.randomUUID()
    const streams = []
    for (let turn = 0; turn < turns; turn += 1) streams.push(await upstream.send(`question ${turn}`, id))
    return { streams, requests: server.requests.slice(before) }
  }

  test.each<[string, FakeReply]>([
    ['failed', { status: 400, error: { message: 'no' } }],
    ['is empty', { text: '' }],
    ['is blank', { text: ' \n ' }],
    ['was filtered', { text: '', finish: 'content_filter' }],
  ])('answers the next turn after one that %s', async (_, reply) => {
    const { streams, requests } = await session([reply, reply, { text: 'fine' }], 3)
    expect(streams.at(-1)).toMatchObject({ text: 'fine', last: { type: 'finish' } })
    const sent = JSON.stringify(requests.at(-1)!.body)
    for (const turn of [0, 1, 2]) expect(sent).toContain(`question ${turn}`)
  })

  test('answers the next turn after a call without a text', async () => {
    const call: FakeReply = { toolCalls: [{ name: 'look', arguments: {} }] }
    const { streams } = await session([call, { status: 400 }, { text: 'fine' }], 2)
    expect(streams.at(-1)?.text).toBe('fine')
  })

  test.each(['{"amount":', '[1]', 'null', '"text"', '7', '{"amount":"all"}', ''])(
    'reads arguments %s as an object, and the error as the result',
    async input => {
      const call: FakeReply = { toolCalls: [{ name: 'pay', arguments: input }] }
      const { streams, requests } = await session([call, { text: 'fine' }], 2)
      expect(streams.map(({ text }) => text)).toEqual(['fine', 'fine'])
      if (input !== '') for (const request of requests.slice(1)) expect(JSON.stringify(request.body)).toMatch(/nvalid/)
    },
  )

  test('reads a call of a tool whose name no API takes', async () => {
    const call: FakeReply = { toolCalls: [{ name: `look up!${'x'.repeat(80)}`, arguments: {} }] }
    const { streams } = await session([call, { text: 'fine' }], 2)
    expect(streams.map(({ text }) => text)).toEqual(['fine', 'fine'])
  })
})

/** Runs turns against a provider that counts its call ids from 0 in each answer. */
const counted = async (api: RawApi, answers: readonly (readonly [string, unknown][])[], turns: number) => {
  await using provider = await startRawProvider((socket, _, number) => {
    const calls = answers[number - 1] ?? []
    const toolCalls = calls.map(([name, input]) => ({ name, arguments: input as Record<string, unknown> }))
    const answer = calls.length > 0 ? { toolCalls } : { text: 'fine' }
    const events = rawEvents(api, answer)
      .join('')
      .replace(/call_0{24}\d/g, 'call_0')
    socket.write(streamHead)
    socket.end(events)
  })
  await using upstream = await upstreamOracle(api, provider.url)
  const streams = []
  for (let turn = 0; turn < turns; turn += 1) streams.push(await upstream.send(`question ${turn}`))
  const { messages } = await (await upstream.oracle.actor.request('/sessions/s1')).json()
  return { streams, ran: upstream.ran, messages }
}

describe.each(apis)('a provider whose call ids are unique in one answer alone, behind %s', api => {
  const one = ['pay', { amount: 1 }] as [string, unknown]
  const two = ['pay', { amount: 2 }] as [string, unknown]

  test('runs the call of each answer', async () => {
    const { ran, streams, messages } = await counted(api, [[one], [two], [one]], 1)
    expect(ran).toEqual(['pay {"amount":1}', 'pay {"amount":2}', 'pay {"amount":1}'])
    expect(streams[0]?.last?.type).toBe('finish')
    const parts = messages.at(-1).parts.filter(({ type }: { type: string }) => type === 'tool-pay')
    expect(parts.map(({ input, state }: { input: unknown; state: string }) => [input, state])).toEqual([
      [{ amount: 1 }, 'output-available'],
      [{ amount: 2 }, 'output-available'],
      [{ amount: 1 }, 'output-available'],
    ])
  })

  test('runs the call of each turn', async () => {
    const { ran, streams } = await counted(api, [[one], [], [two], []], 3)
    expect(ran).toEqual(['pay {"amount":1}', 'pay {"amount":2}'])
    expect(streams.map(({ text }) => text)).toEqual(['fine', 'fine', 'fine'])
  })

  test('runs two calls of one answer that differ, and a repeat once', async () => {
    const { ran } = await counted(api, [[one, two, one, ['look', { amount: 1 }]], []], 1)
    expect(ran.toSorted()).toEqual(['look {"amount":1}', 'pay {"amount":1}', 'pay {"amount":2}'])
  })
})

test('null and a missing optional argument are the same', async () => {
  const inputs: unknown[] = []
  const note = defineTool({
    description: 'Notes',
    input: z.object({
      text: z.string(),
      tag: z.string().optional(),
      limit: z.number().default(5),
      due: z.string().nullable(),
      place: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
      rows: z.array(z.object({ name: z.string().optional() })).optional(),
    }),
    effect: 'read',
    execute: async input => {
      inputs.push(input)
      return 'noted'
    },
  })
  const given = { text: 'a', tag: null, limit: null, place: { city: 'x', zip: null }, rows: [{ name: null }] }
  const replies = [{ toolCalls: [{ name: 'note', arguments: given }] }, { text: 'fine' }]
  const server = await startFakeOpenAi({ replies })
  await using upstream = await upstreamOracle(
    'openai-compatible',
    server.url,
    {},
    { plugins: [officePlugin({ tools: { note } })] },
  )
  expect((await upstream.send()).text).toBe('fine')
  expect(inputs).toEqual([{ text: 'a', limit: 5, due: null, place: { city: 'x' }, rows: [{}] }])
  await server.close()
})

describe.each(apis)('the schema of an answer, behind %s', api => {
  const outputSchema = { type: 'object', properties: { depth: { type: 'number' } }, required: ['depth'] }

  test.each([outputSchema, { type: 'object' }])('is also sent as its form: %j', async schema => {
    const server = await startFakeOpenAi({ replies: () => ({ text: '{"depth":4}' }) })
    await using upstream = await upstreamOracle(api, server.url)
    const json = { id: 's1', message: 'How deep?', outputSchema: schema }
    expect((await readStream(await upstream.oracle.actor.request('/chat', { json }))).text).toBe('{"depth":4}')
    const { response_format, text } = server.requests[0]!.body as Record<string, { format?: unknown } | undefined>
    const form = JSON.stringify(response_format ?? text?.format)
    expect(form).toContain(schema === outputSchema ? '"strict":false' : 'json_object')
    await server.close()
  })

  test('is in the prompt alone where it describes no object', async () => {
    const server = await startFakeOpenAi({ replies: () => ({ text: '[1]' }) })
    await using upstream = await upstreamOracle(api, server.url)
    const json = { id: 's1', message: 'How deep?', outputSchema: { type: 'array', items: { type: 'number' } } }
    expect((await readStream(await upstream.oracle.actor.request('/chat', { json }))).text).toBe('[1]')
    expect(server.requests[0]?.body).not.toHaveProperty('response_format')
    await server.close()
  })

  test('is in the prompt alone for a server that rejects it', async () => {
    const server = await startFakeOpenAi({
      replies: ({ body }) =>
        JSON.stringify(body).includes('"strict":false') && 'response_format' in body
          ? { status: 400, error: { message: 'response_format json_schema is not supported' } }
          : { text: '{"depth":4}' },
    })
    await using upstream = await upstreamOracle(api, server.url)
    const json = { id: 's1', message: 'How deep?', outputSchema }
    for (const _ of [1, 2]) {
      expect((await readStream(await upstream.oracle.actor.request('/chat', { json }))).text).toBe('{"depth":4}')
    }
    expect(server.requests.length).toBe(api === 'openai' ? 2 : 3)
    await server.close()
  })
})

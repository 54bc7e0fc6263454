import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { recordedLogger } from '@sibyl/plugin/testing'
import { describe, expect, test } from 'vitest'
import { type JudgedScene, judgedRun, streamParts } from './judged-run.test.support.ts'

type Part = LanguageModelV4StreamPart

const usage = {
  inputTokens: { total: 10, noCache: 8, cacheRead: 2, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

const noUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

type Finish = Extract<Part, { type: 'finish' }>

const finish = (unified: Finish['finishReason']['unified'] = 'stop'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage,
})

const text = (id: string, ...deltas: string[]): Part[] => [
  { type: 'text-start', id },
  ...deltas.map((delta): Part => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]

const call = (toolName: string, input: unknown = {}, toolCallId = `${toolName}-1`): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})

const calls = (...made: Part[]): Part[] => [...made, finish('tool-calls')]

const end: Part[] = [...text('0', 'done'), finish()]

/** Runs a scene through both loops, that of the AI SDK and our own, also behind the guard, and compares them. */
const judge = async (scene: JudgedScene) => {
  const own = await judgedRun('own', scene)
  expect(own).toEqual(await judgedRun('experimental_streamTextLowMemory', scene))
  expect(own).toEqual(await judgedRun('streamText', scene))
  const guarded = await judgedRun('own', { ...scene, guarded: true })
  expect(guarded).toEqual(await judgedRun('experimental_streamTextLowMemory', { ...scene, guarded: true }))
  return own
}

const typesOf = (events: readonly string[]) => events.map(event => JSON.parse(event).type as string)

describe('the loop behaves like streamText', () => {
  test('streams an answer of text', async () => {
    const { events } = await judge({ answers: [[...text('a', 'Hello ', '', 'you'), finish()]] })
    expect(events).toEqual([
      '{"type":"start-step"}',
      '{"type":"text-start","id":"a"}',
      '{"type":"text-delta","id":"a","delta":"Hello "}',
      '{"type":"text-delta","id":"a","delta":"you"}',
      '{"type":"text-end","id":"a"}',
      '{"type":"finish-step"}',
    ])
  })

  test('answers the result of a call, with text IDs that are unique in a turn', async () => {
    const {
      events,
      requests,
      ran,
      usage: used,
      steps,
    } = await judge({
      answers: [[...text('0', 'I look. '), ...calls(call('echo', { n: 1 }))], end],
    })
    expect([requests.length, ran, steps]).toEqual([2, ['echo {"n":1}'], 2])
    expect(JSON.parse(used)).toEqual({ inputTokens: 20, cachedInputTokens: 4, outputTokens: 10 })
    expect(events.filter(event => event.includes('"text-start"')).at(-1)).toContain('made-up-0')
  })

  test('streams results in order of completion, and puts them into the prompt in order of calls', async () => {
    const { events, requests } = await judge({
      answers: [
        calls(call('echo', { rank: 3 }), call('words', { rank: 1 }), call('fail', { rank: 2 }), call('nothing')),
        end,
      ],
    })
    const outputs = events.filter(event => /"tool-output-/.test(event)).map(event => JSON.parse(event).toolCallId)
    expect(outputs).toEqual(['nothing-1', 'words-1', 'fail-1', 'echo-1'])
    const results = JSON.parse(requests[1]!).prompt.at(-1).content
    expect(results.map((one: { toolCallId: string }) => one.toolCallId)).toEqual([
      'echo-1',
      'words-1',
      'fail-1',
      'nothing-1',
    ])
  })

  test('runs calls whose inputs stream', async () => {
    await judge({
      answers: [
        calls(
          { type: 'tool-input-start', id: 'c', toolName: 'echo' },
          { type: 'tool-input-delta', id: 'c', delta: '{"n"' },
          { type: 'tool-input-delta', id: 'c', delta: ':1}' },
          { type: 'tool-input-end', id: 'c' },
          call('echo', { n: 1 }, 'c'),
        ),
        end,
      ],
    })
  })

  test.each([
    ['an unknown tool', call('unknown')],
    ['a name that objects have', call('constructor')],
    ['a tool that the caller may not call', call('locked')],
    ['a tool that is not loaded', call('dig')],
    ['input that is not JSON', call('echo', '{"n":1')],
    ['input that is not an object', call('echo', '7')],
    ['input that does not fit', call('echo', { n: 'one' })],
    ['input with a prototype', call('echo', '{"__proto__":{"n":1}}')],
    ['no input', call('echo', '')],
    ['a tool that fails', call('fail')],
    ['a tool that crashes', call('crash')],
  ])('sends the model the reason why it rejects %s', async (_, made) => {
    const { requests, error } = await judge({ answers: [calls(made, call('echo', {}, 'echo-2')), end] })
    expect([requests.length, error]).toEqual([2, undefined])
  })

  test('offers the tools of a capability that is loaded during the turn', async () => {
    const { requests, ran } = await judge({
      answers: [calls(call('load_capability', { names: ['shed'] })), calls(call('dig')), end],
    })
    expect(ran).toEqual(['echo {}'])
    const tools = requests.map(request => JSON.parse(request).tools.map(({ name }: { name: string }) => name))
    expect([tools[0].includes('dig'), tools[1].at(-1)]).toEqual([false, 'dig'])
  })

  test('ends at an approval, after it ran the other calls', async () => {
    const scene: JudgedScene = { answers: [calls(call('pay'), call('echo'))] }
    const { questions, ran, phase, finishReason } = await judge(scene)
    expect([questions.length, ran, phase, finishReason]).toEqual([1, ['echo {}'], 'waiting', 'tool-calls'])
    const denied = await judge({ answers: [calls(call('pay')), end], approvals: 'deny' })
    expect([denied.questions.length, denied.requests.length]).toEqual([0, 2])
  })

  test('suspends calls that ask questions', async () => {
    const { questions, phase, events } = await judge({
      answers: [calls(call('ask', { rank: 2 }), call('ask', { rank: 1 }, 'ask-2'), call('echo'))],
    })
    expect([questions.length, phase]).toEqual([2, 'waiting'])
    expect(typesOf(events).filter(type => type === 'data-question').length).toBe(2)
  })

  test.each(['length', 'content-filter', 'other'] as const)(
    'skips the calls of an answer truncated by %s',
    async reason => {
      const { ran, finishReason, steps } = await judge({
        answers: [[...text('0', 'so far'), call('echo'), finish(reason)]],
      })
      expect([ran, finishReason, steps]).toEqual([[], reason, 1])
    },
  )

  test.each(['length', 'content-filter'] as const)(
    'ends at a rejected call of an answer truncated by %s',
    async reason => {
      const { requests, finishReason } = await judge({ answers: [[call('echo', '{"n":'), finish(reason)], end] })
      expect([requests.length, finishReason]).toEqual([1, reason])
    },
  )

  test('gives a call another ID where an earlier step has its own', async () => {
    const { events, ran } = await judgedRun('own', {
      answers: [calls(call('echo')), calls(call('echo', { n: 1 })), end],
    })
    expect(ran).toEqual(['echo {}', 'echo {"n":1}'])
    const ids = events.flatMap(event => JSON.parse(event).toolCallId ?? [])
    expect(new Set(ids).size).toBe(2)
  })

  test('runs calls whose finish reason is stop', async () => {
    expect((await judge({ answers: [[call('echo'), finish('stop')], end] })).ran).toEqual(['echo {}'])
  })

  test('keeps the received part of an answer that fails, and runs no further step', async () => {
    const failing = (unified: 'stop' | 'error'): Part[] => [
      ...text('0', 'so far'),
      call('echo'),
      { type: 'error', error: new Error('broke') },
      finish(unified),
    ]
    const { error, finishReason, steps } = await judge({ answers: [failing('error')] })
    expect([error, finishReason, steps]).toEqual(['Error: broke', 'error', 1])
    const calm = { answers: [failing('stop')] }
    expect(await judgedRun('own', calm)).toEqual(await judgedRun('streamText', calm))
  })

  test('reports a model call that fails, first or later', async () => {
    expect((await judge({ answers: [] })).error).toBeDefined()
    const later = await judge({ answers: [calls(call('echo'))] })
    expect([later.steps, later.error === undefined]).toEqual([1, false])
  })

  test('reports a stream that breaks', async () => {
    const broken: JudgedScene = {
      answers: [
        () =>
          new ReadableStream({
            pull(controller) {
              controller.error(new Error('reset'))
            },
          }),
      ],
    }
    const own = await judgedRun('own', broken)
    expect(own.error).toBe((await judgedRun('streamText', broken)).error)
    expect(own.error).toBe('Error: reset')
  })

  test.each([
    ['nothing', []],
    ['no word', [{ type: 'text-start', id: '0' }]],
    ['half an answer', text('0', 'half')],
    ['a call', [call('echo')]],
  ] as [string, Part[]][])('accepts %s and no finish', async (_, parts) => {
    const scene = { answers: [parts] }
    const own = await judgedRun('own', scene)
    expect(own).toEqual(await judgedRun('experimental_streamTextLowMemory', scene))
    expect(own.ran).toEqual([])
  })

  test('counts missing usage', async () => {
    const { usage: used } = await judge({
      answers: [
        [...text('0', 'a'), { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: noUsage }],
      ],
    })
    expect(JSON.parse(used)).toEqual({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 })
  })

  test('stops at the maximum of steps, and at a repeated result', async () => {
    const again = ['a', 'b', 'c', 'd'].map(id => calls(call('echo', {}, id))).concat([end])
    expect((await judge({ answers: again })).steps).toBe(3)
    expect((await judge({ answers: again, maxSteps: 2 })).steps).toBe(2)
  })

  test('stops at an abort during an answer, during a call, and before the first', async () => {
    const stopped = (parts: Part[]): JudgedScene => ({
      answers: [
        (_, turn) => {
          const waiting = [...parts]
          return new ReadableStream(
            {
              async pull(controller) {
                const part = waiting.shift()
                if (part) return controller.enqueue(part)
                await new Promise(resolve => setImmediate(resolve))
                turn.cut('stopped')
                await new Promise(() => {})
              },
            },
            { highWaterMark: 0 },
          )
        },
      ],
    })
    for (const parts of [[], text('0', 'so far'), [...text('0', 'so far'), call('echo'), call('pay')]]) {
      const own = await judgedRun('own', stopped(parts))
      // Only the loop of the oracle estimates the usage of a step that was cut.
      const judged = await judgedRun('experimental_streamTextLowMemory', stopped(parts))
      expect({ ...own, usage: judged.usage }).toEqual(judged)
      expect([own.error, own.steps]).toEqual([undefined, 0])
      const guarded = { ...stopped(parts), guarded: true }
      expect((await judgedRun('own', guarded)).events).toEqual(
        (await judgedRun('experimental_streamTextLowMemory', guarded)).events,
      )
    }
  })

  test('logs parts out of order, and the turn fails after the loop', async () => {
    const scene: JudgedScene = {
      answers: [[{ type: 'text-delta', id: 'x', delta: 'stray' }, ...calls(call('echo'))], end],
    }
    const { error, requests } = await judge(scene)
    expect([error, requests.length]).toEqual(['text part x not found', 2])
  })
})

const metadata = (facts: Record<string, string>) => ({ providerMetadata: { provider: facts } })

/** Answers in the style of known providers: their IDs, their metadata, the order of their parts. */
const manners: Record<string, Part[]> = {
  'restarts block numbers in each answer and signs its thoughts': [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'msg_1', modelId: 'm' },
    { type: 'reasoning-start', id: '0' },
    { type: 'reasoning-delta', id: '0', delta: 'Hm. ' },
    { type: 'reasoning-delta', id: '0', delta: '', ...metadata({ signature: 'sig' }) },
    { type: 'reasoning-end', id: '0' },
    { type: 'reasoning-start', id: '1', ...metadata({ redactedData: 'xx' }) },
    { type: 'reasoning-end', id: '1' },
    ...text('2', 'I look.'),
    call('echo', { n: 1 }, 'toolu_1'),
    finish('tool-calls'),
  ],
  'names its items, and gives its thoughts as ciphertexts': [
    { type: 'response-metadata', id: 'resp_1', modelId: 'm', timestamp: new Date(0) },
    { type: 'reasoning-start', id: 'rs_1:0', ...metadata({ itemId: 'rs_1', reasoningEncryptedContent: 'a' }) },
    { type: 'reasoning-end', id: 'rs_1:0', ...metadata({ itemId: 'rs_1', reasoningEncryptedContent: 'b' }) },
    { type: 'text-start', id: 'msg_1', ...metadata({ itemId: 'msg_1' }) },
    { type: 'text-delta', id: 'msg_1', delta: 'I look.' },
    { type: 'text-end', id: 'msg_1', ...metadata({ itemId: 'msg_1', phase: 'commentary' }) },
    { ...call('echo', { n: 1 }, 'call_1'), ...metadata({ itemId: 'fc_1' }) } as Part,
    finish('tool-calls'),
  ],
  'searches on its own, and lists its sources': [
    {
      ...call('web_search', { query: 'tides' }, 'srv_1'),
      providerExecuted: true,
      dynamic: true,
      ...metadata({ itemId: 'ws_1' }),
    } as Part,
    {
      type: 'tool-result',
      toolCallId: 'srv_1',
      toolName: 'web_search',
      result: [{ url: 'https://example.org' }],
      dynamic: true,
    },
    {
      type: 'source',
      sourceType: 'url',
      id: 's1',
      url: 'https://example.org',
      title: 'Tides',
      ...metadata({ a: 'b' }),
    },
    {
      type: 'source',
      sourceType: 'document',
      id: 's2',
      mediaType: 'application/pdf',
      title: 'Tables',
      filename: 't.pdf',
    },
    ...text('txt-0', 'High at six.'),
    call('echo', { n: 1 }, 'c1'),
    finish('tool-calls'),
  ],
  'runs code on its own, which fails': [
    { ...call('code_execution', { code: '1/0' }, 'srv_1'), providerExecuted: true, dynamic: true } as Part,
    {
      type: 'tool-result',
      toolCallId: 'srv_1',
      toolName: 'code_execution',
      result: { code: 'E' },
      isError: true,
      dynamic: true,
    },
    { ...call('unknown', {}, 'srv_2'), providerExecuted: true } as Part,
    { type: 'tool-result', toolCallId: 'srv_2', toolName: 'unknown', result: 'gone', isError: true },
    call('echo', { n: 1 }, 'c1'),
    finish('tool-calls'),
  ],
  'asks whether a call of its own may run': [
    { ...call('shell', { command: 'ls' }, 'srv_1'), providerExecuted: true, dynamic: true } as Part,
    { type: 'tool-approval-request', approvalId: 'apr_1', toolCallId: 'srv_1' },
    { type: 'tool-approval-request', approvalId: 'apr_2', toolCallId: 'gone' },
    finish('tool-calls'),
  ],
  'draws, also while it thinks': [
    { type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2]) } },
    {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: 'iVBORw0KGgo=' },
      ...metadata({ thoughtSignature: 't' }),
    },
    { type: 'custom', kind: 'provider.compaction', ...metadata({ itemId: 'cmp_1' }) },
    call('echo', { n: 1 }, 'c1'),
    finish('tool-calls'),
  ],
  'says that it is alive, and sends what it got': [
    { type: 'raw', rawValue: { a: 1 } },
    { type: 'ping' } as Part,
    ...text('0', 'alive'),
    finish(),
  ],
}

test.each(Object.entries(manners))('a provider that %s', async (_, parts) => {
  const again = parts
    .slice(0, -1)
    .map(part => ('toolCallId' in part ? { ...part, toolCallId: `${part.toolCallId}-2` } : part))
  await judge({ answers: [parts, [...again, finish('stop')], end] })
})

describe('an earlier conversation', () => {
  const messages: JudgedScene['messages'] = [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '', providerOptions: { p: { id: 'r' } } },
        { type: 'text', text: '' },
        { type: 'text', text: 'I look.', providerOptions: { p: { id: 't' } } },
        {
          type: 'file',
          data: { type: 'url', url: new URL('data:image/png;base64,iVBORw0KGgo=') },
          mediaType: 'image/*',
        },
        {
          type: 'reasoning-file',
          data: { type: 'url', url: new URL('data:image/png;base64,AQI=') },
          mediaType: 'image/png',
        },
        { type: 'custom', kind: 'p.block' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'echo', input: { n: 1 } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'web', input: {}, providerExecuted: true },
        { type: 'tool-result', toolCallId: 'c2', toolName: 'web', output: { type: 'json', value: [1] } },
        { type: 'tool-call', toolCallId: 'c3', toolName: 'pay', input: {} },
        { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c3' },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'echo', output: { type: 'text', value: 'x' } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c3',
          toolName: 'pay',
          output: { type: 'error-text', value: 'no' },
          providerOptions: { p: { id: 'x' } },
        },
      ],
    },
    { role: 'assistant', content: 'done' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'see', providerOptions: { p: { cache: true } } },
        {
          type: 'file',
          data: { type: 'url', url: new URL('data:text/plain;base64,iVBORw0KGgo=') },
          mediaType: 'text/plain',
          filename: 'a',
        },
        {
          type: 'file',
          data: { type: 'url', url: new URL('https://files.example/a.pdf') },
          mediaType: 'application/pdf',
        },
        { type: 'file', data: { type: 'reference', reference: { p: 'file-1' } }, mediaType: 'image/png' },
      ],
    },
  ]

  test('is sent to the model as streamText sends it', async () => {
    const supportedUrls = { 'application/*': [/^https:\/\/files\.example\//] }
    const { requests, error } = await judge({ messages, supportedUrls, answers: [calls(call('echo')), end] })
    expect([requests.length, error]).toEqual([2, undefined])
  })

  test('omits a call without a result', async () => {
    const { requests, error } = await judge({ messages: messages.slice(0, 3), answers: [end] })
    expect(requests).toEqual([])
    expect(error).toContain('c3')
  })
})

test('a part of unknown type is logged once, and dropped', async () => {
  const log = recordedLogger()
  const odd = { type: 'hologram', id: '1' } as unknown as Part
  const { error, events } = await judgedRun('own', { log, answers: [[odd, odd, ...end]] })
  expect([error, typesOf(events).at(-1)]).toEqual([undefined, 'finish-step'])
  expect(log.lines.filter(({ fields }) => fields.type === 'hologram').length).toBe(1)
})

test('logs warnings of the provider', async () => {
  const log = recordedLogger()
  const warnings = [{ type: 'other' as const, message: 'be careful' }]
  await judgedRun('own', { log, answers: [[{ type: 'stream-start', warnings }, ...end]] })
  expect(log.lines.some(({ fields }) => JSON.stringify(fields).includes('be careful'))).toBe(true)
})

test('a call that continues after the turn was stopped adds nothing, and the loop does not wait for it', async () => {
  let stop = () => {}
  const scene: JudgedScene = {
    answers: [
      (_, turn) => {
        stop = () => turn.cut('stopped')
        return streamParts(calls(call('echo', { rank: 1 }), call('words', { rank: 2 })))
      },
    ],
    onToolRun: () => stop(),
  }
  const { events, steps } = await judgedRun('own', scene)
  expect([steps, events.filter(event => event.includes('tool-output'))]).toEqual([1, []])
})

import { HttpAgent, type RunAgentInput } from '@ag-ui/client'
import { definePlugin, defineTool, PersonNeeded } from '@sibyl/plugin'
import { weather } from '@sibyl/plugin-weather'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { agUi } from './ag-ui.ts'

const key = 'k-0123456789abcdef'
const otherKey = 'o-0123456789abcdef'

type Options = Partial<Parameters<typeof testApp>[0]>
type Event = Readonly<Record<string, unknown>> & { readonly type: string }

/** Starts an oracle on a port, and agents that run on it. */
const start = async ({ env, ...options }: Options = {}) => {
  const oracle = await testApp({
    plugins: [],
    adapters: [agUi()],
    config: { name: 'Field Oracle' },
    ...options,
    env: {
      ORACLE_API_KEYS: `app:${key}:*,other:${otherKey}:*:did:example:other`,
      HOST: '127.0.0.1',
      PORT: '0',
      ...env,
    },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const agentOf = (threadId: string, apiKey = key) =>
    new HttpAgent({ url: `${url}/ag-ui`, threadId, headers: { authorization: `Bearer ${apiKey}` } })
  const post = (body: object | string, { apiKey = key, signal }: { apiKey?: string; signal?: AbortSignal } = {}) =>
    fetch(`${url}/ag-ui`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  return { oracle, url, agentOf, post }
}

/** Runs an agent, and returns the events of the run. */
const run = async (agent: HttpAgent, parameters: Parameters<HttpAgent['runAgent']>[0] = {}): Promise<Event[]> => {
  const events: Event[] = []
  await agent.runAgent(parameters, { onEvent: ({ event }) => void events.push(event as Event) })
  return events
}

const send = (agent: HttpAgent, content: string) => agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })

const reply = (threadId: string, content: string, rest: Partial<RunAgentInput> = {}) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: 'user', content }],
  ...rest,
})

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type)

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

const readEvents = async (response: Response): Promise<Event[]> =>
  (await response.text())
    .split('\n\n')
    .filter(frame => frame.startsWith('data: '))
    .map(frame => JSON.parse(frame.slice('data: '.length)) as Event)

const textOf = ({ messages }: HttpAgent) => messages.at(-1)?.content

/** A tool that asks before it pays, and one that asks for a site while it runs. */
const shop = () => {
  const paid: number[] = []
  const plugin = definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'always' },
    setup: () => ({
      tools: {
        pay: defineTool({
          description: 'Pays an amount.',
          input: z.object({ amount: z.number() }),
          effect: 'write',
          approval: 'user',
          describe: ({ amount }) => `Pay ${amount} €`,
          async execute({ amount }) {
            paid.push(amount)
            return 'paid'
          },
        }),
        choose_site: defineTool({
          description: 'Asks for a site.',
          input: z.object({}),
          effect: 'read',
          async execute(_, { answer }) {
            if (answer) return answer.accepted ? answer.data : 'no site'
            const schema = { type: 'object', properties: { site: { type: 'string' } } } as const
            throw new PersonNeeded({ text: 'Which site?', schema })
          },
        }),
      },
    }),
  })
  return { plugin, paid }
}

/** A tool that runs until its turn is stopped. */
const slow = () => {
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const plugin = definePlugin({
    name: 'slow',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Slow', summary: 'Waits.', whenToUse: ['someone waits'], load: 'always' },
    setup: () => ({
      tools: {
        wait: defineTool({
          description: 'Waits.',
          input: z.object({}),
          effect: 'read',
          execute: (_, { signal }) =>
            new Promise<string>(resolve => {
              begin()
              signal.addEventListener('abort', () => {
                stop()
                resolve('stopped')
              })
            }),
        }),
      },
    }),
  })
  return { plugin, started, stopped }
}

const sensor = {
  name: 'read_sensor',
  description: 'Reads a sensor.',
  parameters: { type: 'object', properties: { well: { type: 'string' } }, required: ['well'] },
}

test('a run has its text, the calls and results of the oracle’s tools, and its usage', async () => {
  const provider = await startLocalProvider()
  onTestFinished(() => provider.stop())
  const { agentOf } = await start({ plugins: [weather()], env: { WEATHER_BASE_URL: provider.url } })
  const agent = agentOf('t1')
  send(agent, "What's the weather in Berlin?")
  const events = await run(agent)
  expect([...new Set(typesOf(events))]).toEqual([
    'RUN_STARTED',
    'STATE_SNAPSHOT',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'CUSTOM',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
  expect(events[0]).toMatchObject({ threadId: 't1', protocolVersion: '1.0' })
  expect(events.find(({ type }) => type === 'CUSTOM')).toMatchObject({
    name: 'sibyl.capability',
    value: { name: 'weather' },
  })
  expect(events.at(-1)).toMatchObject({
    outcome: { type: 'success' },
    usage: [{ model: 'offline', totalTokens: expect.any(Number) }],
  })
  const roles = agent.messages.map(({ role }) => role)
  expect(roles.slice(0, 3)).toEqual(['user', 'assistant', 'tool'])
  expect(textOf(agent)).toBe('It is 14 °C in Berlin with slight rain.')
  const calls = agent.messages.flatMap(message => ('toolCalls' in message ? (message.toolCalls ?? []) : []))
  expect(calls.map(({ function: { name } }) => name)).toContain('get_current_weather')
})

test('a thread is a session, and a client without its messages gets them', async () => {
  const model = scriptedModel(['one', 'two'])
  const { agentOf, oracle, post } = await start({ model })
  const agent = agentOf('t1')
  send(agent, 'first')
  expect(typesOf(await run(agent))).not.toContain('MESSAGES_SNAPSHOT')
  const other = agentOf('t1')
  send(other, 'second')
  expect(typesOf(await run(other)).slice(0, 3)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT'])
  expect(other.messages.map(({ content }) => content)).toEqual(['first', 'one', 'second', 'two'])
  const { messages } = await (
    await oracle.app.request('/sessions/t1', { headers: { authorization: `Bearer ${key}` } })
  ).json()
  expect(messages).toHaveLength(4)
  const reading = agentOf('t1')
  await run(reading)
  expect(reading.messages.map(({ content }) => content)).toEqual(['first', 'one', 'second', 'two'])
  const stranger = await readEvents(await post({ threadId: 't1', runId: 'r' }, { apiKey: otherKey }))
  expect(stranger.find(({ type }) => type === 'MESSAGES_SNAPSHOT')).toMatchObject({ messages: [] })
})

/** Returns the stored messages of a thread as texts. */
const storedTexts = async (oracle: Awaited<ReturnType<typeof start>>['oracle'], apiKey = key): Promise<string[]> => {
  const answer = await oracle.app.request('/sessions/t1', { headers: { authorization: `Bearer ${apiKey}` } })
  const { messages } = (await answer.json()) as { messages: { parts: { type: string; text?: string }[] }[] }
  return messages.map(({ parts }) => parts.flatMap(({ text }) => text ?? []).join(''))
}

const textsOf = ({ messages }: HttpAgent) => messages.map(({ content }) => content)

await onEachEngine('running a thread again', engine => {
  const startWith = async (steps: Parameters<typeof scriptedModel>[0], options: Options = {}) => {
    const model = scriptedModel(steps)
    const { env, ...rest } = options
    return { ...(await start({ model, ...rest, env: { DATABASE_URL: await engine.emptyDatabase(), ...env } })), model }
  }

  /** Says two things on the thread. */
  const talk = async (agent: HttpAgent) => {
    for (const [id, content] of [
      ['u1', 'first'],
      ['u2', 'second'],
    ] as const) {
      agent.addMessage({ id, role: 'user', content })
      await run(agent)
    }
  }

  test('the last message again gives another answer in place of the one before', async () => {
    const { agentOf, oracle, model } = await startWith(['one', 'two', 'other two', 'other one'])
    const agent = agentOf('t1')
    await talk(agent)
    agent.setMessages(agent.messages.slice(0, -1))
    expect(typesOf(await run(agent))).not.toContain('MESSAGES_SNAPSHOT')
    expect(textsOf(agent)).toEqual(['first', 'one', 'second', 'other two'])
    expect(await storedTexts(oracle)).toEqual(['first', 'one', 'second', 'other two'])
    expect(JSON.stringify(model.calls[2]?.prompt)).not.toContain('two')
    agent.setMessages(agent.messages.slice(0, 1))
    await run(agent)
    expect(textsOf(agent)).toEqual(['first', 'other one'])
    expect(await storedTexts(oracle)).toEqual(['first', 'other one'])
  })

  test('an edited message replaces the one with its id, and everything after it', async () => {
    const { agentOf, oracle } = await startWith(['one', 'two', 'edited one', 'three'])
    const agent = agentOf('t1')
    await talk(agent)
    agent.setMessages([{ id: 'u1', role: 'user', content: 'first, edited' }])
    await run(agent)
    expect(await storedTexts(oracle)).toEqual(['first, edited', 'edited one'])
    agent.addMessage({ id: 'u3', role: 'user', content: 'third' })
    expect(typesOf(await run(agent))).not.toContain('MESSAGES_SNAPSHOT')
    expect(textsOf(agent)).toEqual(['first, edited', 'edited one', 'third', 'three'])
  })

  test('an answer that changed something stays, and the client gets it again', async () => {
    const { plugin, paid } = shop()
    const steps = [{ tool: 'pay', input: { amount: 5 } }, 'paid 5', 'you paid already']
    const { agentOf, oracle, model } = await startWith(steps, { plugins: [plugin] })
    const agent = agentOf('t1')
    agent.addMessage({ id: 'u1', role: 'user', content: 'Pay 5' })
    await run(agent)
    const interruptId = agent.pendingInterrupts[0]!.id
    await run(agent, { resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] })
    agent.setMessages([{ id: 'u1', role: 'user', content: 'Pay 5' }])
    expect(typesOf(await run(agent))).toContain('MESSAGES_SNAPSHOT')
    const texts = textsOf(agent).filter(text => text !== undefined)
    expect(texts).toEqual(['Pay 5', 'paid', 'paid 5', 'Pay 5', 'you paid already'])
    expect(agent.messages.filter(({ id }) => id === 'u1')).toHaveLength(1)
    expect(await storedTexts(oracle)).toEqual(['Pay 5', 'paid 5', 'Pay 5', 'you paid already'])
    expect([paid, JSON.stringify(model.calls[2]?.prompt).includes('paid 5')]).toEqual([[5], true])
  })

  test('a new message after a shortened list, or one that shares nothing, is added, and the client gets what it lacks', async () => {
    const { agentOf, oracle } = await startWith(['one', 'two', 'three', 'four'])
    const agent = agentOf('t1')
    await talk(agent)
    agent.setMessages([...agent.messages.slice(0, 2), { id: 'u3', role: 'user', content: 'third' }])
    await run(agent)
    expect(textsOf(agent)).toEqual(['first', 'one', 'second', 'two', 'third', 'three'])
    agent.setMessages([
      { id: 'x1', role: 'user', content: 'elsewhere' },
      { id: 'x2', role: 'assistant', content: 'yes' },
      { id: 'x3', role: 'user', content: 'fourth' },
    ])
    await run(agent)
    const all = ['first', 'one', 'second', 'two', 'third', 'three', 'fourth', 'four']
    expect(textsOf(agent)).toEqual(all)
    expect(await storedTexts(oracle)).toEqual(all)
  })

  test('ids of answers, and of threads of others, replace nothing', async () => {
    const { agentOf, oracle, post } = await startWith(['one', 'two', 'mine', 'again'])
    const agent = agentOf('t1')
    await talk(agent)
    const { messages } = await (
      await oracle.app.request('/sessions/t1', { headers: { authorization: `Bearer ${key}` } })
    ).json()
    const forged = { id: messages[1].id, role: 'user', content: 'forged' }
    expect(await codeOf(await post({ threadId: 't1', runId: 'r1', messages: [forged] }))).toEqual([
      409,
      'message_id_taken',
    ])
    const stranger = agentOf('t1', otherKey)
    stranger.addMessage({ id: 'u1', role: 'user', content: 'not yours' })
    await run(stranger)
    expect(textsOf(stranger)).toEqual(['not yours', 'mine'])
    expect(await storedTexts(oracle)).toEqual(['first', 'one', 'second', 'two'])
    expect(await storedTexts(oracle, otherKey)).toEqual(['not yours', 'mine'])
  })

  test.runIf(engine.name === 'sqlite')('a list of 10,000 messages is read, and one of more is refused', async () => {
    const { post, oracle, model } = await startWith(['fine', 'fine again'])
    const listOf = (length: number) =>
      Array.from({ length }, (_, index) => ({
        id: `m${index}`,
        role: index === length - 1 || index % 2 === 0 ? 'user' : 'assistant',
        content: `text ${index}`,
      }))
    const list = listOf(10_000)
    expect((await readEvents(await post({ threadId: 't1', runId: 'r1', messages: list }))).at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
    })
    expect(await storedTexts(oracle)).toHaveLength(402)
    const again = await readEvents(await post({ threadId: 't1', runId: 'r2', messages: list }))
    expect(again.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
    expect(await storedTexts(oracle)).toHaveLength(402)
    expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('fine')
    const refused = await post({ threadId: 't1', runId: 'r3', messages: listOf(10_001) })
    expect(await codeOf(refused)).toEqual([400, 'input_invalid'])
  })

  test('the same run again is one turn', async () => {
    const { post, oracle } = await startWith(['one', 'two'])
    const body = { threadId: 't1', runId: 'r1', messages: [{ id: 'u1', role: 'user', content: 'first' }] }
    const [one, two] = await Promise.all([post(body), post(body)])
    const deltas = (events: readonly Event[]) => events.flatMap(({ delta }) => delta ?? [])
    expect(deltas(await readEvents(one))).toEqual(deltas(await readEvents(two)))
    expect(await storedTexts(oracle)).toEqual(['first', 'one'])
  })
})

test('messages that a client holds of a new thread are its history', async () => {
  const model = scriptedModel(['fine'])
  const { post } = await start({ model })
  const messages = [
    { id: '1', role: 'user', content: 'The pump leaks' },
    { id: '2', role: 'assistant', content: 'Noted' },
    { id: '3', role: 'user', content: 'And now?' },
  ]
  await (await post({ threadId: 't1', runId: 'r1', messages })).text()
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('The pump leaks')
})

test('the model reads the context, the instructions and the state of the application, which stays as it is', async () => {
  const model = scriptedModel(['fine'])
  const { agentOf } = await start({ model })
  const agent = agentOf('t1')
  agent.state = { selected: 'A-17' }
  agent.addMessage({ id: 's', role: 'system', content: 'Be brief.' })
  send(agent, 'hello')
  await run(agent, { context: [{ description: 'Open page', value: 'wells' }] })
  const prompt = JSON.stringify(model.calls[0]?.prompt)
  for (const text of ['Be brief.', 'Open page: wells', 'A-17']) expect(prompt).toContain(text)
  expect(agent.state).toEqual({
    selected: 'A-17',
    sibyl: { sessionId: 't1', turnId: expect.stringMatching(/^turn_/) },
  })
})

test('an approval interrupts the run, and resume approves it once', async () => {
  const { plugin, paid } = shop()
  const { agentOf } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done']),
  })
  const agent = agentOf('t1')
  send(agent, 'Pay 5')
  const [interrupt] = [(await run(agent)).at(-1)?.outcome as { type: string; interrupts: { id: string }[] }].flatMap(
    ({ interrupts }) => interrupts,
  )
  expect(interrupt).toMatchObject({
    reason: 'tool_call',
    message: 'Pay 5 €\n\namount: 5',
    toolCallId: expect.any(String),
    responseSchema: { required: ['approved'] },
  })
  expect(paid).toEqual([])
  expect(agent.pendingInterrupts).toHaveLength(1)
  const resume = [{ interruptId: interrupt!.id, status: 'resolved', payload: { approved: true } }] as const
  const events = await run(agent, { resume: [...resume] })
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: 'paid' })
  expect(textOf(agent)).toBe('done')
  expect(paid).toEqual([5])
  const again = await run(agent, { resume: [...resume] })
  expect(paid).toEqual([5])
  expect(again.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
})

test.each([
  ['denied', { status: 'resolved', payload: { approved: false } }],
  ['cancelled', { status: 'cancelled' }],
] as const)('an approval that is %s runs nothing', async (_, answer) => {
  const { plugin, paid } = shop()
  const { agentOf } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'not paid']),
  })
  const agent = agentOf('t1')
  send(agent, 'Pay 5')
  await run(agent)
  await run(agent, { resume: [{ interruptId: agent.pendingInterrupts[0]!.id, ...answer }] })
  expect([paid, textOf(agent)]).toEqual([[], 'not paid'])
})

test('a question of a tool is an interrupt, and its answer goes to the tool', async () => {
  const { plugin } = shop()
  const { agentOf } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'choose_site', input: {} }, 'chosen']),
  })
  const agent = agentOf('t1')
  send(agent, 'Choose')
  await run(agent)
  expect(agent.pendingInterrupts).toMatchObject([
    { reason: 'input_required', message: 'Which site?', responseSchema: { properties: { site: {} } } },
  ])
  const resume = [
    { interruptId: agent.pendingInterrupts[0]!.id, status: 'resolved' as const, payload: { site: 'Kitwe' } },
  ]
  const events = await run(agent, { resume })
  expect(events.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({ content: '{"site":"Kitwe"}' })
})

test('a front-end tool ends the run with its call, and the result of the client goes on', async () => {
  const model = scriptedModel([
    { tool: 'read_sensor', input: { well: 'A-17' }, id: 'call-1' },
    'It is 4 m deep.',
    'Bye.',
  ])
  const { agentOf } = await start({ model })
  const agent = agentOf('t1')
  send(agent, 'How deep is the well?')
  const first = await run(agent, { tools: [sensor] })
  expect(first.at(-1)).toMatchObject({ outcome: { type: 'success', pendingToolCallIds: ['call-1'] } })
  agent.addMessage({ id: 'result', role: 'tool', toolCallId: 'call-1', content: '4 m' })
  const second = await run(agent, { tools: [sensor] })
  expect(typesOf(second)).not.toContain('TOOL_CALL_RESULT')
  expect(textOf(agent)).toBe('It is 4 m deep.')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('4 m')
  send(agent, 'Thanks')
  await run(agent, { tools: [sensor] })
  expect(textOf(agent)).toBe('Bye.')
})

test('a run that answers only a part of what the thread waits for says what is left, and the turn goes on with the rest', async () => {
  const { plugin, paid } = shop()
  const { agentOf, post } = await start({
    plugins: [plugin],
    model: scriptedModel([
      [
        { tool: 'pay', input: { amount: 5 } },
        { tool: 'read_sensor', input: { well: 'A-17' }, id: 'call-1' },
      ],
      'all done',
    ]),
  })
  const agent = agentOf('t1')
  send(agent, 'Pay and measure')
  await run(agent, { tools: [sensor] })
  const [interrupt] = agent.pendingInterrupts
  const resume = [{ interruptId: interrupt!.id, status: 'resolved', payload: true }]
  const partly = await readEvents(
    await post({ threadId: 't1', runId: 'r2', protocolVersion: '1.0', resume, tools: [sensor] }),
  )
  expect(partly.at(-1)).toMatchObject({ outcome: { type: 'success', pendingToolCallIds: ['call-1'] } })
  expect(paid).toEqual([])
  const messages = [{ id: 'x', role: 'tool', toolCallId: 'call-1', content: '4 m' }]
  const rest = await readEvents(await post({ threadId: 't1', runId: 'r3', messages, tools: [sensor] }))
  const deltas = rest.flatMap(({ type, delta }) => (type === 'TEXT_MESSAGE_CONTENT' ? [delta] : []))
  expect(deltas.join('')).toBe('all done')
  expect(paid).toEqual([5])
})

test('a result that nothing waits for reads the thread', async () => {
  const { post } = await start({ model: scriptedModel(['hello']) })
  await (await post(reply('t1', 'hi'))).text()
  const messages = [{ id: 'x', role: 'tool', toolCallId: 'gone', content: '4 m' }]
  const events = await readEvents(await post({ threadId: 't1', runId: 'r2', messages }))
  expect(typesOf(events)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED'])
})

test('stored messages need session/read, as elsewhere', async () => {
  const scopes = `app:${key}:chat/*:did:example:ada,reader:${otherKey}:chat/*+session/read:did:example:ada`
  const model = scriptedModel(['hello', 'again', 'and again'])
  const { post } = await start({ model, env: { ORACLE_API_KEYS: scopes } })
  await (await post(reply('t1', 'hi'))).text()
  const reading = { threadId: 't1', runId: 'r2', messages: [] }
  const typesFor = async (body: object, apiKey: string) => typesOf(await readEvents(await post(body, { apiKey })))
  expect(await typesFor(reply('t1', 'more'), key)).not.toContain('MESSAGES_SNAPSHOT')
  expect(await typesFor(reading, key)).toEqual(['RUN_STARTED', 'STATE_SNAPSHOT', 'RUN_FINISHED'])
  expect(await typesFor(reply('t1', 'even more'), otherKey)).toContain('MESSAGES_SNAPSHOT')
  expect(await typesFor({ ...reading, runId: 'r3' }, otherKey)).toContain('MESSAGES_SNAPSHOT')
})

test('a turn that fails ends the run with an error', async () => {
  const { post } = await start({
    model: scriptedModel([
      () => {
        throw new Error('no')
      },
    ]),
  })
  const events = await readEvents(await post(reply('t1', 'hi')))
  expect(events.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: expect.any(String), code: expect.any(String) })
})

test('clients from before 1.0 get no version, and their files are read', async () => {
  const { post } = await start({ model: scriptedModel(['hello']) })
  const [started] = await readEvents(await post(reply('t1', 'hi')))
  expect(started).not.toHaveProperty('protocolVersion')
  const content = [{ type: 'binary', mimeType: 'image/png', data: 'aGk=' }]
  const refused = await post({ threadId: 't1', runId: 'r2', messages: [{ id: '1', role: 'user', content }] })
  expect(await codeOf(refused)).toEqual([422, 'attachments_off'])
})

test('an agent that is aborted stops its turn', async () => {
  const { plugin, started, stopped } = slow()
  const { agentOf } = await start({ plugins: [plugin], model: scriptedModel([{ tool: 'wait', input: {} }, 'done']) })
  const agent = agentOf('t1')
  send(agent, 'wait')
  const running = agent.runAgent().catch(() => {})
  await started
  agent.abortRun()
  await stopped
  await running
})

test('a client that disconnects stops the turn that it resumed', async () => {
  const { plugin, started, stopped } = slow()
  const { post } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'read_sensor', input: {}, id: 'call-1' }, { tool: 'wait', input: {} }, 'done']),
  })
  await (await post({ ...reply('t1', 'hi'), tools: [sensor] })).text()
  const disconnecting = new AbortController()
  const messages = [{ id: 'x', role: 'tool', toolCallId: 'call-1', content: '4 m' }]
  const response = await post({ threadId: 't1', runId: 'r2', messages }, { signal: disconnecting.signal })
  await started
  disconnecting.abort()
  await stopped
  await response.text().catch(() => {})
})

test.each([
  ['no JSON', '{"threadId":', 400, 'json_invalid'],
  ['no thread', { runId: 'r' }, 400, 'input_invalid'],
  ['a thread that is a path', { threadId: '../x', runId: 'r' }, 400, 'input_invalid'],
  ['messages that are a text', { threadId: 't', runId: 'r', messages: 'hi' }, 400, 'input_invalid'],
  ['129 tools', { ...reply('t', 'hi'), tools: Array.from({ length: 129 }, () => sensor) }, 400, 'input_invalid'],
  ['a tool without a name', { ...reply('t', 'hi'), tools: [{ ...sensor, name: 'a b' }] }, 400, 'input_invalid'],
  [
    'a tool of the oracle',
    { ...reply('t', 'hi'), tools: [{ ...sensor, name: 'load_capability' }] },
    409,
    'client_tool_taken',
  ],
  ['two tools of a name', { ...reply('t', 'hi'), tools: [sensor, sensor] }, 409, 'client_tool_taken'],
  ['a long message', reply('t', 'x'.repeat(128_001)), 400, 'ag_ui_message_too_long'],
  [
    'a file elsewhere',
    {
      threadId: 't',
      runId: 'r',
      messages: [{ id: '1', role: 'user', content: [{ type: 'image', source: { type: 'url', value: 'http://x' } }] }],
    },
    400,
    'ag_ui_content_unsupported',
  ],
  [
    'deep state',
    { ...reply('t', 'hi'), state: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) },
    400,
    'json_too_deep',
  ],
  [
    'a result of 10 MB',
    {
      threadId: 't',
      runId: 'r',
      messages: [{ id: '1', role: 'tool', toolCallId: 'c', content: 'x'.repeat(10_000_000) }],
    },
    413,
    'body_too_large',
  ],
  [
    'an unknown interrupt',
    { threadId: 't', runId: 'r', resume: [{ interruptId: 'x', status: 'resolved', payload: true }] },
    404,
    'approval_not_found',
  ],
])('a body with %s is refused', async (_, body, status, code) => {
  const { post } = await start({ plugins: [shop().plugin] })
  expect(await codeOf(await post(body))).toEqual([status, code])
})

test('a question is answered only by its own user, and only with yes or no', async () => {
  const { plugin, paid } = shop()
  const { agentOf, post } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done']),
  })
  const agent = agentOf('t1')
  send(agent, 'Pay 5')
  await run(agent)
  const interruptId = agent.pendingInterrupts[0]!.id
  const answer = (payload: unknown, apiKey = key) =>
    post(
      { threadId: 't1', runId: crypto.randomUUID(), resume: [{ interruptId, status: 'resolved', payload }] },
      { apiKey },
    )
  expect(await codeOf(await answer(true, otherKey))).toEqual([404, 'approval_not_found'])
  expect(await codeOf(await answer('perhaps'))).toEqual([400, 'ag_ui_answer_invalid'])
  expect(paid).toEqual([])
  await (await answer(true)).text()
  expect(paid).toEqual([5])
})

test.each(['no', { approved: 'false' }, true])(
  'the answer %j does not decide a question of another thread',
  async payload => {
    const { plugin, paid } = shop()
    const { agentOf, post } = await start({
      plugins: [plugin],
      model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done']),
    })
    const agent = agentOf('t1')
    send(agent, 'Pay 5')
    await run(agent)
    const resume = [{ interruptId: agent.pendingInterrupts[0]!.id, status: 'resolved', payload }]
    const response = await post({ threadId: 't2', runId: 'r1', resume })
    expect(await codeOf(response)).toEqual([404, 'approval_not_found'])
    expect(paid).toEqual([])
  },
)

test('callers without a key, or without the scope, are rejected', async () => {
  const { post } = await start({
    env: { ORACLE_API_KEYS: `app:${key}:*,reader:${otherKey}:session/read` },
  })
  expect(await codeOf(await post(reply('t', 'hi'), { apiKey: 'w-0123456789abcdef' }))).toEqual([
    401,
    'credential_unknown',
  ])
  expect(await codeOf(await post(reply('t', 'hi'), { apiKey: otherKey }))).toEqual([403, 'scope_missing'])
})

test('in production it is on only where ORACLE_ADAPTERS names it', async () => {
  const env = { NODE_ENV: 'production', ORACLE_ACCESS: 'open' }
  const off = await start({ env })
  expect((await off.post(reply('t', 'hi'))).status).toBe(404)
  const on = await start({ env: { ...env, ORACLE_ADAPTERS: 'ag-ui' }, model: scriptedModel(['hello']) })
  expect((await on.post(reply('t', 'hi'))).status).toBe(200)
  const record = await (await on.oracle.app.request('/.well-known/oracle.json')).json()
  expect(record).toMatchObject({ endpoints: { 'ag-ui': `${on.url}/ag-ui` } })
})

import { definePlugin, defineTool, type OraclePlugin } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const clientTools = [
  {
    name: 'get_location',
    description: 'Returns where the user is.',
    inputSchema: { type: 'object', properties: { exact: { type: 'boolean' } } },
  },
]

const boot = async (
  steps: readonly ScriptedStep[],
  plugins: OraclePlugin[] = [],
  env: Readonly<Record<string, string>> = {},
) => {
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins, model, env })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const ask = (text: string, rest: object = {}) =>
    oracle.actor.request('/chat', { json: { id: 's1', message: text, clientTools, ...rest } })
  /** Sends the last answer with a result, as `useChat` does after `addToolOutput`. */
  const send = async (result: object, rest: object = {}) => {
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    const answer = messages.at(-1)
    const parts = answer.parts.map((part: object) => ('toolCallId' in part ? { ...part, ...result } : part))
    return oracle.actor.request('/chat', { json: { id: 's1', messages: [{ ...answer, parts }], clientTools, ...rest } })
  }
  return { oracle, model, ask, send }
}

const call: ScriptedStep = { tool: 'get_location', input: { exact: true }, id: 'where' }

test('the client runs its own tool, and the same answer continues with the result', async () => {
  const { model, ask, send } = await boot([call, 'You are in Kitwe.'])
  const first = await readStream(await ask('Where am I?'))
  expect(first.events.map(({ type }) => type)).toEqual([
    'start',
    'start-step',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-available',
    'data-client-call',
    'finish-step',
    'finish',
  ])
  expect(first.last).toMatchObject({ messageMetadata: { outcome: 'awaiting-approval' } })
  expect(model.calls[0]?.tools).toContain('get_location')
  const second = await readStream(await send({ state: 'output-available', output: { city: 'Kitwe' } }))
  expect(second.text).toBe('You are in Kitwe.')
  expect(second.events[0]).toMatchObject({ messageId: first.events[0]?.messageId })
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Kitwe')
})

test('a history in the form of messages for models returns the result of a tool', async () => {
  const { oracle, model } = await boot([call, 'You are in Kitwe.', call, 'I do not know.'])
  const send = async (messages: readonly object[]) =>
    readStream(await oracle.actor.request('/chat', { json: { id: 's1', messages, clientTools } }))
  const asked = { role: 'user', content: [{ type: 'text', text: 'Where am I?' }] }
  const called = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'where', toolName: 'get_location' }] }
  const returned = (output: object) => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'where', toolName: 'get_location', output }],
  })
  await send([asked, { role: 'assistant', content: [] }])
  expect((await send([asked, called, returned({ type: 'json', value: { city: 'Kitwe' } })])).text).toBe(
    'You are in Kitwe.',
  )
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('"city":"Kitwe"')
  await send([{ role: 'user', content: 'And now?' }])
  expect((await send([called, returned({ type: 'error-text', value: 'no signal' })])).text).toBe('I do not know.')
  expect(JSON.stringify(model.calls[3]?.prompt)).toContain('no signal')
})

test('a tool without a description is offered too', async () => {
  const { model, ask } = await boot([call])
  await readStream(await ask('Where am I?', { clientTools: [{ ...clientTools[0], description: '' }] }))
  expect(model.calls[0]?.tools).toContain('get_location')
})

test('an error of the client reaches the model', async () => {
  const { model, ask, send } = await boot([call, 'I cannot see where you are.'])
  await readStream(await ask('Where am I?'))
  const { text } = await readStream(await send({ state: 'output-error', errorText: 'no permission' }))
  expect(text).toBe('I cannot see where you are.')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain("The client ran 'get_location' with an error: no permission")
})

test('a result counts once', async () => {
  const { ask, send } = await boot([call, 'You are in Kitwe.'])
  await readStream(await ask('Where am I?'))
  const result = { state: 'output-available', output: 'Kitwe' }
  await readStream(await send(result))
  const again = await send(result)
  expect([again.status, (await again.json()).code]).toEqual([400, 'message_missing'])
})

test('a new message closes a call that the client never ran, and the model reads it', async () => {
  const { model, oracle, ask } = await boot([call, 'Hello.'])
  await readStream(await ask('Where am I?'))
  expect((await readStream(await ask('Never mind'))).text).toBe('Hello.')
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  expect(messages[1].parts).toContainEqual(expect.objectContaining({ toolCallId: 'where', state: 'output-denied' }))
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('closed before it was answered')
})

test('rejects a result of another caller, or in another session', async () => {
  const { oracle, ask } = await boot([call])
  await readStream(await ask('Where am I?'))
  const part = { type: 'tool-get_location', toolCallId: 'where', state: 'output-available', input: {}, output: 'Kitwe' }
  const elsewhere = await oracle.actor.request('/chat', {
    json: { id: 's2', messages: [{ role: 'assistant', parts: [part] }], clientTools },
  })
  expect([elsewhere.status, (await elsewhere.json()).code]).toEqual([400, 'message_missing'])
})

test.each([
  ['load_capability', 409, 'client_tool_taken'],
  ['not a name', 400, 'input_invalid'],
])('rejects a client tool named %j', async (name, status, code) => {
  const { ask } = await boot([])
  const answer = await ask('hi', { clientTools: [{ ...clientTools[0], name }] })
  expect([answer.status, (await answer.json()).code]).toEqual([status, code])
})

test('rejects client tools that are too large together, on each way to a turn', async () => {
  const { ask, send, model } = await boot([call])
  const large = [{ ...clientTools[0], inputSchema: { type: 'object', description: 'x'.repeat(400_000) } }]
  const codeOf = async (answer: Response) => [answer.status, (await answer.json()).code]
  expect(await codeOf(await ask('hi', { clientTools: large }))).toEqual([409, 'client_tools_too_large'])
  expect(model.calls).toEqual([])
  await readStream(await ask('Where am I?'))
  const result = { state: 'output-available', output: 'here' }
  expect(await codeOf(await send(result, { clientTools: large }))).toEqual([409, 'client_tools_too_large'])
  expect(model.calls).toHaveLength(1)
})

test("a client's tool may have the name of the oracle's, which is then offered under a prefix", async () => {
  const { model, oracle, ask, send } = await boot(
    [{ tool: 'pay', input: {}, id: 'own' }, { tool: 'oracle_pay', input: {} }, 'Paid twice.'],
    [pay],
  )
  const tools = { clientTools: ['pay', 'mcp_files_read'].map(name => ({ ...clientTools[0], name })) }
  const first = await readStream(await ask('Pay', tools))
  expect(model.calls[0]?.tools).toEqual(expect.arrayContaining(['pay', 'oracle_pay', 'mcp_files_read']))
  expect(first.events.map(({ type }) => type)).toContain('data-client-call')
  const { events } = await readStream(await send({ state: 'output-available', output: 'by the client' }, tools))
  const approvalId = events.find(({ type }) => type === 'tool-approval-request')?.approvalId
  // The approval is decided elsewhere, where the tools of the client are unknown.
  const decided = await oracle.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once' } })
  expect((await readStream(decided)).text).toBe('Paid twice.')
  expect(JSON.stringify(model.calls[2]?.prompt)).toContain('by the client')
  expect(JSON.stringify(model.calls[2]?.prompt)).toContain('"paid"')
})

const pay = definePlugin({
  name: 'shop',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'always' },
  setup: () => ({
    tools: {
      pay: defineTool({
        description: 'Pays.',
        input: z.object({}),
        effect: 'write',
        approval: 'user',
        execute: async () => 'paid',
      }),
    },
  }),
})

test('an approval that is decided before the result arrives keeps the turn waiting; the result continues it', async () => {
  const { model, oracle, ask, send } = await boot([[{ tool: 'pay', input: {} }, call], 'Paid in Kitwe.'], [pay])
  const { events } = await readStream(await ask('Pay where I am'))
  const approvalId = events.find(({ type }) => type === 'tool-approval-request')?.approvalId
  const decided = await oracle.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once' } })
  expect([decided.status, await decided.json()]).toEqual([202, { waiting: [expect.stringMatching(/^question_/)] }])
  expect(model.calls).toHaveLength(1)
  const result = { state: 'output-available', output: 'Kitwe' }
  expect((await readStream(await send(result))).text).toBe('Paid in Kitwe.')
  expect(model.calls).toHaveLength(2)
})

test('the result of a call is not the answer to an approval', async () => {
  const { oracle, ask, send } = await boot([[{ tool: 'pay', input: {} }, call], 'Paid in Kitwe.'], [pay])
  await readStream(await ask('Pay where I am'))
  const forged = await send({ state: 'output-available', output: 'paid' })
  expect([forged.status, (await forged.json()).code]).toEqual([409, 'approval_waiting'])
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  const part = messages.at(-1).parts.find(({ type }: { type: string }) => type === 'tool-pay')
  expect(part.state).toBe('approval-requested')
})

test('a call without a result fails when its time is over, and the model goes on without the tool', async () => {
  const { model, oracle, ask } = await boot([call, 'I cannot see where you are.'], [], {
    CLIENT_TOOL_TIME_LIMIT_SECONDS: '1',
  })
  await readStream(await ask('Where am I?'))
  await expect.poll(() => model.calls.length).toBe(2)
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('It returned no result within 1 s.')
  expect(model.calls[1]?.tools).not.toContain('get_location')
  const answer = async () => {
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    return messages.at(-1).parts.at(-1).text
  }
  await expect.poll(answer).toBe('I cannot see where you are.')
})

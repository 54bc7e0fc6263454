import { readStream, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'

const clientTools = [
  {
    name: 'get_location',
    description: 'Returns where the user is.',
    inputSchema: { type: 'object', properties: { exact: { type: 'boolean' } } },
  },
]

const boot = async (steps: readonly ScriptedStep[]) => {
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins: [], model })
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

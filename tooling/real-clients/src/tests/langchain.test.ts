import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

/** The chat model of LangChain, as far as the tests use it. */
interface ChatModel {
  bindTools(tools: readonly object[], options?: object): ChatModel
  withStructuredOutput(schema: object, options: object): ChatModel
  invoke(messages: readonly unknown[]): Promise<Message>
  stream(messages: readonly unknown[]): Promise<AsyncIterable<Message>>
}
interface Message {
  readonly text: string
  readonly tool_calls?: readonly { readonly id: string; readonly name: string; readonly args: object }[]
}

const { ChatOpenAI } = clients('@langchain/openai') as { ChatOpenAI: new (options: object) => ChatModel }
const { ToolMessage } = clients('@langchain/core/messages') as { ToolMessage: new (fields: object) => unknown }

const sensor = {
  type: 'function',
  function: {
    name: 'read_sensor',
    description: 'Reads a sensor.',
    parameters: { type: 'object', properties: { well: { type: 'string' } }, required: ['well'] },
  },
}
const depthForm = {
  title: 'Depth',
  type: 'object',
  properties: { depth: { type: 'number' } },
  required: ['depth'],
  additionalProperties: false,
}

test.each([
  ['chat completions', false],
  ['responses', true],
])('LangChain streams, calls its tools and reads an answer with a schema, by %s', async (_, useResponsesApi) => {
  const { url, oracle } = await startOracle([
    'Hello there.',
    [
      'Both.',
      { tool: 'read_sensor', input: { well: 'A-17' }, id: 'a' },
      { tool: 'read_sensor', input: { well: 'B-3' }, id: 'b' },
    ],
    'They are 4 and 9 m deep.',
    '{"depth":4}',
  ])
  const model = new ChatOpenAI({
    model: 'field-oracle',
    apiKey: key,
    maxRetries: 0,
    useResponsesApi,
    zdrEnabled: useResponsesApi,
    configuration: { baseURL: `${url}/v1` },
  })
  const messages: unknown[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
  ]
  let hello = ''
  for await (const part of await model.stream(messages)) hello += part.text
  expect(hello).toBe('Hello there.')
  messages.push({ role: 'assistant', content: hello }, { role: 'user', content: 'How deep are the wells?' })
  const withTools = model.bindTools([sensor])
  const called = await withTools.invoke(messages)
  expect(called.tool_calls).toMatchObject([
    { id: 'a', name: 'read_sensor', args: { well: 'A-17' } },
    { id: 'b', name: 'read_sensor', args: { well: 'B-3' } },
  ])
  const result = (tool_call_id: string, content: string) => new ToolMessage({ tool_call_id, content })
  messages.push(called, result('a', '4 m'), result('b', '9 m'))
  expect((await withTools.invoke(messages)).text).toBe('They are 4 and 9 m deep.')
  const formed = model.withStructuredOutput(depthForm, { name: 'depth', method: 'jsonSchema' })
  expect(await formed.invoke([{ role: 'user', content: 'How deep is A-17?' }])).toEqual({ depth: 4 })
  const sessions = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
  expect((await sessions.json()).sessions).toHaveLength(2)
})

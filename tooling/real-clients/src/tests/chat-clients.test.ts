import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

/** The client of Anthropic, as far as the tests use it. */
interface Messages {
  create(request: object): Promise<Message>
  stream(request: object): MessageStream
  countTokens(request: object): Promise<{ readonly input_tokens: number }>
}
interface Message {
  readonly stop_reason: string
  readonly content: unknown
}
interface MessageStream {
  on(event: 'text', listener: (text: string) => void): MessageStream
  finalMessage(): Promise<Message>
}

/** The client of Ollama, as far as the tests use it. */
interface OllamaClient {
  list(): Promise<{ readonly models: readonly { readonly name: string }[] }>
  chat(request: { readonly stream: true; readonly [field: string]: unknown }): Promise<AsyncIterable<OllamaPart>>
  chat(request: object): Promise<OllamaPart>
}
interface OllamaPart {
  readonly message: { readonly content: string; readonly tool_calls?: unknown }
  readonly done: boolean
  readonly done_reason?: string
}

const { default: Anthropic } = clients('@anthropic-ai/sdk') as {
  default: new (options: object) => { readonly messages: Messages }
}
const { Ollama } = clients('ollama') as { Ollama: new (options: object) => OllamaClient }

const sensor = {
  name: 'read_sensor',
  description: 'Reads a sensor.',
  schema: { type: 'object', properties: { well: { type: 'string' } } },
}

/** The steps of a turn that calls the tool of the client, and goes on with its result. */
const steps = [{ tool: 'read_sensor', input: { well: 'A-17' }, id: 'call-1' }, 'It is 4 m deep.'] as const

test('the SDK of Anthropic streams, calls a tool of its own and continues one session', async () => {
  const { url, model, oracle } = await startOracle(['Hello.', ...steps, ...steps])
  const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 })
  const rest = {
    model: 'field-oracle',
    max_tokens: 100,
    system: 'Be brief.',
    tools: [{ name: sensor.name, description: sensor.description, input_schema: sensor.schema }],
  }
  const first = await client.messages.create({ ...rest, messages: [{ role: 'user', content: 'Hi' }] })
  expect(first).toMatchObject({ type: 'message', stop_reason: 'end_turn', content: [{ type: 'text', text: 'Hello.' }] })
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Be brief.')
  const counted = await client.messages.countTokens({
    ...rest,
    messages: [{ role: 'user', content: 'a'.repeat(4_000) }],
  })
  expect(counted.input_tokens).toBeGreaterThan(1_000)
  const messages: object[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: first.content },
    { role: 'user', content: [{ type: 'text', text: 'How deep?' }] },
  ]
  const called = await client.messages.stream({ ...rest, messages }).finalMessage()
  expect([called.stop_reason, called.content]).toEqual([
    'tool_use',
    [expect.objectContaining({ type: 'tool_use', id: 'call-1', name: 'read_sensor', input: { well: 'A-17' } })],
  ])
  messages.push({ role: 'assistant', content: called.content })
  messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: '4 m' }] })
  const deltas: string[] = []
  const stream = client.messages.stream({ ...rest, messages }).on('text', text => deltas.push(text))
  expect((await stream.finalMessage()).content).toMatchObject([{ type: 'text', text: 'It is 4 m deep.' }])
  expect(deltas.join('')).toBe('It is 4 m deep.')
  const sessions = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
  expect((await sessions.json()).sessions).toHaveLength(1)
  const stranger = new Anthropic({ apiKey: 'wrong-0123456789abcdef', baseURL: url, maxRetries: 0 })
  await expect(stranger.messages.create({ ...rest, messages })).rejects.toMatchObject({ status: 401 })
  const choice = { type: 'tool', name: 'unknown' }
  await expect(client.messages.create({ ...rest, messages, tool_choice: choice })).rejects.toMatchObject({
    status: 400,
    error: { type: 'error', error: { type: 'invalid_request_error' } },
  })
})

test('the client of Ollama lists the oracle, streams, and calls a tool of its own', async () => {
  const { url, model } = await startOracle(['Hello.', ...steps, '{"depth":4}'])
  const client = new Ollama({ host: url, headers: { authorization: `Bearer ${key}` } })
  expect((await client.list()).models.map(({ name }) => name)).toEqual(['field-oracle'])
  const messages: object[] = [{ role: 'user', content: 'Hi' }]
  let text = ''
  for await (const part of await client.chat({ model: 'field-oracle', messages, stream: true })) {
    text += part.message.content
    if (part.done) expect(part.done_reason).toBe('stop')
  }
  expect(text).toBe('Hello.')
  messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'How deep?' })
  const tools = [{ type: 'function', function: { name: sensor.name, description: '', parameters: sensor.schema } }]
  const called = await client.chat({ model: 'field-oracle', messages, tools })
  expect(called.message.tool_calls).toMatchObject([{ function: { name: 'read_sensor', arguments: { well: 'A-17' } } }])
  messages.push(called.message, { role: 'tool', tool_name: 'read_sensor', content: '4 m' })
  const answer = await client.chat({ model: 'field-oracle', messages, tools })
  expect([answer.message.content, answer.done]).toEqual(['It is 4 m deep.', true])
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('4 m')
  const format = { type: 'object', properties: { depth: { type: 'number' } } }
  const formed = await client.chat({ model: 'x', messages: [{ role: 'user', content: 'Depth?' }], format })
  expect(JSON.parse(formed.message.content)).toEqual({ depth: 4 })
  const stranger = new Ollama({ host: url, headers: { authorization: 'Bearer wrong-0123456789abcdef' } })
  await expect(stranger.list()).rejects.toMatchObject({ status_code: 401 })
})

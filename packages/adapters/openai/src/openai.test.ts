import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { weather } from '@sibyl/plugin-weather'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { type ScriptedCall, scriptedModel } from '@sibyl/testing'
import type OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { key, shop, start } from './openai.test.support.ts'

const startWithWeather = async () => {
  const provider = await startLocalProvider()
  onTestFinished(() => provider.stop())
  return start({ plugins: [weather()], env: { WEATHER_BASE_URL: provider.url } })
}

/** A model that answers with the number of messages that the user sent. */
const countingModel = () =>
  scriptedModel(
    Array.from({ length: 9 }, () => ({ prompt }: ScriptedCall) => {
      const texts = prompt.filter(({ role }) => role === 'user')
      return `answer ${texts.length}`
    }),
  )

test('the oracle is the one model', async () => {
  const { client } = await start()
  const models = await client.models.list()
  expect(models.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([['field-oracle', 'sibyl']])
  expect(await client.models.retrieve('gpt-5')).toMatchObject({ id: 'field-oracle', object: 'model' })
})

test('a chat completion answers with a tool of the oracle, and its usage', async () => {
  const { client } = await startWithWeather()
  const completion = await client.chat.completions.create({
    model: 'field-oracle',
    messages: [{ role: 'user', content: "What's the weather in Berlin?" }],
  })
  expect(completion.choices).toEqual([
    {
      index: 0,
      message: { role: 'assistant', content: 'It is 14 °C in Berlin with slight rain.', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ])
  expect(completion.usage?.total_tokens).toBeGreaterThan(0)
  expect(completion).toMatchObject({
    sibyl: {
      outcome: 'done',
      events: expect.arrayContaining([expect.objectContaining({ name: 'get_current_weather' })]),
    },
  })
})

test('a streamed completion comes in pieces, and its usage where it is asked for', async () => {
  const { client } = await startWithWeather()
  const stream = await client.chat.completions.create({
    model: 'field-oracle',
    messages: [{ role: 'user', content: "What's the weather in Berlin?" }],
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  const finishes: string[] = []
  let usage: number | undefined
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason)
    usage = chunk.usage?.total_tokens ?? usage
  }
  expect(text).toBe('It is 14 °C in Berlin with slight rain.')
  expect(finishes).toEqual(['stop'])
  expect(usage).toBeGreaterThan(0)
})

test('a conversation that the client holds continues in one session, and a changed one in another with its history', async () => {
  const model = countingModel()
  const { client, oracle } = await start({ model })
  const ask = (...messages: OpenAI.ChatCompletionMessageParam[]) =>
    client.chat.completions.create({ model: 'x', messages })
  const sessions = async () => {
    const response = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
    return ((await response.json()) as { sessions: { id: string; title: string }[] }).sessions
  }
  await ask({ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'one' })
  const second = await ask(
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: ' answer 1\n' },
    { role: 'user', content: 'two' },
  )
  expect(second.choices[0]?.message.content).toBe('answer 2')
  expect(await sessions()).toHaveLength(1)
  const edited = await ask(
    { role: 'user', content: 'other' },
    { role: 'assistant', content: 'answer 1' },
    { role: 'user', content: 'three' },
  )
  expect(edited.choices[0]?.message.content).toBe('answer 2')
  expect((await sessions()).map(({ title }) => title)).toEqual(['other', 'one'])
  const prompt = JSON.stringify(model.calls.at(-1)?.prompt)
  expect(prompt).toContain('other')
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('Be brief.')
  expect(prompt).not.toContain('Be brief.')
})

test('an approval is a question in the text, and yes in the next message approves it once', async () => {
  const { plugin, paid } = shop()
  const { client } = await start({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done']),
  })
  const first = await client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content: 'Pay 5' }] })
  const question = first.choices[0]?.message.content ?? ''
  expect(question).toBe('Pay 5 €\n\n```text\namount: 5\n```\n\nAnswer yes, always or no.')
  expect(first).toMatchObject({ sibyl: { outcome: 'awaiting-approval', approvals: [expect.any(String)] } })
  expect(paid).toEqual([])
  const second = await client.chat.completions.create({
    model: 'x',
    messages: [
      { role: 'user', content: 'Pay 5' },
      { role: 'assistant', content: question },
      { role: 'user', content: 'Yes.' },
    ],
  })
  expect(second.choices[0]?.message.content).toBe('done')
  expect(paid).toEqual([5])
})

test('errors have the form of OpenAI', async () => {
  const { client, connect, url } = await start({ env: { RATE_LIMIT_DID_PER_MINUTE: '6' } })
  const user = { role: 'user', content: 'hi' } as const
  await expect(connect('wrong-0123456789abcdef').models.list()).rejects.toMatchObject({
    status: 401,
    type: 'authentication_error',
    code: 'credential_unknown',
  })
  const create = (rest: object) => client.chat.completions.create({ model: 'x', messages: [user], ...rest })
  await expect(create({ messages: [user, { role: 'assistant', content: 'hi' }] })).rejects.toMatchObject({
    status: 400,
    code: 'openai_message_missing',
  })
  const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nothing' } } }
  await expect(create({ response_format: format })).rejects.toMatchObject({
    status: 400,
    code: 'output_schema_invalid',
  })
  await expect(create({ n: 2 })).rejects.toMatchObject({ status: 400, code: 'openai_not_supported' })
  await expect(create({ messages: 'hi' })).rejects.toMatchObject({
    status: 400,
    type: 'invalid_request_error',
    code: 'input_invalid',
    param: 'messages',
    message: expect.stringContaining('/messages: '),
  })
  await expect(
    create({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'nobody', content: 7 },
      ],
    }),
  ).rejects.toMatchObject({
    code: 'input_invalid',
    param: expect.stringMatching(/^messages\[1\]/),
  })
  const malformed = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"messages":',
  })
  expect([malformed.status, await malformed.json()]).toEqual([
    400,
    { error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'json_invalid' } },
  ])
  await expect(create({})).rejects.toMatchObject({ status: 429, type: 'rate_limit_error', code: 'rate_limited' })
})

test('a key whose scopes do not include chat is refused', async () => {
  const { client } = await start({ env: { ORACLE_API_KEYS: `app:${key}:session/read` } })
  await expect(client.models.list()).rejects.toMatchObject({ status: 403, code: 'scope_missing' })
})

test('a client that disconnects stops its turn', async () => {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  const slow = definePlugin({
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
              signal.addEventListener('abort', () => {
                stop()
                resolve('stopped')
              })
            }),
        }),
      },
    }),
  })
  const { client } = await start({ plugins: [slow], model: scriptedModel([{ tool: 'wait', input: {} }, 'done']) })
  const stream = await client.chat.completions.create({
    model: 'x',
    messages: [{ role: 'user', content: 'wait' }],
    stream: true,
  })
  for await (const chunk of stream) if ('sibyl' in chunk) break
  await stopped
})

test('a response is stored, read, gone on from, branched and deleted', async () => {
  const model = countingModel()
  const { client } = await start({ model })
  const first = await client.responses.create({ model: 'x', input: 'one', metadata: { trip: 'north' } })
  expect([first.status, first.output_text, first.metadata]).toEqual(['completed', 'answer 1', { trip: 'north' }])
  const second = await client.responses.create({ model: 'x', input: 'two', previous_response_id: first.id })
  expect([second.output_text, second.conversation]).toEqual(['answer 2', first.conversation])
  const branch = await client.responses.create({ model: 'x', input: 'other', previous_response_id: first.id })
  expect(branch.output_text).toBe('answer 2')
  expect(branch.conversation?.id).not.toBe(first.conversation?.id)
  const named = await client.responses.create({ model: 'x', input: 'three', conversation: first.conversation!.id })
  expect(named.output_text).toBe('answer 3')
  expect((await client.responses.retrieve(first.id)).output_text).toBe('answer 1')
  await client.responses.delete(first.id)
  await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({
    status: 404,
    code: 'openai_response_unknown',
  })
})

test('a response that is not to be stored leaves none of its text, and its session continues', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sibyl-openai-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { client } = await start({
    model: scriptedModel(['first answer', 'unstored answer', 'another answer']),
    env: { DATABASE_URL: `file:${join(folder, 'oracle.db')}` },
  })
  const first = await client.responses.create({ model: 'x', input: 'one' })
  const next = { model: 'x', previous_response_id: first.id }
  const { id } = await client.responses.create({ ...next, input: 'unstored question', store: false })
  await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  expect((await client.responses.create({ ...next, input: 'other' })).output_text).toBe('another answer')
  const db = new DatabaseSync(join(folder, 'oracle.db'))
  onTestFinished(() => db.close())
  const rows = JSON.stringify(db.prepare('select * from openai_responses').all())
  expect(rows).toContain('first answer')
  expect(rows).not.toContain('unstored')
})

test('a response of another caller is unknown', async () => {
  const { client, connect } = await start({
    env: { ORACLE_API_KEYS: `app:${key}:*,other:o-0123456789abcdef:*:did:example:other` },
  })
  const { id } = await client.responses.create({ model: 'x', input: 'hello' })
  const other = connect('o-0123456789abcdef')
  await expect(other.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  await expect(other.responses.create({ model: 'x', input: 'hi', previous_response_id: id })).rejects.toMatchObject({
    status: 404,
  })
})

test('a streamed response has the events of the Responses API, and a failed turn fails it', async () => {
  const { client } = await start({ model: scriptedModel(['hello']) })
  const stream = client.responses.stream({ model: 'x', input: 'hi' })
  const types: string[] = []
  for await (const event of stream) types.push(event.type)
  expect(types).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect((await stream.finalResponse()).output_text).toBe('hello')
})

test('an adapter is on in production only if ORACLE_ADAPTERS names it, and an unknown name is a boot error', async () => {
  const env = { NODE_ENV: 'production', ORACLE_ACCESS: 'open' }
  const off = await start({ env })
  await expect(off.client.models.list()).rejects.toMatchObject({ status: 404 })
  const on = await start({ env: { ...env, ORACLE_ADAPTERS: 'openai' } })
  expect((await on.client.models.list()).data).toHaveLength(1)
  const record = await (await on.oracle.app.request('/.well-known/oracle.json')).json()
  expect(record).toMatchObject({ endpoints: { openai: `${on.url}/v1` } })
  await expect(start({ env: { ORACLE_ADAPTERS: 'openia' } })).rejects.toThrow("unknown adapter 'openia'")
})

test('a tool of the client ends the turn with tool_calls, and its result continues it', async () => {
  const model = scriptedModel([
    { tool: 'read_sensor', input: { well: 'A-17' }, id: 'call-1' },
    'It is 4 m deep.',
    'Bye.',
  ])
  const { client, oracle } = await start({ model })
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: 'function',
      function: {
        name: 'read_sensor',
        description: 'Reads a sensor.',
        parameters: { type: 'object', properties: { well: { type: 'string' } }, required: ['well'] },
      },
    },
  ]
  const user = { role: 'user', content: 'How deep is the well?' } as const
  const first = await client.chat.completions.create({ model: 'x', messages: [user], tools })
  const [choice] = first.choices
  expect(choice).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ type: 'function', function: { name: 'read_sensor', arguments: '{"well":"A-17"}' } }] },
  })
  const call = choice!.message.tool_calls![0]!
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    user,
    choice!.message,
    { role: 'tool', tool_call_id: call.id, content: '4 m' },
  ]
  const second = await client.chat.completions.create({ model: 'x', messages, tools })
  expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It is 4 m deep.' } })
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('4 m')
  const third = await client.chat.completions.create({
    model: 'x',
    messages: [...messages, second.choices[0]!.message, { role: 'user', content: 'Thanks' }],
    tools,
  })
  expect(third.choices[0]?.message.content).toBe('Bye.')
  const { sessions } = await (
    await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
  ).json()
  expect(sessions).toHaveLength(1)
})

test("a tool of the client may have the name of the oracle's, and none of core's", async () => {
  const { client } = await start({ plugins: [weather()] })
  const ask = (name: string) => {
    const tools = [{ type: 'function', function: { name, parameters: { type: 'object' } } } as const]
    return client.chat.completions.create({ model: 'x', messages: [{ role: 'user', content: 'hi' }], tools })
  }
  expect(await ask('get_forecast')).toMatchObject({ object: 'chat.completion' })
  await expect(ask('load_capability')).rejects.toMatchObject({ status: 409, code: 'client_tool_taken' })
})

test('a result that no turn waits for is refused', async () => {
  const { client } = await start()
  await expect(
    client.chat.completions.create({
      model: 'x',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'x', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: '1' },
      ],
    }),
  ).rejects.toMatchObject({ status: 400, code: 'openai_message_missing' })
})

const sensorTool: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: { name: 'read_sensor', description: 'Reads a sensor.', parameters: { type: 'object', properties: {} } },
}

/** An oracle whose first answer asks for an approval and calls a tool of the client. */
const startWithBoth = async () => {
  const { plugin, paid } = shop()
  const model = scriptedModel([
    [
      { tool: 'pay', input: { amount: 5 } },
      { tool: 'read_sensor', input: {}, id: 'call-1' },
    ],
    'all done',
  ])
  const { client } = await start({ plugins: [plugin], model })
  const user = { role: 'user', content: 'Pay and measure' } as const
  const ask = (...rest: OpenAI.ChatCompletionMessageParam[]) =>
    client.chat.completions.create({ model: 'x', messages: [user, ...rest], tools: [sensorTool] })
  const first = (await ask()).choices[0]!
  const result = { role: 'tool', tool_call_id: 'call-1', content: '4 m' } as const
  return { ask, first, result, paid, model }
}

test('a yes while a tool of the client still runs keeps the turn, and its result continues it', async () => {
  const { ask, first, result, paid, model } = await startWithBoth()
  expect(first).toMatchObject({ finish_reason: 'tool_calls', message: { content: expect.stringContaining('Pay 5 €') } })
  const yes = { role: 'user', content: 'yes' } as const
  const second = (await ask(first.message, yes)).choices[0]!
  expect(second).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call-1' }] } })
  expect([paid, model.calls.length]).toEqual([[], 1])
  const third = (await ask(first.message, yes, second.message, result)).choices[0]!
  expect([third.message.content, paid, model.calls.length]).toEqual(['all done', [5], 2])
})

test('a result while an approval waits requests it again, and a yes continues the turn', async () => {
  const { ask, first, result, paid, model } = await startWithBoth()
  const second = (await ask(first.message, result)).choices[0]!
  expect(second).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'Pay 5 €\n\n```text\namount: 5\n```\n\nAnswer yes, always or no.' },
  })
  expect([paid, model.calls.length]).toEqual([[], 1])
  const third = (await ask(first.message, result, second.message, { role: 'user', content: 'yes' })).choices[0]!
  expect([third.message.content, paid, model.calls.length]).toEqual(['all done', [5], 2])
})

test('a function of a response is called, and its output continues the turn', async () => {
  const steps = [{ tool: 'read_sensor', input: { well: 'A-17' }, id: 'call-1' }, 'It is 4 m deep.']
  const tools: OpenAI.Responses.Tool[] = [
    { type: 'function', name: 'read_sensor', parameters: { type: 'object', properties: {} }, strict: false },
  ]
  const { client } = await start({ model: scriptedModel(steps) })
  const first = await client.responses.create({ model: 'x', input: 'How deep?', tools })
  expect(first.output).toMatchObject([
    { type: 'function_call', call_id: 'call-1', name: 'read_sensor', arguments: '{"well":"A-17"}' },
  ])
  const second = await client.responses.create({
    model: 'x',
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: 'call-1', output: '4 m' }],
    tools,
  })
  expect(second.output_text).toBe('It is 4 m deep.')
  const stateless = await start({ model: scriptedModel([...steps, 'Which one?']) })
  const question = { role: 'user', content: 'How deep?' } as const
  const asked = { model: 'x', tools, store: false }
  const { output } = await stateless.client.responses.create({ ...asked, input: [question] })
  const result = { type: 'function_call_output', call_id: 'call-1', output: '4 m' } as const
  const items = output as OpenAI.Responses.ResponseInputItem[]
  const whole = await stateless.client.responses.create({ ...asked, input: [question, ...items, result] })
  expect(whole.output_text).toBe('It is 4 m deep.')
  const conversation = [question, ...items, result, ...(whole.output as OpenAI.Responses.ResponseInputItem[])]
  const next = await stateless.client.responses.create({
    ...asked,
    input: [...conversation, { role: 'user', content: 'Next?' }],
  })
  expect([next.output_text, next.conversation]).toEqual(['Which one?', whole.conversation])
  await expect(stateless.client.responses.create({ ...asked, input: [question, result] })).rejects.toMatchObject({
    code: 'openai_message_missing',
  })
  const streaming = await start({ model: scriptedModel(steps) })
  const stream = streaming.client.responses.stream({ model: 'x', input: 'How deep?', tools })
  const types: string[] = []
  for await (const event of stream) types.push(event.type)
  expect(types).toContain('response.function_call_arguments.done')
  expect((await stream.finalResponse()).output).toMatchObject([{ type: 'function_call', call_id: 'call-1' }])
})

test('pictures come as data: URLs, and nothing is fetched', async () => {
  const { client } = await start()
  const ask = (url: string) =>
    client.chat.completions.create({
      model: 'x',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    })
  await expect(ask('https://example.org/a.png')).rejects.toMatchObject({ status: 400, code: 'openai_not_supported' })
  await expect(ask('data:image/png;base64,aGk=')).rejects.toMatchObject({ status: 422, code: 'attachments_off' })
})

const depthSchema = {
  type: 'object',
  properties: { depth: { type: 'number' } },
  required: ['depth'],
  additionalProperties: false,
}

test('an answer has the requested form; another one is requested again', async () => {
  const model = scriptedModel(['about 4 m', '```json\n{"depth":4}\n```', '{"depth":"deep"}', '{}', '{"depth":5}'])
  const { client } = await start({ model })
  const ask = () =>
    client.chat.completions.create({
      model: 'x',
      messages: [{ role: 'user', content: 'How deep?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'depth', schema: depthSchema } },
    })
  expect((await ask()).choices[0]?.message.content).toBe('{"depth":4}')
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('matches this JSON Schema')
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('Your answer was rejected: it is not JSON')
  await expect(ask()).rejects.toMatchObject({ status: 502, code: 'answer_invalid' })
  expect(model.calls).toHaveLength(4)
  const response = await client.responses.create({
    model: 'x',
    input: 'How deep?',
    text: { format: { type: 'json_schema', name: 'depth', schema: depthSchema } },
  })
  expect(response.output_text).toBe('{"depth":5}')
})

import { type ScriptedCall, scriptedModel } from '@sibyl/testing'
import { AzureOpenAI, type OpenAI } from 'openai'
import { expect, test } from 'vitest'
import { key, shop, start } from './openai.test.support.ts'

const functionNamed = (name: string, description = 'Does it.') =>
  ({ type: 'function', function: { name, description, parameters: { type: 'object' } } }) as const

const messages = [{ role: 'user' as const, content: 'hi' }]

/** Starts an oracle, and returns what its model was offered for a request. */
const offeredFor = async () => {
  const choices: unknown[] = []
  const step = ({ options, tools }: ScriptedCall) => {
    choices.push([options.toolChoice, tools.filter(name => /^(one|two)$/.test(name))])
    return 'done'
  }
  const { client, ...rest } = await start({ model: scriptedModel(Array.from({ length: 9 }, () => step)) })
  const ask = (tool_choice: OpenAI.ChatCompletionToolChoiceOption, names = ['one', 'two']) =>
    client.chat.completions.create({ model: 'x', messages, tools: names.map(name => functionNamed(name)), tool_choice })
  return { ...rest, client, ask, choices }
}

test('the choice of tools reaches the model, and one that the oracle does not know is refused by name', async () => {
  const { client, ask, choices } = await offeredFor()
  await ask('auto')
  await ask('none')
  await ask('required')
  await ask('required', ['one'])
  await ask({ type: 'function', function: { name: 'two' } })
  await client.responses.create({
    model: 'x',
    input: 'hi',
    tools: [{ type: 'function', name: 'one', parameters: {}, strict: false }],
    tool_choice: { type: 'function', name: 'one' },
  })
  expect(choices).toEqual([
    [{ type: 'auto' }, ['one', 'two']],
    [{ type: 'auto' }, []],
    [{ type: 'required' }, ['one', 'two']],
    [{ type: 'tool', toolName: 'one' }, ['one']],
    [{ type: 'tool', toolName: 'two' }, ['one', 'two']],
    [{ type: 'tool', toolName: 'one' }, ['one']],
  ])
  const refused = (text: string) => ({
    status: 400,
    code: 'openai_not_supported',
    message: expect.stringContaining(text),
  })
  await expect(ask({ type: 'function', function: { name: 'three' } })).rejects.toMatchObject(refused("'three'"))
  await expect(ask({ type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } })).rejects.toMatchObject(
    refused('allowed_tools'),
  )
})

test('128 tools with long descriptions are taken, and other types of tools are ignored with a notice', async () => {
  const { client } = await start({ model: scriptedModel(['one', 'two', 'three']) })
  const tools = Array.from({ length: 128 }, (_, index) => functionNamed(`mcp_tool_${index}`))
  await client.chat.completions.create({
    model: 'x',
    messages,
    tools: [...tools.slice(1), functionNamed('long', 'x'.repeat(32_000))],
  })
  const unknown = { type: 'web_search' } as unknown as OpenAI.ChatCompletionTool
  const notice = { type: 'notice', code: 'input_left_out', text: expect.stringContaining('web_search') }
  expect(await client.chat.completions.create({ model: 'x', messages, tools: [unknown] })).toMatchObject({
    sibyl: { events: [notice] },
  })
  expect(await client.responses.create({ model: 'x', input: 'hi', tools: [{ type: 'web_search' }] })).toMatchObject({
    sibyl: { notices: [notice] },
  })
})

test('long texts of user and system reach the model whole, and longer ones are refused', async () => {
  const model = scriptedModel(['one', 'two'])
  const { client } = await start({ model })
  const [system, user] = [`S${'s'.repeat(119_998)}E`, `U${'u'.repeat(127_998)}E`]
  const ask = (...texts: string[]) =>
    client.chat.completions.create({
      model: 'x',
      messages: [
        { role: 'system', content: texts[0]! },
        { role: 'user', content: texts[1]! },
      ],
    })
  await ask(system, user)
  const prompt = JSON.stringify(model.calls[0]?.prompt)
  expect([prompt.includes(system), prompt.includes(user)]).toEqual([true, true])
  for (const texts of [
    [`${system}${'s'.repeat(9_000)}`, 'hi'],
    ['', `${user}u`],
  ]) {
    await expect(ask(...texts)).rejects.toMatchObject({ status: 400, code: 'openai_not_supported' })
  }
})

test('files of earlier messages are left out with a notice', async () => {
  const { client } = await start({ model: scriptedModel(['one']) })
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } } as const
  const answer = await client.chat.completions.create({
    model: 'x',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Look' }, image] },
      { role: 'assistant', content: 'Nice' },
      { role: 'user', content: 'Again' },
    ],
  })
  expect(answer).toMatchObject({ sibyl: { events: [{ type: 'notice', code: 'input_left_out' }] } })
})

test('a background request of Open WebUI is answered without tools and leaves no session', async () => {
  const seen: (readonly string[])[] = []
  const step = ({ tools }: ScriptedCall) => {
    seen.push(tools)
    return '{"title":"Pumps"}'
  }
  const { client, oracle } = await start({ plugins: [shop().plugin], model: scriptedModel([step, step]) })
  const content = '### Task:\nGenerate a concise title.\n### Chat History:\n<chat_history>\nUSER: hi\n</chat_history>'
  const ask = { model: 'x', messages: [{ role: 'user' as const, content }] }
  expect((await client.chat.completions.create(ask)).choices[0]?.message.content).toBe('{"title":"Pumps"}')
  for await (const _ of await client.chat.completions.create({ ...ask, stream: true }));
  expect(seen).toEqual([[], []])
  const sessions = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
  expect((await sessions.json()).sessions).toEqual([])
})

test('the client of Azure OpenAI uses its paths and its header', async () => {
  const { url } = await start({ model: scriptedModel(['Hello.', 'Bye.']) })
  const client = new AzureOpenAI({ endpoint: url, apiKey: key, apiVersion: '2026-01-01', deployment: 'field-oracle' })
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  const { choices } = await client.chat.completions.create({ model: 'field-oracle', messages })
  expect(choices[0]?.message.content).toBe('Hello.')
  const { id, output_text: text } = await client.responses.create({ model: 'field-oracle', input: 'Hi' })
  expect([text, (await client.responses.retrieve(id)).output_text]).toEqual(['Bye.', 'Bye.'])
})

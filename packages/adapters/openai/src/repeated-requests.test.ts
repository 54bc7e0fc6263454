import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { type ScriptedCall, scriptedModel } from '@sibyl/testing'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { key, start } from './openai.test.support.ts'

/** A tool that pays, once its gate opens. */
const cashier = () => {
  const paid: string[] = []
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const plugin = definePlugin({
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
          async execute(_, { turn }) {
            paid.push(turn.id)
            begun.resolve()
            await gate.promise
            return 'paid'
          },
        }),
      },
    }),
  })
  return { plugin, paid, begun: begun.promise, open: gate.resolve }
}

/** A model that pays, and then says so: a second turn would pay again. */
const payer = () => {
  const step = ({ prompt }: ScriptedCall) =>
    prompt.at(-1)?.role === 'tool' ? 'Paid once.' : ({ tool: 'pay', input: {} } as const)
  return scriptedModel(Array.from({ length: 9 }, () => step))
}

/** A proxy that breaks the first connection off once its request reached the oracle. */
const breakingProxy = async (url: string) => {
  const connections: { readonly incoming: Socket; readonly outgoing: Socket }[] = []
  const server = createServer(incoming => {
    const outgoing = connect(Number(new URL(url).port), '127.0.0.1')
    const isFirst = connections.push({ incoming, outgoing }) === 1
    incoming.pipe(outgoing)
    // Of the first connection, no byte of the answer is passed on.
    if (isFirst) outgoing.resume()
    else outgoing.pipe(incoming)
    for (const socket of [incoming, outgoing]) socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const { incoming, outgoing } of connections) {
      incoming.destroy()
      outgoing.destroy()
    }
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    breakFirst() {
      connections[0]?.incoming.destroy()
      connections[0]?.outgoing.destroy()
    },
    opened: () => connections.length,
  }
}

const body = { model: 'x', messages: [{ role: 'user' as const, content: 'Pay.' }] }

const textOfStream = async (stream: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<string> => {
  let text = ''
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
  return text
}

const asks = {
  completion: async (client: OpenAI) => (await client.chat.completions.create(body)).choices[0]?.message.content,
  'streamed completion': async (client: OpenAI) =>
    textOfStream(await client.chat.completions.create({ ...body, stream: true })),
  response: async (client: OpenAI) => (await client.responses.create({ model: 'x', input: 'Pay.' })).output_text,
  'streamed response': async (client: OpenAI) => {
    let text = ''
    for await (const event of await client.responses.create({ model: 'x', input: 'Pay.', stream: true })) {
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    return text
  },
}

test.each(Object.entries(asks))('a %s that the SDK repeats after a broken connection runs once', async (_, ask) => {
  const { plugin, paid, begun, open } = cashier()
  const { url } = await start({ plugins: [plugin], model: payer() })
  const proxy = await breakingProxy(url)
  const answer = ask(new OpenAI({ apiKey: key, baseURL: proxy.url }))
  await begun
  proxy.breakFirst()
  await expect.poll(proxy.opened).toBe(2)
  open()
  expect([await answer, paid.length]).toEqual(['Paid once.', 1])
})

test('an answer that was lost is the same for a repeat of the SDK, and another request is another turn', async () => {
  const { client } = await start({ model: scriptedModel(['one', 'two']) })
  const first = await client.chat.completions.create(body)
  const repeated = await client.chat.completions.create(body, { headers: { 'x-stainless-retry-count': '1' } })
  expect(repeated).toMatchObject({ id: first.id, choices: first.choices })
  expect((await client.chat.completions.create(body)).choices[0]?.message.content).toBe('two')
})

test('requests with one Idempotency-Key are one turn for a day, and another body is refused', async () => {
  let now = Date.now()
  const model = scriptedModel(['one', 'two', 'three', 'four'])
  const { client, connect: connectAs } = await start({
    model,
    clock: { now: () => now },
    env: { ORACLE_API_KEYS: `app:${key}:*,other:k-other-0123456789:*` },
  })
  const headers = { 'Idempotency-Key': 'order 7' }
  const copies = await Promise.all(Array.from({ length: 4 }, () => client.chat.completions.create(body, { headers })))
  for (const copy of copies) expect(copy).toMatchObject({ id: copies[0]?.id, choices: copies[0]?.choices })
  const response = await client.responses.create({ model: 'x', input: 'hi' }, { headers: { 'Idempotency-Key': 'r' } })
  now += 3_600_000
  expect(await client.responses.create({ model: 'x', input: 'hi' }, { headers: { 'Idempotency-Key': 'r' } })).toEqual(
    response,
  )
  expect(await textOfStream(await client.chat.completions.create({ ...body, stream: true }))).toBe('three')
  await expect(client.chat.completions.create({ ...body, stream: true }, { headers })).rejects.toMatchObject({
    status: 422,
    code: 'openai_key_reused',
  })
  expect((await client.chat.completions.create(body, { headers })).id).toBe(copies[0]?.id)
  const other = await connectAs('k-other-0123456789').chat.completions.create(body, { headers })
  expect(other.choices[0]?.message.content).toBe('four')
  expect(model.calls.length).toBe(4)
})

test('a repeated conversation continues in the session of its last answer', async () => {
  const { client, oracle } = await start({ model: scriptedModel(['one', 'two']) })
  const headers = { 'Idempotency-Key': 'k1' }
  await client.chat.completions.create(body, { headers })
  const { choices } = await client.chat.completions.create(body, { headers })
  await client.chat.completions.create({
    ...body,
    messages: [
      ...body.messages,
      { role: 'assistant', content: choices[0]!.message.content },
      { role: 'user', content: '2' },
    ],
  })
  const sessions = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
  expect((await sessions.json()).sessions).toHaveLength(1)
})

test('a turn that failed without a change runs again under its key', async () => {
  const { client } = await start({ model: scriptedModel([{ error: new Error('broken') }, 'fine']) })
  const headers = { 'Idempotency-Key': 'k1' }
  await expect(client.chat.completions.create(body, { headers })).rejects.toMatchObject({ status: 502 })
  expect((await client.chat.completions.create(body, { headers })).choices[0]?.message.content).toBe('fine')
})

test('clients share the turn of the same request, and it stops once all of them are gone', async () => {
  const operator = 'operator-token-of-this-test'
  const gate = Promise.withResolvers<void>()
  const { client, oracle } = await start({
    model: scriptedModel([['one ', { wait: gate.promise }, 'two']]),
    env: { ORACLE_OPERATOR_TOKEN: operator },
  })
  onTestFinished(() => gate.resolve())
  const read = async () => {
    const stream = await client.chat.completions.create({ ...body, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) return stream
    throw new Error('The stream ended.')
  }
  const streams = await Promise.all([read(), read(), read()])
  const running = async () => {
    const metrics = await oracle.app.request('/metrics', { headers: { authorization: `Bearer ${operator}` } })
    return Number(/^sibyl_running_turns (\d+)$/m.exec(await metrics.text())?.[1])
  }
  streams[0]?.controller.abort()
  expect(await running()).toBe(1)
  for (const stream of streams) stream.controller.abort()
  await expect.poll(running).toBe(0)
})

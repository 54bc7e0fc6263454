import { scriptedModel, testApp } from '@sibyl/testing'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { openai } from './openai.ts'

const key = 'k-0123456789abcdef'

/** Starts an oracle whose model ends each answer for this reason, and the openai SDK as its client. */
const start = async (finish: 'length' | 'content-filter') => {
  const steps = Array.from({ length: 4 }, () => ['So far', { finish }] as const)
  const oracle = await testApp({
    plugins: [],
    adapters: [openai()],
    model: scriptedModel(steps),
    env: { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: '0' },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  return new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })
}

const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const read: Item[] = []
  for await (const item of items) read.push(item)
  return read
}

test.each([
  ['length', 'length', 'max_output_tokens', 'answer_cut'],
  ['content-filter', 'content_filter', 'content_filter', 'answer_filtered'],
] as const)(
  'an answer cut by %s has the reason in both APIs, streamed or not',
  async (finish, reason, incomplete, code) => {
    const client = await start(finish)
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const whole = await client.chat.completions.create({ model: 'any', messages })
    expect([whole.choices[0]?.message.content, whole.choices[0]?.finish_reason]).toEqual(['So far', reason])
    expect(whole).toMatchObject({ sibyl: { events: [{ type: 'notice', code }] } })

    const chunks = await all(await client.chat.completions.create({ model: 'any', messages, stream: true }))
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual([reason])
    expect(JSON.stringify(chunks)).toContain(code)

    const response = await client.responses.create({ model: 'any', input: 'hi' })
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: incomplete },
      output_text: 'So far',
    })

    const events = await all(await client.responses.create({ model: 'any', input: 'hi', stream: true }))
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: incomplete } },
    })
  },
)

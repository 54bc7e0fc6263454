import {
  answerWell,
  type FakeAnswer,
  type RawAnswer,
  type RawApi,
  rawEvents,
  startRawProvider,
  streamHead,
} from '@sibyl/models/testing'
import { describe, expect, test } from 'vitest'
import { upstreamOracle } from '../testing/upstream-oracle.ts'

const apis: readonly RawApi[] = ['openai', 'openai-compatible']

/** Runs one turn against a provider with these answers; the last answer is repeated. */
const turn = async (api: RawApi, ...answers: readonly RawAnswer[]) => {
  await using provider = await startRawProvider((socket, request, number) =>
    (answers[number - 1] ?? answerWell(api, { text: 'fine' }))(socket, request, number),
  )
  await using upstream = await upstreamOracle(api, provider.url)
  const stream = await upstream.send()
  const { messages } = await (await upstream.oracle.actor.request('/sessions/s1')).json()
  const { parts } = messages.at(-1)
  const next = await upstream.send('again')
  expect([next.text, next.last?.type]).toEqual(['fine', 'finish'])
  return { ...stream, ran: upstream.ran, parts, leaks: upstream.leaks(stream), requests: provider.requests }
}

const sends =
  (bytes: string | Buffer): RawAnswer =>
  socket => {
    socket.write(streamHead)
    socket.end(bytes)
  }

const events = (
  api: RawApi,
  answer: FakeAnswer,
  change: (event: string) => string | readonly string[] = event => event,
) => rawEvents(api, answer).flatMap(change).join('')

const pay = (...calls: readonly (Record<string, unknown> | string)[]): FakeAnswer => ({
  toolCalls: calls.map(input => ({ name: 'pay', arguments: input })),
})

const isLast = (event: string) => /response\.completed|finish_reason":"/.test(event)

describe.each(apis)('a provider behind %s', api => {
  test('may send one byte at a time', async () => {
    const bytes = Buffer.from(streamHead + events(api, { text: 'It is 14 °C and 🌦.' }))
    const { text, last } = await turn(api, async socket => {
      socket.setNoDelay(true)
      for (const byte of bytes) await new Promise(resolve => socket.write(Buffer.of(byte), resolve))
      socket.end()
    })
    expect([text, last?.type]).toEqual(['It is 14 °C and 🌦.', 'finish'])
  })

  test('may call a tool one byte at a time', async () => {
    const bytes = Buffer.from(streamHead + events(api, pay({ amount: 7 })))
    const { text, ran } = await turn(api, async socket => {
      for (const byte of bytes) await new Promise(resolve => socket.write(Buffer.of(byte), resolve))
      socket.end()
    })
    expect([text, ran]).toEqual(['fine', ['pay {"amount":7}']])
  })

  test('may use other line endings and send comments', async () => {
    const { text, last } = await turn(
      api,
      sends(`: hello\r\n\r\n${events(api, { text: 'fine' }).replaceAll('\n', '\r\n')}`),
    )
    expect([text, last?.type]).toEqual(['fine', 'finish'])
  })

  test('that finishes twice ends the answer once', async () => {
    const twice = (event: string) => (isLast(event) ? [event, event] : [event])
    const content = await turn(api, sends(events(api, { text: 'once' }, twice)))
    expect([content.text, content.last?.type]).toEqual(['once', 'finish'])
    const called = await turn(api, sends(events(api, pay({ amount: 1 }), twice)))
    expect([called.text, called.ran]).toEqual(['fine', ['pay {"amount":1}']])
  })

  test('that continues after the finish is ignored', async () => {
    const more = (event: string) => (isLast(event) ? [event, ...rawEvents(api, { text: 'x' })] : [event])
    const { ran, events: streamed } = await turn(api, sends(events(api, pay({ amount: 1 }), more)))
    expect(ran).toEqual(['pay {"amount":1}'])
    expect(streamed.filter(({ type }) => /^(error|finish|abort)$/.test(type)).length).toBe(1)
  })

  test.each([
    ['a write', 'pay', { amount: 1 }],
    ['a read', 'look', { amount: 1 }],
  ])('that makes the same call twice with one ID (%s): it runs once', async (_, name, second) => {
    const answer = { toolCalls: [{ amount: 1 }, second].map(input => ({ name, arguments: input })) }
    const sameId = (event: string) => event.replace(/call_0{24}\d/g, 'call_same')
    const { ran, text, parts } = await turn(api, sends(events(api, answer, sameId)))
    expect([ran, text]).toEqual([[`${name} {"amount":1}`], 'fine'])
    expect(parts.filter(({ type }: { type: string }) => type === `tool-${name}`).length).toBe(1)
  })

  test('runs two calls with one ID and other arguments', async () => {
    const sameId = (event: string) => event.replace(/call_0{24}\d/g, 'call_same')
    const { ran, text, parts } = await turn(api, sends(events(api, pay({ amount: 1 }, { amount: 2 }), sameId)))
    expect([ran, text]).toEqual([['pay {"amount":1}', 'pay {"amount":2}'], 'fine'])
    expect(parts.filter(({ type }: { type: string }) => type === 'tool-pay').length).toBe(2)
  })

  test('that makes two calls with two IDs: both run', async () => {
    const { ran } = await turn(api, answerWell(api, pay({ amount: 1 }, { amount: 2 })))
    expect(ran).toEqual(['pay {"amount":1}', 'pay {"amount":2}'])
  })

  test('that calls an unknown tool, or with unparsable arguments: the model reads the error and continues', async () => {
    for (const call of [
      { name: 'rob', arguments: {} },
      ...pay('{"amount": 1', 'hello', '{"amount":"all"}').toolCalls!,
    ]) {
      const { ran, text, last } = await turn(api, answerWell(api, { toolCalls: [call] }))
      expect([ran, text, last?.type]).toEqual([[], 'fine', 'finish'])
    }
  })

  test('may send NUL: it is removed', async () => {
    const { text, parts } = await turn(api, answerWell(api, { text: 'a\0b \0' }))
    expect([text, parts.at(-1).text]).toEqual(['ab ', 'ab '])
  })

  test('may give its calls IDs that databases reject', async () => {
    const odd = (event: string) => event.replace(/call_0{24}\d/g, 'x\\u0000\\ud800')
    const { ran, text } = await turn(api, sends(events(api, pay({ amount: 1, note: 'a\0b' }), odd)))
    expect([ran, text]).toEqual([['pay {"amount":1,"note":"a\\u0000b"}'], 'fine'])
  })

  test('may send invalid UTF-8, and halves of surrogate pairs: matching halves are joined', async () => {
    const marked = events(api, { text: 'A BAD HIGH LOW HIGH' })
    const [high, low] = ['\\ud83c', '\\udf26']
    const text = marked.replaceAll(/HIGH ?/g, high).replaceAll(/LOW ?/g, low)
    const bytes = Buffer.from(text, 'latin1').toString('latin1').replaceAll('BAD ', '\xff\xfe ')
    const answer = await turn(api, sends(Buffer.from(bytes, 'latin1')))
    expect([answer.text, answer.last?.type]).toEqual(['A \ufffd\ufffd 🌦\ufffd', 'finish'])
    expect(answer.parts.at(-1).text).toBe(answer.text)
  })
})

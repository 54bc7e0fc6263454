import { defineTool } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, streamReader, type TestApp, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})
const secret = new Error('hunter2 at db.internal:5432')

const throws = defineTool({
  description: 'Throws.',
  input: z.object({}),
  effect: 'read',
  execute: async () => {
    throw secret
  },
})

const oracleWith = (steps: readonly ScriptedStep[], env: Record<string, string> = {}) =>
  testApp({ plugins: [officePlugin({ tools: { throws } })], model: scriptedModel(steps), env })

const send = (oracle: TestApp, message = 'hi', messageId?: string) =>
  oracle.actor.request('/chat', {
    json: {
      id: 's1',
      message:
        messageId === undefined ? message : { id: messageId, role: 'user', parts: [{ type: 'text', text: message }] },
    },
  })

const finals = new Set(['finish', 'abort', 'error'])

const endings: {
  readonly name: string
  readonly steps: readonly ScriptedStep[]
  readonly env?: Record<string, string>
  readonly last: Record<string, unknown>
  readonly outcome: string
}[] = [
  { name: 'a plain answer', steps: ['hello'], last: { type: 'finish', finishReason: 'stop' }, outcome: 'done' },
  { name: 'no answer at all', steps: [[]], last: { type: 'finish' }, outcome: 'done' },
  { name: 'a model that rejects', steps: [{ error: secret }], last: { type: 'error' }, outcome: 'failed' },
  { name: 'a model that throws a text', steps: [{ error: 'hunter2' }], last: { type: 'error' }, outcome: 'failed' },
  {
    name: 'a model that throws when called',
    steps: [
      () => {
        throw secret
      },
    ],
    last: { type: 'error', code: 'turn_failed' },
    outcome: 'failed',
  },
  {
    name: 'a model that fails in mid-stream',
    steps: [['some ', { error: secret }]],
    last: { type: 'error', code: 'turn_failed' },
    outcome: 'failed',
  },
  {
    name: 'a model that fails in the second step',
    steps: [{ tool: 'throws' }, { error: secret }],
    last: { type: 'error', code: 'turn_failed' },
    outcome: 'failed',
  },
  {
    name: 'a tool that throws',
    steps: [{ tool: 'throws' }, 'It failed.'],
    last: { type: 'finish' },
    outcome: 'done',
  },
  {
    name: 'a turn that takes too long',
    steps: [['some ', { wait: never }]],
    env: { TURN_TIME_LIMIT_SECONDS: '1' },
    last: { type: 'error', code: 'turn_time_limit' },
    outcome: 'failed',
  },
  {
    name: 'an answer that grows too large',
    steps: [['x'.repeat(9_000_000), { wait: never }]],
    last: { type: 'error', code: 'turn_too_large' },
    outcome: 'failed',
  },
  {
    name: 'an answer truncated by its length',
    steps: [['some', { finish: 'length' }]],
    last: { type: 'finish', finishReason: 'length' },
    outcome: 'done',
  },
]

describe('every stream ends with exactly one final event and [DONE], and the session continues', () => {
  for (const { name, steps, env, last, outcome } of endings) {
    test(name, async () => {
      await using oracle = await oracleWith([...steps, 'and on'], env)
      const stream = await readStream(await send(oracle))
      expect(stream.events.map(({ type }) => type).filter(type => finals.has(type))).toEqual([last.type])
      expect(stream.last).toMatchObject(last)
      expect(stream.done).toBe(true)
      expect(JSON.stringify(stream.events)).not.toMatch(/hunter2|db\.internal/)
      const after = await readStream(await send(oracle, 'go on', 'm2'))
      expect([after.last?.type, after.text]).toEqual(['finish', 'and on'])
      const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
      const answered = messages.find((message: { role: string }) => message.role === 'assistant')
      if (stream.text !== '') expect(answered.metadata.outcome).toBe(outcome)
      expect(JSON.stringify(messages)).not.toMatch(/hunter2|db\.internal/)
    })
  }
})

test('stores the partial answer of a failed turn, and a repeat of its message gets the same end', async () => {
  await using oracle = await oracleWith([['some ', { error: secret }]])
  const first = await readStream(await send(oracle, 'hi', 'm1'))
  expect(first.text).toBe('some ')
  expect(await readStream(await send(oracle, 'hi', 'm1'))).toEqual(first)
})

test('close ends every running turn with turn_interrupted, stores it, and rejects new ones', async () => {
  const model = scriptedModel([
    ['a ', { wait: never }],
    ['b ', { wait: never }],
  ])
  const ended: [string, boolean][] = []
  const after = async (_: unknown, end: { outcome: string; complete: boolean }) =>
    void ended.push([end.outcome, end.complete])
  const oracle = await testApp({ plugins: [officePlugin({ turn: { after } })], model })
  const token = oracle.actor
  const readers = await Promise.all(
    ['s1', 's2'].map(id => streamReader(token.request('/chat', { json: { id, message: 'hi' } }))),
  )
  for (const reader of readers) await reader.until('text-delta')
  const closing = oracle.app.close()
  const refused = await token.request('/chat', { json: { id: 's3', message: 'hi' } })
  expect(refused.status).toBe(503)
  for (const reader of readers) {
    const { last, done } = await reader.rest()
    expect([last?.type, last?.code, done]).toEqual(['error', 'turn_interrupted', true])
  }
  await closing
  await oracle.app.close()
  expect(ended).toEqual([
    ['interrupted', false],
    ['interrupted', false],
  ])
})

test('output that a tool emits after the turn was interrupted reaches neither the stream nor the session', async () => {
  let emit: (part: { name: string; data: string }) => void = () => {}
  const begun = Promise.withResolvers<void>()
  const deaf = defineTool({
    description: 'Ignores every signal.',
    input: z.object({}),
    effect: 'read',
    execute: (_, call) => {
      emit = part => call.emit(part)
      begun.resolve()
      return never
    },
  })
  await using oracle = await testApp({
    plugins: [officePlugin({ tools: { deaf } })],
    model: scriptedModel([{ tool: 'deaf' }]),
  })
  const reader = await streamReader(send(oracle))
  await begun.promise
  emit({ name: 'note', data: 'early' })
  await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  emit({ name: 'note', data: 'late' })
  const { events } = await reader.rest()
  expect(events.flatMap(({ type, data }) => (type === 'data-note' ? [data] : []))).toEqual(['early'])
  expect(await (await oracle.actor.request('/sessions/s1')).text()).not.toContain('late')
})

import { defineTool } from '@sibyl/plugin'
import {
  readStream,
  type ScriptedStep,
  scriptedModel,
  streamReader,
  type TestApp,
  testActor,
  testApp,
} from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const add = defineTool({
  description: 'Adds two numbers.',
  input: z.object({ one: z.number(), two: z.number() }),
  effect: 'read',
  execute: async ({ one, two }) => ({ sum: one + two }),
})

const oracleWith = (steps: readonly ScriptedStep[]) =>
  testApp({ plugins: [officePlugin({ tools: { add } })], model: scriptedModel(steps) })

const send = (oracle: TestApp, session: string, text = 'hi') =>
  oracle.actor.request('/chat', { json: { id: session, message: text } })

const resume = (oracle: TestApp, session: string, lastEventId?: string, actor = oracle.actor) =>
  actor.request(
    `/chat/${session}/stream`,
    lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } },
  )

const script = (gate: Promise<unknown>): ScriptedStep[] => [
  [{ reasoning: 'let me see' }, { tool: 'add', input: { one: 1, two: 2 } }],
  ['The sum ', { wait: gate }, 'is three.'],
]

test('every event has an ID: the turn and a number from 1', async () => {
  await using oracle = await oracleWith(script(Promise.resolve()))
  const { events, last } = await readStream(await send(oracle, 's1'))
  const turnId = (last!.messageMetadata as { turnId: string }).turnId
  expect(events.map(event => event.eventId)).toEqual(events.map((_, index) => `${turnId}:${index + 1}`))
})

test('a finished turn resumes after any of its events without gap or repeat', async () => {
  await using oracle = await oracleWith(script(Promise.resolve()))
  const whole = await readStream(await send(oracle, 's1'))
  expect(whole.events.length).toBeGreaterThan(15)
  for (const [index, { eventId }] of whole.events.entries()) {
    const rest = await readStream(await resume(oracle, 's1', eventId))
    expect(rest.events).toEqual(whole.events.slice(index + 1))
    expect(rest.done).toBe(true)
  }
})

test('a running turn resumes after any of its events without gap or repeat, for many concurrent readers', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await oracleWith(script(gate.promise))
  const first = await streamReader(send(oracle, 's1'))
  await first.until(event => event.type === 'text-delta' && String(event.delta).startsWith('sum'))
  const seen = [...first.events]
  const readers = await Promise.all(seen.map(({ eventId }) => streamReader(resume(oracle, 's1', eventId))))
  const replay = await streamReader(resume(oracle, 's1'))
  gate.resolve()
  const whole = await first.rest()
  for (const [index, reader] of readers.entries()) {
    const rest = await reader.rest()
    expect(rest.events).toEqual(whole.events.slice(index + 1))
    expect(rest.done).toBe(true)
  }
  expect((await replay.rest()).events).toEqual(whole.events)
})

test('without Last-Event-ID a running turn is replayed whole; 204 if none runs', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await oracleWith([['a', { wait: gate.promise }, 'b']])
  expect((await resume(oracle, 's1')).status).toBe(204)
  const first = await streamReader(send(oracle, 's1'))
  await first.until('text-delta')
  const again = await streamReader(resume(oracle, 's1'))
  gate.resolve()
  const whole = await first.rest()
  expect((await again.rest()).events).toEqual(whole.events)
  const ended = await resume(oracle, 's1')
  expect([ended.status, await ended.text()]).toEqual([204, ''])
})

test('a reader that prefers to wait gets the next turn of its session whole, however short; 204 if none begins', async () => {
  await using oracle = await oracleWith(['first', 'second'])
  const read = (prefer: string) => oracle.actor.request('/chat/s1/stream', { headers: { prefer } })
  const waiting = read('respond-async, wait=10')
  const first = await readStream(await send(oracle, 's1'))
  expect((await readStream(await waiting)).events).toEqual(first.events)
  expect((await read('wait=1')).status).toBe(204)
  const next = read('wait="10"')
  const second = await readStream(await send(oracle, 's1', 'more'))
  expect((await readStream(await next)).text).toBe(second.text)
  expect((await resume(oracle, 's1')).status).toBe(204)
})

test('reveals nothing to another user, in another session or for an unknown turn', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await oracleWith([['a', { wait: gate.promise }, 'b']])
  const first = await streamReader(send(oracle, 's1'))
  const { eventId } = await first.until('text-delta')
  const stranger = testActor(oracle.app)
  const answers = await Promise.all([
    resume(oracle, 's1', eventId, stranger),
    resume(oracle, 's1', undefined, stranger),
    resume(oracle, 's2', eventId),
    resume(oracle, 's1', `turn_${'x'.repeat(16)}:3`),
  ])
  for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([204, ''])
  gate.resolve()
  await first.rest()
})

test('a number past the end returns later events, and an invalid one is rejected', async () => {
  await using oracle = await oracleWith(['hello'])
  const { last } = await readStream(await send(oracle, 's1'))
  const turnId = last?.eventId.split(':')[0]
  const beyond = await readStream(await resume(oracle, 's1', `${turnId}:999999`))
  expect([beyond.events, beyond.done]).toEqual([[], true])
  for (const invalid of ['', 'x', `${turnId}:-1`, `${turnId}:1e3`, `${turnId}:`, 'a b:1', `${'x'.repeat(200)}:1`]) {
    const refused = await resume(oracle, 's1', invalid)
    expect([refused.status, (await refused.json()).code], invalid).toEqual([400, 'event_id_invalid'])
  }
})

test('events can be read for ten minutes after the end, not longer', async () => {
  let now = Date.now()
  const clock = { now: () => now }
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['hello']), clock })
  const { events } = await readStream(await send(oracle, 's1'))
  now += 600_000
  expect((await readStream(await resume(oracle, 's1', events[0]?.eventId))).events).toEqual(events.slice(1))
  now += 1
  expect((await resume(oracle, 's1', events[0]?.eventId)).status).toBe(204)
})

test('a reader who leaves does not stop the turn; the answer is there on return', async () => {
  const gate = Promise.withResolvers<void>()
  await using oracle = await oracleWith([['a ', { wait: gate.promise }, 'b']])
  const first = await streamReader(send(oracle, 's1'))
  const { eventId } = await first.until('text-delta')
  await first.leave()
  gate.resolve()
  const rest = await readStream(await resume(oracle, 's1', eventId))
  expect([rest.text, rest.last?.type, rest.done]).toEqual(['b', 'finish', true])
})

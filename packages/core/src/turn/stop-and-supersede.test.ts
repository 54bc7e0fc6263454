import { defineTool, type Turn } from '@sibyl/plugin'
import { readStream, scriptedModel, streamReader, type TestApp, testActor, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})

const send = (oracle: TestApp, message: string, session = 's1') =>
  oracle.actor.request('/chat', { json: { id: session, message } })

const sessionOf = async (oracle: TestApp) => (await oracle.actor.request('/sessions/s1')).json()

test('stop ends the turn with one abort; the partial answer is stored and marked', async () => {
  const model = scriptedModel([['partial ', { wait: never }], 'next'])
  await using oracle = await testApp({ plugins: [], model })
  const reader = await streamReader(send(oracle, 'hi'))
  await reader.until('text-delta')
  const stopped = await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  expect([stopped.status, await stopped.json()]).toEqual([200, { stopped: true }])
  const { events, last, done } = await reader.rest()
  expect([last?.type, last?.reason, done]).toEqual(['abort', 'Stopped.', true])
  expect(events.filter(({ type }) => ['abort', 'error', 'finish'].includes(type)).length).toBe(1)
  const { messages, runningTurn } = await sessionOf(oracle)
  expect(runningTurn).toBeUndefined()
  expect(messages[1]).toMatchObject({ role: 'assistant', metadata: { outcome: 'stopped' } })
  expect(messages[1].parts).toContainEqual(expect.objectContaining({ type: 'text', text: 'partial ' }))
  expect((await readStream(await send(oracle, 'again'))).text).toBe('next')
})

test('stop has no effect if nothing runs; a session that is unknown or of another user is 404', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['done', ['a', { wait: never }]]) })
  const notFound = { code: 'session_not_found', detail: 'You have no session with that id.' }
  const unknown = await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  expect([unknown.status, await unknown.json()]).toMatchObject([404, notFound])
  await readStream(await send(oracle, 'first'))
  const nothing = await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  expect([nothing.status, await nothing.json()]).toEqual([200, { stopped: false }])
  const reader = await streamReader(send(oracle, 'hi'))
  await reader.until('text-delta')
  const stranger = await testActor(oracle.app).request('/chat/s1/stop', { method: 'POST' })
  expect([stranger.status, await stranger.json()]).toMatchObject([404, notFound])
  expect((await sessionOf(oracle)).runningTurn).toBeDefined()
  await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  expect((await reader.rest()).last?.type).toBe('abort')
})

test('stop adds a result to interrupted tool calls, in the stream, in the session and for the model', async () => {
  const begun = Promise.withResolvers<void>()
  const tool = (effect: 'read' | 'write') =>
    defineTool({
      description: 'Waits for ever.',
      input: z.object({}),
      effect,
      execute: () => {
        begun.resolve()
        return never
      },
    })
  const model = scriptedModel([
    [
      { tool: 'look', id: 'c1' },
      { tool: 'pay', id: 'c2' },
    ],
    'next',
  ])
  const tools = { look: tool('read'), pay: tool('write') }
  await using oracle = await testApp({ plugins: [officePlugin({ tools })], model })
  const reader = await streamReader(send(oracle, 'hi'))
  await begun.promise
  await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  const { events, last } = await reader.rest()
  expect(last?.type).toBe('abort')
  const errors = Object.fromEntries(
    events.flatMap(event => (event.type === 'tool-output-error' ? [[event.toolCallId, event.errorText]] : [])),
  )
  expect(Object.keys(errors).toSorted()).toEqual(['c1', 'c2'])
  expect(errors.c2).toMatch(/not known|unknown/i)
  const { messages } = await sessionOf(oracle)
  expect(messages[1].parts.map(({ state }: { state?: string }) => state)).toEqual([
    undefined,
    'output-error',
    'output-error',
  ])
  await readStream(await send(oracle, 'again'))
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('check before you repeat it')
})

test('a new message stops a turn without readers, and is rejected while it has readers', async () => {
  const model = scriptedModel([['first ', { wait: never }], 'second'])
  await using oracle = await testApp({ plugins: [], model })
  const reader = await streamReader(send(oracle, 'one'))
  await reader.until('text-delta')
  const refused = await send(oracle, 'two')
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'turn_running'])
  expect(refused.headers.get('retry-after')).toBe('1')
  await reader.leave()
  expect((await readStream(await send(oracle, 'two'))).text).toBe('second')
  const { messages } = await sessionOf(oracle)
  expect(
    messages.map(({ role, metadata }: { role: string; metadata: { outcome?: string } }) => [role, metadata.outcome]),
  ).toEqual([
    ['user', undefined],
    ['assistant', 'stopped'],
    ['user', undefined],
    ['assistant', 'done'],
  ])
})

test('the next message may follow the final event immediately, any number of times', async () => {
  const rounds = 30
  await using oracle = await testApp({ plugins: [], model: scriptedModel(Array.from({ length: rounds }, () => 'ok')) })
  for (let round = 0; round < rounds; round += 1) {
    const reader = await streamReader(send(oracle, `message ${round}`))
    await reader.until('finish')
  }
  expect((await sessionOf(oracle)).messages.length).toBe(2 * rounds)
})

test('other sessions of the same user run in parallel', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([['one', { wait: gate.promise }], 'two'])
  await using oracle = await testApp({ plugins: [], model })
  const reader = await streamReader(send(oracle, 'hi', 's1'))
  await reader.until('text-delta')
  expect((await readStream(await send(oracle, 'hi', 's2'))).text).toBe('two')
  gate.resolve()
  expect((await reader.rest()).last?.type).toBe('finish')
})

test('deleting a session stops its turn and leaves nothing behind', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel([['a', { wait: never }], 'b']) })
  const reader = await streamReader(send(oracle, 'hi'))
  await reader.until('text-delta')
  expect((await oracle.actor.request('/sessions/s1', { method: 'DELETE' })).status).toBe(204)
  expect((await reader.rest()).last?.type).toBe('abort')
  expect((await oracle.actor.request('/sessions/s1')).status).toBe(404)
  await readStream(await send(oracle, 'anew'))
  expect((await sessionOf(oracle)).messages.length).toBe(2)
})

test('regenerate answers the last question again, or from a given answer on; without a question it is rejected', async () => {
  const model = scriptedModel(['one', 'two', 'three', 'four'])
  const questions: string[] = []
  const before = async ({ text }: Turn) => void questions.push(text)
  await using oracle = await testApp({ plugins: [officePlugin({ turn: { before } })], model })
  const regenerate = (more: object = {}) =>
    oracle.actor.request('/chat', { json: { id: 's1', trigger: 'regenerate-message', ...more } })
  const nothing = await regenerate()
  expect([nothing.status, (await nothing.json()).code]).toEqual([404, 'nothing_to_regenerate'])
  expect((await oracle.actor.request('/sessions/s1')).status).toBe(404)
  const first = await readStream(await send(oracle, 'q1'))
  await readStream(await send(oracle, 'q2'))
  const texts = async () =>
    (await sessionOf(oracle)).messages.map(({ parts }: { parts: { text?: string }[] }) => parts.at(-1)?.text)
  expect((await readStream(await regenerate())).text).toBe('three')
  expect(await texts()).toEqual(['q1', 'one', 'q2', 'three'])
  expect(JSON.stringify(model.calls[2]?.prompt)).not.toContain('two')
  expect((await readStream(await regenerate({ messageId: first.events[0]?.messageId }))).text).toBe('four')
  expect(await texts()).toEqual(['q1', 'four'])
  expect(questions).toEqual(['q1', 'q2', 'q2', 'q1'])
  const last = model.calls[3]?.prompt.filter(({ role }) => role !== 'system')
  expect(JSON.stringify(last)).toContain('q1')
  expect(JSON.stringify(last)).not.toContain('q2')
})

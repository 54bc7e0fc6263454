import { DatabaseSync } from 'node:sqlite'
import { createMnemonic } from '@sibyl/identity'
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
import { temporaryFolder } from '../testing/temporary-folder.ts'

const message = (id: string, text = 'hi') => ({ id, role: 'user', parts: [{ type: 'text', text }] })

const send = (oracle: TestApp, id: string, text = 'hi', actor = oracle.actor) =>
  actor.request('/chat', { json: { id: 's1', message: message(id, text) } })

const rolesOf = async (oracle: TestApp): Promise<string[]> => {
  const session = await (await oracle.actor.request('/sessions/s1')).json()
  return session.messages.map(({ role }: { role: string }) => role)
}

test('a repeat while the turn runs follows it from the first event', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([['a ', { wait: gate.promise }, 'b']])
  await using oracle = await testApp({ plugins: [], model })
  const first = await streamReader(send(oracle, 'm1'))
  await first.until('text-delta')
  const second = await streamReader(send(oracle, 'm1', 'another text'))
  gate.resolve()
  expect((await second.rest()).events).toEqual((await first.rest()).events)
  expect(model.calls.length).toBe(1)
  expect(await rolesOf(oracle)).toEqual(['user', 'assistant'])
})

test('a repeat after the end gets the same events', async () => {
  const model = scriptedModel(['hello'])
  await using oracle = await testApp({ plugins: [], model })
  const first = await readStream(await send(oracle, 'm1'))
  const second = await readStream(await send(oracle, 'm1'))
  expect(second).toEqual(first)
  expect(model.calls.length).toBe(1)
})

test('ten concurrent copies are one turn', async () => {
  const model = scriptedModel(['hello'])
  await using oracle = await testApp({ plugins: [], model })
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(oracle, 'm1').then(readStream)))
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]?.text).toBe('hello')
  expect(model.calls.length).toBe(1)
  expect(await rolesOf(oracle)).toEqual(['user', 'assistant'])
})

test('ten concurrent copies are one turn also while an admission hook is pending', async () => {
  const model = scriptedModel(['hello'])
  const gate = Promise.withResolvers<undefined>()
  let asked = 0
  const before = () => {
    asked += 1
    return gate.promise
  }
  await using oracle = await testApp({ plugins: [officePlugin({ turn: { before } })], model })
  const answers = Array.from({ length: 10 }, () => send(oracle, 'm1').then(readStream))
  expect((await send(oracle, 'm2')).status).toBe(409)
  gate.resolve(undefined)
  for (const answer of await Promise.all(answers)) expect(answer).toEqual(await answers[0])
  expect([asked, model.calls.length]).toEqual([1, 1])
})

test('copies of a message that a plugin rejects are all rejected, and it can be sent again', async () => {
  const gate = Promise.withResolvers<void>()
  const answers = [{ status: 402, code: 'no_credit', detail: 'Top up first.' } as const, undefined]
  const before = async () => {
    await gate.promise
    return answers.shift()
  }
  await using oracle = await testApp({ plugins: [officePlugin({ turn: { before } })], model: scriptedModel(['hello']) })
  const copies = Array.from({ length: 3 }, () => send(oracle, 'm1'))
  await oracle.actor.request('/sessions')
  gate.resolve()
  for (const copy of copies) expect((await copy).status).toBe(402)
  expect((await readStream(await send(oracle, 'm1'))).text).toBe('hello')
})

test('a repeat after a restart reads the stored turn', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const echo = defineTool({
    description: 'Says it again.',
    input: z.object({ text: z.string() }),
    effect: 'read',
    execute: async input => input,
  })
  const boot = (steps: readonly ScriptedStep[]) =>
    testApp({ plugins: [officePlugin({ tools: { echo } })], model: scriptedModel(steps), env })
  let first: Awaited<ReturnType<typeof readStream>>
  let person: TestApp['actor']
  {
    await using oracle = await boot([[{ tool: 'echo', input: { text: 'x' } }], 'hello'])
    person = oracle.actor
    first = await readStream(await send(oracle, 'm1'))
  }
  await using oracle = await boot([])
  const again = testActor(oracle.app, Date.now, person.key)
  expect(await readStream(await send(oracle, 'm1', 'hi', again))).toEqual(first)
})

test('the answer is rebuilt from stored messages when its events are removed', async () => {
  let now = Date.now()
  const clock = { now: () => now }
  const model = scriptedModel([[{ reasoning: 'hm' }, 'hello']])
  await using oracle = await testApp({ plugins: [], model, clock })
  const first = await readStream(await send(oracle, 'm1'))
  now += 700_000
  const again = await readStream(await send(oracle, 'm1'))
  expect([again.text, again.done, again.last?.type]).toEqual(['hello', true, 'finish'])
  expect(again.last?.messageMetadata).toEqual(first.last?.messageMetadata)
  expect(model.calls.length).toBe(1)
})

test.each([
  ['last', 0],
  ['first', 700_000],
])('the answer is rebuilt while only its %s events remain', async (kept, laterMs) => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const boot = (steps: readonly ScriptedStep[], now: () => number) =>
    testApp({ plugins: [], model: scriptedModel(steps), env, clock: { now } })
  let person: TestApp['actor']
  {
    await using oracle = await boot(['hello'], Date.now)
    person = oracle.actor
    await readStream(await send(oracle, 'm1'))
  }
  const database = new DatabaseSync(folder.databaseUrl.slice('file:'.length))
  const row = database.prepare('select turn_id, body, created_at from core_turn_events').get()!
  const events = String(row.body).split('\n')
  const insert = database.prepare('insert into core_turn_events values (?, ?, ?, ?)')
  database.exec('delete from core_turn_events')
  if (kept === 'last') insert.run(row.turn_id!, 3, events.slice(2).join('\n'), row.created_at!)
  else insert.run(row.turn_id!, 1, events.slice(0, 2).join('\n'), row.created_at!)
  database.close()
  const now = () => Date.now() + laterMs
  await using oracle = await boot([], now)
  const again = await readStream(await send(oracle, 'm1', 'hi', testActor(oracle.app, now, person.key)))
  expect([again.text, again.done, again.last?.type]).toEqual(['hello', true, 'finish'])
})

test('the same ID in another session or of another user is another message', async () => {
  const model = scriptedModel(['one', 'two', 'three'])
  await using oracle = await testApp({ plugins: [], model })
  await readStream(await send(oracle, 'm1'))
  await readStream(await oracle.actor.request('/chat', { json: { id: 's2', message: message('m1') } }))
  await readStream(await send(oracle, 'm1', 'hi', testActor(oracle.app)))
  expect(model.calls.length).toBe(3)
})

test('rejects the ID of an answer', async () => {
  await using oracle = await testApp({ plugins: [], model: scriptedModel(['one', 'two']) })
  const { events } = await readStream(await send(oracle, 'm1'))
  const refused = await send(oracle, String(events[0]?.messageId))
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'message_id_taken'])
  expect((await readStream(await send(oracle, 'm2'))).text).toBe('two')
})

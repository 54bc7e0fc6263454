import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { defineTool, type Tool, type TurnEnd } from '@sibyl/plugin'
import { openStorage } from '@sibyl/storage'
import {
  readStream,
  type ScriptedStep,
  type StreamedEvent,
  scriptedModel,
  streamReader,
  type TestActor,
  testActor,
  testApp,
} from '@sibyl/testing'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { CoreTables } from '../database/core-tables.ts'
import { codeOf, questionsOf } from '../testing/approval-questions.ts'
import { startKillableOracle } from '../testing/killable-oracle.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { type TemporaryFolder, temporaryFolder } from '../testing/temporary-folder.ts'

// Each test starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

/** Creates a database, a user and a journal that outlive any process of the oracle. */
const setting = (folder: TemporaryFolder) => {
  const key = createSigningKey()
  const mnemonic = createMnemonic(12).reveal()
  const journal = join(folder.path, 'journal.txt')
  const started = (script: string) =>
    startKillableOracle({ databaseUrl: folder.databaseUrl, mnemonic, journal, script }, key)
  const restarted = async (steps: readonly ScriptedStep[], ran: string[] = [], more: Partial<Tool> = {}) => {
    const append = defineTool({
      description: 'Writes a line.',
      input: z.object({ line: z.string() }),
      effect: 'write',
      execute: async ({ line }, { idempotencyKey }) => {
        ran.push(`ran ${line} ${idempotencyKey}`)
        return 'written'
      },
    }) as Tool
    const ends: string[] = []
    const reported: TurnEnd[] = []
    const model = scriptedModel(steps)
    const plugin = officePlugin({
      tools: {
        append: { ...append, ...more },
        append_asking: { ...append, approval: 'user' },
        append_quickly_asking: { ...append, approval: 'user' },
      },
      turn: {
        after: async (turn, end) => {
          ends.push(`after ${turn.id} ${end.outcome} ${end.complete}`)
          reported.push(end)
        },
      },
    })
    const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: mnemonic }
    const oracle = await testApp({ plugins: [plugin], model, env })
    return {
      oracle,
      actor: testActor(oracle.app, Date.now, key),
      model,
      ends,
      told: reported,
      ran,
      [Symbol.asyncDispose]: () => oracle.app.close(),
    }
  }
  const journalLines = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').filter(Boolean) : [])
  return { started, restarted, journalLines }
}

const send = (actor: TestActor, text: string, id = text) =>
  actor.request('/chat', { json: { id: 's1', message: { id, role: 'user', parts: [{ type: 'text', text }] } } })

const sessionOf = async (actor: TestActor) => (await actor.request('/sessions/s1')).json()

const turnOf = (eventId: unknown) => String(eventId).split(':')[0]

describe('kill -9 in the middle of an answer', () => {
  test('the turn continues from its start in the next process, and after hooks run once', async () => {
    using folder = temporaryFolder()
    const { started, restarted, journalLines } = setting(folder)
    await using before = await started('answer')
    const { eventId } = await (await streamReader(send(before.actor, 'hello', 'm1'))).until('text-delta')
    await before.end('SIGKILL')
    expect(journalLines()).toEqual([])
    {
      await using after = await restarted(['the whole answer', 'next'])
      const again = await readStream(await send(after.actor, 'hello', 'm1'))
      expect([again.text, again.last?.type]).toEqual(['the whole answer', 'finish'])
      expect(again.events.filter(({ type }) => type === 'start')).toHaveLength(1)
      const { messages, runningTurn } = await sessionOf(after.actor)
      expect(runningTurn).toBeUndefined()
      expect(messages).toMatchObject([{ id: 'm1', role: 'user' }, { metadata: { outcome: 'done' } }])
      expect(JSON.stringify(after.model.calls[0]?.prompt)).not.toContain('partial')
      expect((await readStream(await send(after.actor, 'and?', 'm2'))).text).toBe('next')
      await expect.poll(() => after.ends[0]).toBe(`after ${turnOf(eventId)} done true`)
    }
    await using later = await restarted([])
    expect(later.ends).toEqual([])
  })

  test('a finished step stays: its call is given to the model, and not repeated', async () => {
    using folder = temporaryFolder()
    const { started, restarted, journalLines } = setting(folder)
    await using before = await started('write-and-answer')
    const reader = await streamReader(send(before.actor, 'write it', 'm1'))
    const seen = await reader.until('text-delta')
    await before.end('SIGKILL')
    await using after = await restarted(['It is written.'])
    const headers = { 'last-event-id': seen.eventId }
    const rest = await readStream(await after.actor.request('/chat/s1/stream', { headers }))
    expect([rest.events[0]?.type, rest.text, rest.last?.type]).toEqual(['data-resumed', 'It is written.', 'finish'])
    const finishedStep = reader.events.find(({ type }) => type === 'finish-step')
    expect(rest.events[0]?.data).toEqual({ after: Number(finishedStep?.eventId.split(':')[1]) })
    const whole = await readStream(await send(after.actor, 'write it', 'm1'))
    expect(whole.events.filter(({ type }) => type === 'tool-output-available')).toHaveLength(1)
    expect(whole.text).toBe('It is written.')
    expect(after.model.calls).toHaveLength(1)
    expect(JSON.stringify(after.model.calls[0]?.prompt)).toContain('"value":"written"')
    expect([after.ran, journalLines().length]).toEqual([[], 1])
  })

  test('a turn whose process ends three times at the same step is interrupted', async () => {
    using folder = temporaryFolder()
    const { started, restarted } = setting(folder)
    for (const _ of ['first', 'continued']) {
      await using process = await started('answer')
      await (await streamReader(send(process.actor, 'hello', 'm1'))).until('text-delta')
    }
    const storage = await openStorage({ url: folder.databaseUrl })
    const core = storage.for<CoreTables>()
    const row = await core.read.selectFrom('core_turns').select('checkpoint').executeTakeFirstOrThrow()
    const checkpoint = JSON.parse(row.checkpoint ?? '{}')
    expect(checkpoint).toMatchObject({ resumptions: 1, tries: 1 })
    await core.write(tx =>
      tx
        .updateTable('core_turns')
        .set({ checkpoint: JSON.stringify({ ...checkpoint, tries: 3 }) })
        .execute(),
    )
    await storage.close()
    await using after = await restarted([])
    const again = await readStream(await send(after.actor, 'hello', 'm1'))
    expect(again.last).toMatchObject({ type: 'error', code: 'turn_interrupted' })
  })
})

test('kill -9 in the middle of an answer: no event ID that a client received is reused for another event', async () => {
  using folder = temporaryFolder()
  const { started, restarted } = setting(folder)
  await using before = await started('answer')
  const reader = await streamReader(send(before.actor, 'hello', 'm1'))
  await reader.until(({ delta }) => delta === 'answer ')
  await before.end('SIGKILL')
  const seen = new Map<string, string>()
  const changed: string[] = []
  const compare = (events: readonly StreamedEvent[]) => {
    for (const { eventId, ...event } of events) {
      const json = JSON.stringify(event)
      if ((seen.get(eventId) ?? json) !== json) changed.push(`${eventId} ${json}`)
      seen.set(eventId, json)
    }
  }
  compare(reader.events)
  await using after = await restarted(['another answer'])
  compare((await readStream(await send(after.actor, 'hello', 'm1'))).events)
  for (const { eventId } of reader.events) {
    const rest = await readStream(
      await after.actor.request('/chat/s1/stream', { headers: { 'last-event-id': eventId } }),
    )
    expect([rest.text, rest.last?.type, rest.done]).toEqual(['another answer', 'finish', true])
    compare(rest.events)
  }
  expect(changed).toEqual([])
})

describe('kill -9 in the middle of a write', () => {
  /** Kills a process that writes, starts another, and returns the question that it asks. */
  const killedWrite = async (folder: TemporaryFolder, steps: readonly ScriptedStep[], more: Partial<Tool> = {}) => {
    const { started, restarted, journalLines } = setting(folder)
    await using before = await started('write')
    const reader = await streamReader(send(before.actor, 'write it', 'm1'))
    const { eventId } = await reader.until('data-begun')
    await before.end('SIGKILL')
    const after = await restarted(steps, [], more)
    const again = await readStream(await send(after.actor, 'write it', 'm1'))
    const call = async () => {
      const { messages } = await sessionOf(after.actor)
      return messages[1].parts.find(({ toolCallId }: { toolCallId?: string }) => toolCallId === 'c1')
    }
    return {
      ...after,
      again,
      call,
      question: questionsOf(again)[0],
      rerun: `ran one ${turnOf(eventId)}:c1`,
      journalLines,
    }
  }
  const answer = (actor: TestActor, approvalId: string | undefined, body: object) =>
    actor.request(`/chat/s1/approvals/${approvalId}`, { json: body })

  test.each([
    ['applied', { decision: 'once', data: { outcome: 'applied' } }, false, /^It took effect/],
    ['not applied', { decision: 'once', data: { outcome: 'not applied' } }, true, undefined],
    ['unknown', { decision: 'once', data: { outcome: 'unknown' } }, false, /^Outcome unknown/],
    ['something else', { decision: 'once', data: { outcome: 7 } }, false, /^Outcome unknown/],
    ['nothing', { decision: 'deny' }, false, /^Outcome unknown/],
  ])('the call waits until the user answers what became of it: %s', async (_, body, runs, errorText) => {
    using folder = temporaryFolder()
    await using after = await killedWrite(folder, ['I see.'])
    expect(after.question?.reason).toBe(
      'The oracle stopped during this call. Did it take effect? Run append\n\nline: "one"',
    )
    expect(await after.call()).toMatchObject({ state: 'approval-requested' })
    const pending = await (await after.actor.request('/approvals')).json()
    expect(pending.approvals).toMatchObject([{ kind: 'question', schema: { required: ['outcome'] } }])
    expect(after.ran).toEqual([])
    const decided = await readStream(await answer(after.actor, after.question?.approvalId, body))
    expect([decided.text, decided.last?.type]).toEqual(['I see.', 'finish'])
    expect(after.ran).toEqual(runs ? [after.rerun] : [])
    expect(await after.call()).toMatchObject(
      runs ? { state: 'output-available', output: 'written' } : { errorText: expect.stringMatching(errorText!) },
    )
    expect(JSON.stringify(after.model.calls[0]?.prompt)).toContain(runs ? 'written' : (await after.call()).errorText)
    expect(after.journalLines()).toEqual([after.rerun])
  })

  test('a new message closes the question, and the outcome stays unknown', async () => {
    using folder = temporaryFolder()
    await using after = await killedWrite(folder, ['Next.'])
    expect((await readStream(await send(after.actor, 'never mind', 'm2'))).text).toBe('Next.')
    expect((await after.call()).state).toBe('output-denied')
    expect(JSON.stringify(after.model.calls[0]?.prompt)).toContain('Outcome unknown')
    const late = await answer(after.actor, after.question?.approvalId, { decision: 'once' })
    expect(await codeOf(late)).toEqual([409, 'approval_withdrawn'])
    expect(after.ran).toEqual([])
  })

  test.each([
    ['took effect', { applied: true, output: 'found' }, 'found', false],
    ['did not take effect', { applied: false }, 'written', true],
  ] as const)('its tool finds out that it %s', async (_, outcome, output, runs) => {
    using folder = temporaryFolder()
    const keys: string[] = []
    const find = async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
      keys.push(idempotencyKey)
      return outcome
    }
    await using after = await killedWrite(folder, ['I see.'], { outcome: find as NonNullable<Tool['outcome']> })
    expect([after.again.text, after.question]).toEqual(['I see.', undefined])
    expect(await after.call()).toMatchObject({ state: 'output-available', output })
    expect(keys.map(key => `ran one ${key}`)).toEqual([after.rerun])
    expect(after.ran).toEqual(runs ? [after.rerun] : [])
  })

  test('a tool that cannot find out leaves it to the user', async () => {
    using folder = temporaryFolder()
    const outcome = () => Promise.reject(new Error('offline'))
    await using after = await killedWrite(folder, ['I see.'], { outcome })
    expect(after.question?.reason).toContain('Did it take effect?')
  })
})

describe('kill -9 while an approval is pending', () => {
  const asked = async (folder: TemporaryFolder) => {
    const own = setting(folder)
    const before = await own.started('ask')
    const stream = await readStream(await send(before.actor, 'write it', 'm1'))
    const question = stream.events.find(({ type }) => type === 'tool-approval-request')
    const path = `/chat/s1/approvals/${String(question?.approvalId)}`
    const askedTurn = turnOf(question?.eventId)
    // The hooks are called after the stream has ended.
    await expect.poll(own.journalLines).toEqual([`after ${askedTurn} awaiting-approval true`])
    return { ...own, before, path, askedTurn }
  }

  test('the question is still open, and its call runs once', async () => {
    using folder = temporaryFolder()
    const { before: process, restarted, path, askedTurn, journalLines } = await asked(folder)
    await using before = process
    await before.end('SIGKILL')
    await using after = await restarted(['written'])
    const { messages } = await sessionOf(after.actor)
    expect(messages[1].parts.at(-1)).toMatchObject({ state: 'approval-requested' })
    const decisions = await Promise.all(
      Array.from({ length: 5 }, async () =>
        readStream(await after.actor.request(path, { json: { decision: 'once' } })),
      ),
    )
    expect(decisions.map(({ text }) => text)).toEqual(Array.from({ length: 5 }, () => 'written'))
    expect(after.ran).toEqual([`ran asked ${askedTurn}:c1`])
    expect(journalLines()).toEqual([`after ${askedTurn} awaiting-approval true`])
  })

  test('killed again while the approved call runs: its user is asked before it runs again', async () => {
    using folder = temporaryFolder()
    const { before: process, restarted, path, askedTurn, journalLines } = await asked(folder)
    await using before = process
    const reader = await streamReader(before.actor.request(path, { json: { decision: 'once' } }))
    await reader.until('data-begun')
    await before.end('SIGKILL')
    await using after = await restarted(['I see.'])
    const again = await readStream(await after.actor.request(path, { json: { decision: 'once' } }))
    const [question] = questionsOf(again)
    expect(question?.reason).toContain('Did it take effect?')
    expect(after.ran).toEqual([])
    expect(await codeOf(await after.actor.request(path, { json: { decision: 'deny' } }))).toEqual([
      409,
      'approval_decided',
    ])
    const answer = { decision: 'once', data: { outcome: 'not applied' } }
    const other = `/chat/s1/approvals/${question?.approvalId}`
    expect((await readStream(await after.actor.request(other, { json: answer }))).text).toBe('I see.')
    expect(after.ran).toEqual(journalLines().filter(line => line.startsWith('ran')))
    expect(after.ran).toEqual([`ran asked ${askedTurn}:c1`])
  })

  test('killed after one of two approved calls: its result stays, and the other one is asked about', async () => {
    using folder = temporaryFolder()
    const { started, restarted, journalLines } = setting(folder)
    await using before = await started('ask-twice')
    const [first, second] = questionsOf(await readStream(await send(before.actor, 'write it', 'm1')))
    const approve = (actor: TestActor, question: typeof first) =>
      actor.request(`/chat/s1/approvals/${question?.approvalId}`, { json: { decision: 'once' } })
    await approve(before.actor, first)
    const reader = await streamReader(approve(before.actor, second))
    await reader.until('data-begun')
    await before.end('SIGKILL')
    await using after = await restarted(['I see.'])
    const again = await readStream(await approve(after.actor, second))
    expect(again.events.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      ...{ toolCallId: 'c1', output: 'written' },
    })
    const [outcome] = questionsOf(again)
    expect(outcome).toMatchObject({ toolCallId: 'c2', reason: expect.stringContaining('Did it take effect?') })
    expect((await readStream(await approve(after.actor, outcome))).text).toBe('I see.')
    expect(after.ran).toEqual([])
    expect(journalLines().filter(line => line.startsWith('ran')).length).toBe(2)
  })

  test('killed while it waits and another call of the step runs: that one is not run again, both are asked about', async () => {
    using folder = temporaryFolder()
    const { started, restarted, journalLines } = setting(folder)
    await using before = await started('ask-and-write')
    const reader = await streamReader(send(before.actor, 'write it', 'm1'))
    const waitingFor = new Set(['tool-approval-request', 'data-begun'])
    await reader.until(({ type }) => waitingFor.delete(type) && waitingFor.size === 0)
    await before.end('SIGKILL')
    const question = reader.events.find(({ type }) => type === 'tool-approval-request')
    await using after = await restarted(['done'])
    const [outcome] = questionsOf(await readStream(await send(after.actor, 'write it', 'm1'))).filter(
      ({ approvalId }) => approvalId !== question?.approvalId,
    )
    const decide = (approvalId: unknown, body: object) =>
      after.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once', ...body } })
    await decide(outcome?.approvalId, { data: { outcome: 'unknown' } })
    const answer = await readStream(await decide(question?.approvalId, {}))
    expect(answer.text).toBe('done')
    expect(after.ran).toEqual([`ran asked ${turnOf(question?.eventId)}:c1`])
    expect(JSON.stringify(after.model.calls[0]?.prompt)).toContain('Outcome unknown')
    const { messages } = await sessionOf(after.actor)
    const states = messages[1].parts.flatMap((part: { toolCallId?: string; state?: string }) =>
      part.toolCallId === undefined ? [] : [[part.toolCallId, part.state]],
    )
    expect(Object.fromEntries(states)).toEqual({ c1: 'output-available', c2: 'output-error' })
    expect(journalLines().filter(line => line.startsWith('ran')).length).toBe(1)
  })
})

test('after hooks that were not called before the kill are called by the next process, once', async () => {
  using folder = temporaryFolder()
  const { started, restarted } = setting(folder)
  await using before = await started('hang-after done')
  const { events } = await readStream(await send(before.actor, 'hello'))
  await before.end('SIGKILL')
  {
    await using after = await restarted([])
    await expect.poll(() => after.ends).toEqual([`after ${turnOf(events[0]?.eventId)} done true`])
  }
  await using later = await restarted([])
  expect(later.ends).toEqual([])
})

test('the next process continues an answer that SIGTERM cuts', async () => {
  using folder = temporaryFolder()
  const { started, restarted, journalLines } = setting(folder)
  await using before = await started('answer')
  const reader = await streamReader(send(before.actor, 'hello', 'm1'))
  await reader.until('text-delta')
  const ended = before.end('SIGTERM')
  const { last, done } = await reader.rest()
  expect([last?.type, done]).not.toContain('error')
  expect(done).toBe(false)
  await ended
  expect(journalLines()).toEqual([])
  await using after = await restarted(['the whole answer'])
  const headers = { 'last-event-id': String(last?.eventId) }
  const rest = await readStream(await after.actor.request('/chat/s1/stream', { headers }))
  expect([rest.text, rest.last?.type]).toEqual(['the whole answer', 'finish'])
  await expect.poll(() => after.ends).toEqual([`after ${turnOf(last?.eventId)} done true`])
})

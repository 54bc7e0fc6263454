import { createMnemonic } from '@sibyl/identity'
import { defineTool } from '@sibyl/plugin'
import { readStream, scriptedModel, streamReader, type TestApp, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, decide, partOf, pay, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { till } from '../testing/till.ts'

describe('decisions', () => {
  test('sent twice: the turn is read again, nothing runs twice', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'paid']) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const first = await readStream(await decide(oracle, question?.approvalId, { decision: 'once' }))
    expect(await readStream(await decide(oracle, question?.approvalId, { decision: 'once' }))).toEqual(first)
    expect(await codeOf(await decide(oracle, question?.approvalId, { decision: 'deny' }))).toEqual([
      409,
      'approval_decided',
    ])
    expect(payments.length).toBe(1)
  })

  test.each(['once', 'session', 'deny'] as const)('the reason of %s is stored in the session', async decision => {
    const { parts } = till()
    const model = scriptedModel([pay(5), 'end'])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const id = question?.approvalId
    const reason = 'the budget of November is spent'
    expect(await codeOf(await decide(oracle, id, { decision, reason: 'x'.repeat(2_001) }))).toEqual([
      400,
      'input_invalid',
    ])
    await readStream(await decide(oracle, id, { decision, reason }))
    const approved = decision !== 'deny'
    expect(await partOf(oracle, 'pay-5')).toMatchObject({ approval: { id, approved, reason } })
    if (!approved) expect(JSON.stringify(model.calls[1]?.prompt)).toContain(`Tool execution denied: ${reason}`)
  })

  test('20 concurrent copies run the call exactly once', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'paid']) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => decide(oracle, question?.approvalId, { decision: 'once' }).then(readStream)),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.text).toBe('paid')
    expect(payments.length).toBe(1)
  })

  test('opposite ones at once: one of them wins', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'end']) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const answers = await Promise.all(
      (['once', 'deny', 'once', 'deny'] as const).map(decision => decide(oracle, question?.approvalId, { decision })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    const accepted = answers.filter(({ status }) => status === 200)
    for (const answer of accepted) expect((await readStream(answer)).text).toBe('end')
    expect(payments.length).toBe(accepted.includes(answers[0]!) ? 1 : 0)
  })

  test('of another user, for another session, of an unknown ID or with invalid members are rejected and change nothing', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'paid']) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const id = question?.approvalId
    const stranger = testActor(oracle.app)
    expect(await codeOf(await decide(oracle, id, { decision: 'once' }, stranger))).toEqual([404, 'approval_not_found'])
    expect(await codeOf(await decide(oracle, id, { decision: 'deny' }, oracle.actor, 's2'))).toEqual([
      404,
      'approval_not_found',
    ])
    expect(await codeOf(await decide(oracle, 'nope', { decision: 'once' }))).toEqual([404, 'approval_not_found'])
    for (const invalid of [{}, { decision: 'yes' }, { decision: ['once'] }, [], 'once']) {
      expect(await codeOf(await decide(oracle, id, invalid as object))).toEqual([400, 'input_invalid'])
    }
    expect(payments).toEqual([])
    expect((await readStream(await decide(oracle, id, { decision: 'once' }))).text).toBe('paid')
  })

  test('after a newer message are too late, and the call reads as denied', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([pay(5), 'other'])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    await oracle.chat('something else', { session: 's1' })
    expect(await partOf(oracle, 'pay-5')).toMatchObject({ state: 'output-denied' })
    expect(JSON.stringify(model.calls[1]?.prompt)).toMatch(/denied/)
    expect(await codeOf(await decide(oracle, question?.approvalId, { decision: 'once' }))).toEqual([
      409,
      'approval_withdrawn',
    ])
    expect(payments).toEqual([])
  })

  test('after regenerate are too late', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'anew']) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    await readStream(await oracle.actor.request('/chat', { json: { id: 's1', trigger: 'regenerate-message' } }))
    expect(await codeOf(await decide(oracle, question?.approvalId, { decision: 'once' }))).toEqual([
      409,
      'approval_withdrawn',
    ])
    expect(payments).toEqual([])
  })

  test('after the session was deleted return 404', async () => {
    const { parts } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5)]) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    await oracle.actor.request('/sessions/s1', { method: 'DELETE' })
    expect(await codeOf(await decide(oracle, question?.approvalId, { decision: 'once' }))).toEqual([
      404,
      'approval_not_found',
    ])
  })

  test('while another call of the step still runs wait for it', async () => {
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const slow = defineTool({
      description: 'Takes its time.',
      input: z.object({}),
      effect: 'read',
      execute: async () => {
        begun.resolve()
        await gate.promise
        return 'slow'
      },
    })
    const { parts, payments } = till()
    const model = scriptedModel([[{ tool: 'pay', input: { amount: 5 }, id: 'c1' }, { tool: 'slow' }], 'paid'])
    await using oracle = await testApp({
      plugins: [officePlugin(parts), officePlugin({ tools: { slow } }, 'slow')],
      model,
    })
    const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'pay' } }))
    const { approvalId } = await reader.until('tool-approval-request')
    await begun.promise
    const decided = decide(oracle, String(approvalId), { decision: 'once' })
    gate.resolve()
    await reader.rest()
    expect((await readStream(await decided)).text).toBe('paid')
    expect(payments.length).toBe(1)
  })

  test('after the turn was stopped while suspended are too late', async () => {
    const never = new Promise<never>(() => {})
    const slow = defineTool({
      description: 'Never ends.',
      input: z.object({}),
      effect: 'read',
      execute: () => never,
    })
    const { parts, payments } = till()
    const model = scriptedModel([[{ tool: 'pay', input: { amount: 5 }, id: 'c1' }, { tool: 'slow' }]])
    await using oracle = await testApp({
      plugins: [officePlugin(parts), officePlugin({ tools: { slow } }, 'slow')],
      model,
    })
    const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'pay' } }))
    const { approvalId } = await reader.until('tool-approval-request')
    await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
    const { events } = await reader.rest()
    expect(events.some(({ type, toolCallId }) => type === 'tool-output-denied' && toolCallId === 'c1')).toBe(true)
    expect(await partOf(oracle, 'c1')).toMatchObject({ state: 'output-denied' })
    const late = await decide(oracle, String(approvalId), { decision: 'once' })
    expect(await codeOf(late)).toEqual([409, 'approval_withdrawn'])
    expect(payments).toEqual([])
  })

  test('may trigger the next question, in one message', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([pay(5), pay(6), 'both paid'])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [first] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const [second] = questionsOf(await readStream(await decide(oracle, first?.approvalId, { decision: 'once' })))
    expect((await readStream(await decide(oracle, second?.approvalId, { decision: 'once' }))).text).toBe('both paid')
    expect(payments.map(({ amount }) => amount)).toEqual([5, 6])
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    expect(messages.length).toBe(2)
  })
})

test('an open question survives a restart and is answered once', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, ORACLE_MNEMONIC: createMnemonic(12).reveal() }
  const { parts, payments } = till()
  let person: TestApp['actor']
  let approvalId: string | undefined
  {
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5)]), env })
    person = oracle.actor
    approvalId = questionsOf(await oracle.chat('pay', { session: 's1' }))[0]?.approvalId
  }
  await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel(['paid']), env })
  const again = testActor(oracle.app, Date.now, person.key)
  expect(await partOf(oracle, 'pay-5', again)).toMatchObject({ state: 'approval-requested' })
  expect((await readStream(await decide(oracle, approvalId, { decision: 'once' }, again))).text).toBe('paid')
  await readStream(await decide(oracle, approvalId, { decision: 'once' }, again))
  expect(payments.length).toBe(1)
})

describe("the format of useChat: the assistant's message with decisions in its parts", () => {
  const respond = (
    oracle: TestApp,
    answers: readonly { id?: string | undefined; approved: unknown; reason?: unknown }[],
    messageId: unknown,
  ) => {
    const parts = answers.map(({ id, approved, reason }, index) => ({
      type: 'tool-pay',
      toolCallId: `c${index}`,
      state: 'approval-responded',
      input: {},
      approval: { id, approved, reason },
    }))
    return oracle.actor.request('/chat', {
      json: { id: 's1', messages: [{ id: messageId, role: 'assistant', parts }] },
    })
  }

  test('stores the reason of each in its part', async () => {
    const { parts } = till()
    const model = scriptedModel([
      [
        { tool: 'pay', input: { amount: 1 }, id: 'c0' },
        { tool: 'pay', input: { amount: 2 }, id: 'c1' },
        { tool: 'pay', input: { amount: 3 }, id: 'c2' },
      ],
      'done',
    ])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const stream = await oracle.chat('pay', { session: 's1' })
    const [first, second, third] = questionsOf(stream).map(({ approvalId }) => approvalId)
    const answers = [
      { id: first, approved: true, reason: 'the invoice is here' },
      { id: second, approved: false, reason: ` not due${'!'.repeat(3_000)}` },
      { id: third, approved: false, reason: 7 },
    ]
    await readStream(await respond(oracle, answers, stream.events[0]?.messageId))
    expect((await partOf(oracle, 'c0')).approval).toEqual({ id: first, approved: true, reason: 'the invoice is here' })
    expect((await partOf(oracle, 'c1')).approval).toEqual({
      id: second,
      approved: false,
      reason: `not due${'!'.repeat(1_993)}`,
    })
    expect((await partOf(oracle, 'c2')).approval).toEqual({ id: third, approved: false })
  })

  test('continues once all are answered', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([
      [
        { tool: 'pay', input: { amount: 1 }, id: 'c0' },
        { tool: 'pay', input: { amount: 2 }, id: 'c1' },
      ],
      'done',
    ])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const stream = await oracle.chat('pay', { session: 's1' })
    const [first, second] = questionsOf(stream)
    const messageId = stream.events[0]?.messageId
    const partly = await respond(oracle, [{ id: first?.approvalId, approved: true }], messageId)
    expect(await codeOf(partly)).toEqual([409, 'approval_waiting'])
    const all = [
      { id: first?.approvalId, approved: true },
      { id: second?.approvalId, approved: false },
    ]
    const answer = await readStream(await respond(oracle, all, messageId))
    expect([answer.text, answer.events[0]?.messageId]).toEqual(['done', messageId])
    expect(payments.map(({ amount }) => amount)).toEqual([1])
    expect(await readStream(await respond(oracle, all, messageId))).toEqual(answer)
    expect(payments.length).toBe(1)
  })

  test('is rejected with invalid members', async () => {
    const { parts } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5)]) })
    const stream = await oracle.chat('pay', { session: 's1' })
    const messageId = stream.events[0]?.messageId
    expect(await codeOf(await respond(oracle, [], messageId))).toEqual([400, 'message_missing'])
    expect(await codeOf(await respond(oracle, [{ id: 'nope', approved: true }], messageId))).toEqual([
      404,
      'approval_not_found',
    ])
    const [question] = questionsOf(stream)
    expect(await codeOf(await respond(oracle, [{ id: question?.approvalId, approved: 'yes' }], messageId))).toEqual([
      400,
      'message_missing',
    ])
  })
})

import type { Tools } from '@sibyl/plugin'
import { readStream, type ScriptedStep, scriptedModel, streamReader, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { codeOf, decide, partOf, pay, questionsOf } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { till } from '../testing/till.ts'

describe('a tool that requires approval', () => {
  test('asks in plain language, and does not run before the decision', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5)]) })
    const stream = await oracle.chat('pay', { session: 's1' })
    const reason = 'Pay 5 €\n\namount: 5'
    expect(questionsOf(stream)).toEqual([{ approvalId: expect.any(String), toolCallId: 'pay-5', reason }])
    expect(stream.last).toMatchObject({ type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } })
    expect(payments).toEqual([])
    expect(await partOf(oracle, 'pay-5')).toMatchObject({
      state: 'approval-requested',
      input: { amount: 5 },
      approval: { requestReason: reason },
    })
  })

  test('truncates a sentence, and no argument', async () => {
    const { parts } = till()
    const tools = parts.tools as Tools
    const long = { ...tools.pay!, describe: () => 'x'.repeat(1_001) }
    const plugin = officePlugin({ ...parts, tools: { ...tools, pay: long } })
    await using oracle = await testApp({ plugins: [plugin], model: scriptedModel([pay(5)]) })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    expect(question?.reason).toBe(`${'x'.repeat(999)}…\n\namount: 5`)
  })

  test('stores the question before showing it: it can be answered immediately', async () => {
    const { parts, payments } = till()
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5), 'paid']) })
    const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'pay' } }))
    const { approvalId } = await reader.until('tool-approval-request')
    expect((await readStream(await decide(oracle, String(approvalId), { decision: 'once' }))).text).toBe('paid')
    expect(payments.length).toBe(1)
  })

  test('once: runs this call, and asks again for the next one', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([pay(5), 'paid', pay(6)])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const asked = await oracle.chat('pay', { session: 's1' })
    const [question] = questionsOf(asked)
    const answer = await readStream(await decide(oracle, question?.approvalId, { decision: 'once', data: { pin: 1 } }))
    expect(answer.events[0]?.messageId).toBe(asked.events[0]?.messageId)
    expect(answer.events.find(({ type }) => type === 'tool-output-available')).toMatchObject({
      toolCallId: 'pay-5',
      output: { paid: 5 },
    })
    expect([answer.text, answer.last?.type, answer.done]).toEqual(['paid', 'finish', true])
    expect(payments).toEqual([{ amount: 5, idempotencyKey: expect.any(String), approvalData: { pin: 1 } }])
    const firstTurn = asked.events[0]?.eventId.split(':')[0]
    expect(payments[0]?.idempotencyKey).toBe(`${firstTurn}:pay-5`)
    expect(questionsOf(await oracle.chat('pay again', { session: 's1' })).length).toBe(1)
    const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  })

  test('session: runs this call, and later ones of the tool in this session only', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([pay(5), 'paid', pay(6), 'paid', pay(7)])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    await readStream(await decide(oracle, question?.approvalId, { decision: 'session' }))
    expect(questionsOf(await oracle.chat('pay', { session: 's1' }))).toEqual([])
    expect(payments.map(({ amount }) => amount)).toEqual([5, 6])
    expect(questionsOf(await oracle.chat('pay', { session: 's2' })).length).toBe(1)
  })

  test('asks again for a tool with another approval scope, and does not run it by an earlier approval', async () => {
    const { parts, payments } = till()
    let approvalScope = 'first'
    const tools = () => ({ pay: { ...(parts.tools as Tools).pay!, approvalScope } })
    const model = scriptedModel([pay(5), 'paid', pay(6), pay(7), 'paid'])
    await using oracle = await testApp({ plugins: [officePlugin({ tools })], model })
    const chat = async () => questionsOf(await oracle.chat('pay', { session: 's1' }))
    const [first] = await chat()
    await readStream(await decide(oracle, first?.approvalId, { decision: 'session' }))
    approvalScope = 'second'
    const [second] = await chat()
    expect(second?.toolCallId).toBe('pay-6')
    approvalScope = 'first'
    expect((await readStream(await decide(oracle, second?.approvalId, { decision: 'once' }))).text).toBe('paid')
    expect(payments.map(({ amount }) => amount)).toEqual([5, 7])
    expect(await partOf(oracle, 'pay-6')).toMatchObject({
      errorText: "'pay' has changed since the question was asked. It was not run.",
    })
  })

  test('shows the arguments as the schema returns them, and runs no others', async () => {
    const { parts, payments } = till()
    const { pay: tool } = parts.tools as Tools
    let fee = 1
    const input = () =>
      z.object({ amount: z.number(), fee: z.number().default(fee), note: z.string().trim().optional() })
    const tools = () => ({ pay: { ...tool!, input: input() } })
    const call = { tool: 'pay', input: { amount: 5, note: ' a\u202eb\n\namount: 1 ', unknown: 7 }, id: 'pay-5' }
    const model = scriptedModel([call, 'not paid', pay(6), 'paid'])
    await using oracle = await testApp({ plugins: [officePlugin({ tools })], model })
    const asked = async () => questionsOf(await oracle.chat('pay', { session: 's1' }))[0]
    const first = await asked()
    expect(first?.reason).toBe('Pay 5 €\n\namount: 5\nfee: 1\nnote: "a\\u202eb\\n\\namount: 1"')
    fee = 2
    await readStream(await decide(oracle, first?.approvalId, { decision: 'once' }))
    expect(await partOf(oracle, 'pay-5')).toMatchObject({
      errorText: "The arguments of 'pay' are not those that the question showed. It was not run.",
    })
    expect(payments).toEqual([])
    const second = await asked()
    expect(second?.reason).toBe('Pay 6 €\n\namount: 6\nfee: 2')
    await readStream(await decide(oracle, second?.approvalId, { decision: 'once' }))
    expect(payments.map(({ amount }) => amount)).toEqual([6])
  })

  test('deny: does not run, and the model reads the denial', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([pay(5), 'not paid'])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [question] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    const answer = await readStream(await decide(oracle, question?.approvalId, { decision: 'deny' }))
    expect(answer.events.some(({ type }) => type === 'tool-output-denied')).toBe(true)
    expect(answer.text).toBe('not paid')
    expect(payments).toEqual([])
    expect(JSON.stringify(model.calls[1]?.prompt)).toMatch(/execution-denied|denied/)
    expect(await partOf(oracle, 'pay-5')).toMatchObject({ state: 'output-denied' })
  })

  test('asks as its rule decides, by the parsed input', async () => {
    const { parts, payments } = till(({ amount }) => (amount > 10 ? 'user' : 'none'))
    const model = scriptedModel([pay(5), pay(50)])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const stream = await oracle.chat('pay', { session: 's1' })
    expect(payments.map(({ amount }) => amount)).toEqual([5])
    expect(questionsOf(stream).map(({ toolCallId }) => toolCallId)).toEqual(['pay-50'])
  })

  for (const [name, rule] of [
    [
      'throws',
      () => {
        throw new Error('x')
      },
    ],
    ['returns an invalid value', () => 'maybe'],
    ['returns a promise', async () => 'none'],
  ] as const) {
    test(`asks if its rule ${name}`, async () => {
      const { parts, payments } = till(rule as never)
      await using oracle = await testApp({ plugins: [officePlugin(parts)], model: scriptedModel([pay(5)]) })
      expect(questionsOf(await oracle.chat('pay', { session: 's1' })).length).toBe(1)
      expect(payments).toEqual([])
    })
  }
})

describe('several questions in one step', () => {
  const steps: ScriptedStep[] = [
    [
      { tool: 'pay', input: { amount: 1 }, id: 'c1' },
      { tool: 'look', id: 'c2' },
      { tool: 'pay', input: { amount: 3 }, id: 'c3' },
    ],
    'all done',
  ]

  test('wait until all are answered; calls without approval run immediately', async () => {
    const { parts, payments } = till()
    const model = scriptedModel(steps)
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const stream = await oracle.chat('pay', { session: 's1' })
    expect(stream.events.find(({ type }) => type === 'tool-output-available')?.toolCallId).toBe('c2')
    const [first, second] = questionsOf(stream)
    const waiting = await decide(oracle, second?.approvalId, { decision: 'once' })
    expect([waiting.status, await waiting.json()]).toEqual([202, { waiting: [first?.approvalId] }])
    expect(payments).toEqual([])
    const answer = await readStream(await decide(oracle, first?.approvalId, { decision: 'deny' }))
    expect(answer.text).toBe('all done')
    expect(payments.map(({ amount }) => amount)).toEqual([3])
    const results = model.calls[1]?.prompt.flatMap(message => (message.role === 'tool' ? message.content : []))
    expect(results?.length).toBe(3)
  })

  test('one decided, then a newer message: none runs, also not when the decision is repeated', async () => {
    const { parts, payments } = till()
    const model = scriptedModel([...steps.slice(0, 1), 'new answer'])
    await using oracle = await testApp({ plugins: [officePlugin(parts)], model })
    const [first, second] = questionsOf(await oracle.chat('pay', { session: 's1' }))
    expect((await decide(oracle, first?.approvalId, { decision: 'once' })).status).toBe(202)
    expect((await oracle.chat('never mind', { session: 's1' })).text).toBe('new answer')
    for (const question of [first, second]) {
      const late = await decide(oracle, question?.approvalId, { decision: 'once' })
      expect(await codeOf(late)).toEqual([409, 'approval_withdrawn'])
    }
    expect(payments).toEqual([])
    for (const id of ['c1', 'c3']) expect(await partOf(oracle, id)).toMatchObject({ state: 'output-denied' })
  })
})

import type { LanguageModelV4 } from '@ai-sdk/provider'
import { defineTool, type Tool, type TurnEnd } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel, streamReader, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const never = new Promise<never>(() => {})

const style = defineTool({ description: 'Looks.', input: z.object({}), effect: 'read', execute: async () => 'seen' })

const step: ScriptedStep = [{ tool: 'look' }, { usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 } }]

const oracleWith = async (model: LanguageModelV4) => {
  const ends: TurnEnd[] = []
  const after = async (_: unknown, end: TurnEnd) => void ends.push(end)
  const oracle = await testApp({ plugins: [officePlugin({ tools: { look: style }, turn: { after } })], model })
  return { oracle, ends }
}

test('counts the tokens of all steps, passes them to the hooks and shows them with the answer', async () => {
  const { oracle, ends } = await oracleWith(
    scriptedModel([step, step, ['done', { usage: { inputTokens: 5, outputTokens: 1 } }]]),
  )
  const { last } = await oracle.chat('hi', { session: 's1' })
  const usage = { inputTokens: 205, cachedInputTokens: 80, outputTokens: 21 }
  expect(last?.messageMetadata).toMatchObject({ usage, stepCount: 3 })
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  expect(messages[1].metadata).toMatchObject({ usage, stepCount: 3 })
  await oracle.app.close()
  expect(ends).toEqual([{ outcome: 'done', usage, model: 'scripted', tools: { look: 2 }, complete: true }])
})

test('a stopped turn counts the steps that had ended, also if the model ignores the stop', async () => {
  const scripted = scriptedModel([step])
  const deaf: LanguageModelV4 = {
    ...scripted,
    doStream: options => (scripted.calls.length === 0 ? scripted.doStream(options) : never),
  }
  const { oracle, ends } = await oracleWith(deaf)
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await reader.until('finish-step')
  await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  expect((await reader.rest()).last?.type).toBe('abort')
  await oracle.app.close()
  expect(ends).toMatchObject([{ outcome: 'stopped', usage: { inputTokens: 100, outputTokens: 10 } }])
})

test('a stopped turn counts an estimate for the step that was cut', async () => {
  const { oracle, ends } = await oracleWith(scriptedModel([step, ['twelve letters', { wait: never }]]))
  const reader = await streamReader(oracle.actor.request('/chat', { json: { id: 's1', message: 'hi' } }))
  await reader.until('text-delta')
  await oracle.actor.request('/chat/s1/stop', { method: 'POST' })
  await reader.rest()
  const { messages, failure } = await (await oracle.actor.request('/sessions/s1')).json()
  const { usage } = messages[1].metadata
  expect(usage.inputTokens).toBeGreaterThan(150)
  expect(usage.outputTokens).toBeGreaterThan(12)
  expect(failure).toBeUndefined()
  await oracle.app.close()
  expect(ends).toMatchObject([{ outcome: 'stopped', usage }])
})

test('a failed turn counts the steps that had ended, and its session has the reason', async () => {
  const { oracle, ends } = await oracleWith(scriptedModel([step, { error: new Error('x') }, { error: new Error('x') }]))
  expect((await oracle.chat('hi', { session: 's1' })).last?.type).toBe('error')
  const failureOf = async (id: string) => (await (await oracle.actor.request(`/sessions/${id}`)).json()).failure
  expect(await failureOf('s1')).toEqual({ code: expect.any(String), text: expect.stringMatching(/\.$/) })
  const { last } = await oracle.chat('hi', { session: 's2' })
  expect(await failureOf('s2')).toEqual({ code: last?.code, text: last?.errorText })
  await oracle.app.close()
  expect(ends[0]).toMatchObject({ outcome: 'failed', usage: { inputTokens: 100, outputTokens: 10 } })
})

test('lists executed tools per turn, without rejected calls or pending ones', async () => {
  const count = defineTool({
    description: 'Counts.',
    input: z.object({ to: z.number() }),
    effect: 'write',
    execute: async ({ to }) => {
      if (to > 9) throw new Error('x')
      return to
    },
  }) as Tool
  const ends: TurnEnd[] = []
  const after = async (_: unknown, end: TurnEnd) => void ends.push(end)
  const plugin = officePlugin({ tools: { count, count_asking: { ...count, approval: 'user' } }, turn: { after } })
  const calls: ScriptedStep = [
    { tool: 'count', input: { to: 1 } },
    { tool: 'count', input: { to: 10 } },
    { tool: 'count', input: { to: 'many' } },
    { tool: 'count_gone' },
    { tool: 'count_asking', input: { to: 2 } },
    { tool: 'count_asking', input: { to: 3 } },
  ]
  await using oracle = await testApp({ plugins: [plugin], model: scriptedModel([calls, 'counted']) })
  const { events } = await oracle.chat('count', { session: 's1' })
  await expect.poll(() => ends.length).toBe(1)
  const ids = events.flatMap(({ type, approvalId }) => (type === 'tool-approval-request' ? [String(approvalId)] : []))
  for (const [index, id] of ids.entries()) {
    const decision = index === 0 ? 'once' : 'deny'
    const answer = await oracle.actor.request(`/chat/s1/approvals/${id}`, { json: { decision } })
    await answer.text()
  }
  await expect
    .poll(() => ends)
    .toMatchObject([{ outcome: 'awaiting-approval', model: 'scripted' }, { outcome: 'done' }])
  expect(ends.map(({ tools }) => tools)).toEqual([{ count: 2 }, { count_asking: 1 }])
})

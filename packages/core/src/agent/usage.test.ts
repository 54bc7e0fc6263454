import type { LanguageModelV4 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../plugins/tool.ts'
import type { TurnEnd } from '../plugins/turn.ts'
import { deskPlugin } from '../testing/desk-plugin.ts'
import { type ScriptedStep, scriptedModel, testApp } from '../testing/index.ts'
import { streamReader } from '../testing/stream-reader.ts'

const never = new Promise<never>(() => {})

const look = defineTool({ description: 'Looks.', input: z.object({}), effect: 'read', execute: async () => 'seen' })

const step: ScriptedStep = [{ tool: 'look' }, { usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10 } }]

const oracleWith = async (model: LanguageModelV4) => {
  const ends: TurnEnd[] = []
  const after = async (_: unknown, end: TurnEnd) => void ends.push(end)
  const oracle = await testApp({ plugins: [deskPlugin({ tools: { look }, turn: { after } })], model })
  return { oracle, ends }
}

test('the tokens of all steps are counted, told to the hooks and shown with the answer', async () => {
  const { oracle, ends } = await oracleWith(
    scriptedModel([step, step, ['done', { usage: { inputTokens: 5, outputTokens: 1 } }]]),
  )
  const { last } = await oracle.chat('hi', { session: 's1' })
  const usage = { inputTokens: 205, cachedInputTokens: 80, outputTokens: 21 }
  expect(last?.messageMetadata).toMatchObject({ usage, steps: 3 })
  const { messages } = await (await oracle.actor.request('/sessions/s1')).json()
  expect(messages[1].metadata).toMatchObject({ usage, steps: 3 })
  await oracle.app.close()
  expect(ends).toEqual([{ outcome: 'done', usage, complete: true }])
})

test('a stopped turn counts the steps that had ended, also of a model that never hears the stop', async () => {
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

test('a failed turn counts the steps that had ended', async () => {
  const { oracle, ends } = await oracleWith(scriptedModel([step, { error: new Error('x') }]))
  expect((await oracle.chat('hi')).last?.type).toBe('error')
  await oracle.app.close()
  expect(ends).toMatchObject([{ outcome: 'failed', usage: { inputTokens: 100, outputTokens: 10 } }])
})

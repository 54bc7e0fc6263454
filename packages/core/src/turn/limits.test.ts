import { defineTool } from '@sibyl/plugin'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

let count = 0

const tools = {
  count: defineTool({
    description: 'Counts up.',
    input: z.object({}),
    effect: 'read',
    execute: async () => ({ count: ++count }),
  }),
  same: defineTool({
    description: 'Always the same.',
    input: z.object({ key: z.string().optional() }),
    effect: 'read',
    execute: async () => ({ same: true }),
  }),
  broken: defineTool({
    description: 'Always fails.',
    input: z.object({}),
    effect: 'read',
    execute: async () => {
      throw new Error('broken')
    },
  }),
}

const run = async (steps: readonly ScriptedStep[], env: Record<string, string> = {}) => {
  const model = scriptedModel(steps)
  await using oracle = await testApp({ plugins: [officePlugin({ tools })], model, env })
  const { events, last } = await oracle.chat('hi', { session: 's1' })
  const notices = events.flatMap(event => (event.type === 'data-notice' ? [(event.data as { code: string }).code] : []))
  return { notices, last, calls: model.calls.length }
}

const steps = (many: number, step: ScriptedStep): ScriptedStep[] => Array.from({ length: many }, () => step)

test('a turn is limited in steps, and reports it', async () => {
  const { notices, last, calls } = await run(steps(10, { tool: 'count' }), { TURN_MAX_STEPS: '4' })
  expect([notices, last?.type, calls]).toEqual([['step_limit'], 'finish', 4])
})

test('a turn that ends with its last step needs no notice', async () => {
  const { notices, calls } = await run([{ tool: 'count' }, 'done'], { TURN_MAX_STEPS: '2' })
  expect([notices, calls]).toEqual([[], 2])
})

test('a turn is limited in tokens, and reports it', async () => {
  const step: ScriptedStep = [{ tool: 'count' }, { usage: { inputTokens: 500, outputTokens: 100 } }]
  const { notices, calls } = await run(steps(10, step), { TURN_MAX_TOKENS: '1200' })
  expect([notices, calls]).toEqual([['token_limit'], 2])
})

test('the same call with the same result ends the turn at the third time', async () => {
  const { notices, calls } = await run(steps(10, { tool: 'same' }))
  expect([notices, calls]).toEqual([['repeated_call'], 3])
})

test('the same failing call ends the turn at the third time', async () => {
  const { notices, calls } = await run(steps(10, { tool: 'broken' }))
  expect([notices, calls]).toEqual([['repeated_call'], 3])
})

test('calls with different input or result are not the same', async () => {
  const script = [1, 2, 3, 4, 5].map((key): ScriptedStep => ({ tool: 'same', input: { key: String(key) } }))
  expect((await run([...script, 'done'])).notices).toEqual([])
  expect((await run([...steps(5, { tool: 'count' }), 'done'])).notices).toEqual([])
})

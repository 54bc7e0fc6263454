import { defineTool, effectsText, type Tool } from '@sibyl/plugin'

import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const tool = (effect: Tool['effect']) =>
  defineTool({ description: 'Does it.', input: z.object({}), effect, execute: async () => 'done' }) as Tool

test.each([
  ['a turn that wrote', 'write', true],
  ['a turn that only read', 'read', false],
] as const)('the error of %s reports whether something may have happened', async (_, effect, acted) => {
  const model = scriptedModel([{ tool: 'act', input: {} }, { error: new Error('The model is gone.') }])
  await using oracle = await testApp({ plugins: [officePlugin({ tools: { act: tool(effect) } })], model })
  const { last } = await readStream(await oracle.actor.request('/chat', { json: { id: 's1', message: 'do it' } }))
  expect(last?.type).toBe('error')
  expect(String(last?.errorText).endsWith(effectsText)).toBe(acted)
})

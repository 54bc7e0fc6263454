import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { defineTool, ToolFailure } from '@sibyl/plugin'
import { readStream, type ScriptedCall, type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officePlugin } from '../testing/office-plugin.ts'

const tool = (name: string) =>
  defineTool({
    description: `Does ${name}.`,
    input: z.object({ text: z.string().default('x') }),
    effect: 'read',
    execute: async input => ({ name, input, list: [1, null, { deep: 'ü' }] }),
  })

const failing = defineTool({
  description: 'Fails.',
  input: z.object({}),
  effect: 'write',
  execute: async () => {
    throw new ToolFailure('The pump is off.')
  },
})

const plugins = () => [
  officePlugin({ tools: { zebra: tool('zebra'), failing } }, 'always-one'),
  officePlugin(
    { tools: { late: tool('late'), early: tool('early') }, instructions: 'Use early first.' },
    'one',
    'on-demand',
  ),
  officePlugin({ tools: { apple: tool('apple') } }, 'two', 'on-demand'),
]

/** Expects that each prompt begins with the previous one, and each tool list too. */
const expectGrowing = (calls: readonly ScriptedCall[]) => {
  for (const [index, call] of calls.entries()) {
    const before = calls[index - 1]
    if (!before) continue
    expect(plain(call.prompt).slice(0, before.prompt.length)).toEqual(plain(before.prompt))
    expect(call.tools.slice(0, before.tools.length)).toEqual(before.tools)
  }
}

/** Returns the prompt as sent: without undefined members. */
const plain = (prompt: LanguageModelV4Prompt) => JSON.parse(JSON.stringify(prompt)) as LanguageModelV4Prompt

const chatAll = async (steps: readonly ScriptedStep[], messages: readonly unknown[]) => {
  const model = scriptedModel(steps)
  await using oracle = await testApp({ plugins: plugins(), model })
  for (const message of messages) {
    await readStream(await oracle.actor.request('/chat', { json: { id: 's1', message } }))
  }
  const { loadedPlugins } = await (await oracle.actor.request('/sessions/s1')).json()
  return { calls: model.calls, loadedPlugins }
}

describe('the prompt only grows', () => {
  test('within a turn and between turns, with thinking, results and failures', async () => {
    const { calls } = await chatAll(
      [
        [{ reasoning: 'hm' }, 'I look. ', { tool: 'zebra', input: { text: 'a' } }, { tool: 'zebra' }],
        { tool: 'failing' },
        'done',
        'fine',
        [{ tool: 'zebra', input: {} }],
        'end',
      ],
      ['one', 'two', 'three'],
    )
    expect(calls.length).toBe(6)
    expectGrowing(calls)
  })

  test('with a message of several parts', async () => {
    const parts = [
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ]
    const { calls } = await chatAll(['a', 'b'], [{ id: 'm1', role: 'user', parts }, 'more'])
    expectGrowing(calls)
    expect(JSON.stringify(calls[0]?.prompt)).toContain('"second"')
  })

  test('when capabilities are loaded: their tools are appended in order of loading', async () => {
    const { calls, loadedPlugins } = await chatAll(
      [
        { tool: 'load_capability', input: { names: ['two'] } },
        { tool: 'apple' },
        'done',
        { tool: 'load_capability', input: { names: ['one', 'two'] } },
        'done',
        'again',
      ],
      ['one', 'two', 'three'],
    )
    expectGrowing(calls)
    expect(calls.at(-1)?.tools).toEqual([
      'list_capabilities',
      'load_capability',
      'zebra',
      'failing',
      'apple',
      'late',
      'early',
    ])
    expect(loadedPlugins).toEqual(['two', 'one'])
  })
})

test('the instructions of a capability follow its loading', async () => {
  const { calls } = await chatAll([{ tool: 'load_capability', input: { names: ['one'] } }, 'done'], ['one'])
  expect(JSON.stringify(calls[0]?.prompt)).not.toContain('Use early first.')
  expect(JSON.stringify(calls[1]?.prompt)).toContain('Use early first.')
})

test('a stopped, failed or interrupted answer leaves a history that the model can read', async () => {
  const model = scriptedModel([[{ tool: 'zebra' }], ['some ', { error: new Error('x') }], 'fine'])
  await using oracle = await testApp({ plugins: plugins(), model })
  await oracle.chat('one', { session: 's1' })
  expect((await oracle.chat('two', { session: 's1' })).text).toBe('fine')
  const roles = model.calls[2]?.prompt.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
})

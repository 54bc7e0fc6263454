import { defineTool } from '@sibyl/plugin'
import { scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { MessagePart, StoredMessage } from '../../sessions/stored-message.ts'
import { officePlugin } from '../../testing/office-plugin.ts'
import { trimHistory } from './prompt.ts'

const message = (role: 'user' | 'assistant', characters: number, id = ''): StoredMessage => ({
  id: `${role}${id}`,
  role,
  parts: [{ type: 'text', text: 'x'.repeat(Math.max(0, characters - 27)) } as MessagePart],
  metadata: {},
  turnId: 't',
  createdAt: 0,
})

const conversation = (turns: number, characters: number) =>
  Array.from({ length: turns }, (_, index) => [
    message('user', characters, String(index)),
    message('assistant', characters, String(index)),
  ]).flat()

describe('trimming', () => {
  test('keeps everything that fits', () => {
    const all = conversation(3, 400)
    expect(trimHistory(all, 600)).toEqual({ messages: all, leftOut: 0 })
  })

  test('cuts before a question, never between it and its answer', () => {
    for (const budget of [100, 200, 250, 299, 399, 450]) {
      const { messages, leftOut } = trimHistory(conversation(5, 400), budget)
      expect(messages[0]?.role).toBe('user')
      expect(messages.length % 2).toBe(0)
      expect(messages.length + leftOut).toBe(10)
    }
    expect(trimHistory(conversation(5, 400), 400).leftOut).toBe(6)
  })

  test('keeps the last question whatever its size', () => {
    const history = [...conversation(2, 400), message('user', 1_000_000)]
    expect(trimHistory(history, 500)).toEqual({ messages: history.slice(-1), leftOut: 4 })
  })

  test('returns an empty history for an empty one', () => {
    expect(trimHistory([], 500)).toEqual({ messages: [], leftOut: 0 })
  })
})

test('a notice reports a trimmed history, and no call is separated from its result', async () => {
  const note = defineTool({
    description: 'Notes much.',
    input: z.object({ text: z.string() }),
    effect: 'read',
    execute: async ({ text }) => ({ text }),
  })
  const rounds = 6
  const model = scriptedModel(
    Array.from({ length: rounds }, (_, index) => [
      { tool: 'note', input: { text: `${index} `.repeat(200) } },
      `noted ${index}`,
    ]).flat(),
  )
  await using oracle = await testApp({
    plugins: [officePlugin({ tools: { note } })],
    model,
    env: { HISTORY_MAX_TOKENS: '1000' },
  })
  const notices: (string | undefined)[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { events } = await oracle.chat(`question ${round}`, { session: 's1' })
    const notice = events.find(({ type }) => type === 'data-notice')?.data as { code: string } | undefined
    notices.push(notice?.code)
  }
  expect(notices.slice(0, 2)).toEqual([undefined, undefined])
  expect(notices.at(-1)).toBe('history_trimmed')
  for (const { prompt } of model.calls) {
    const contents = prompt.flatMap(({ role, content }) =>
      role === 'system' ? [] : (content as { type: string; toolCallId?: string }[]),
    )
    const ids = (type: string) => contents.flatMap(part => (part.type === type ? [part.toolCallId] : []))
    expect(ids('tool-result')).toEqual(ids('tool-call'))
    expect(prompt[1]?.role).toBe('user')
  }
})

test('the instructions of a loaded capability stay in the prompt when its loading was trimmed', async () => {
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['rules'] } },
    'loaded',
    ...Array.from({ length: 4 }, () => 'x'.repeat(1_500)),
    'last',
  ])
  const rules = officePlugin({ instructions: 'Always rhyme.' }, 'rules', 'on-demand')
  await using oracle = await testApp({ plugins: [rules], model, env: { HISTORY_MAX_TOKENS: '600' } })
  for (let round = 0; round < 6; round += 1) await oracle.chat('go on', { session: 's1' })
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('Always rhyme.')
  expect(JSON.stringify(model.calls.at(-1)?.prompt)).not.toContain('load_capability","input')
})

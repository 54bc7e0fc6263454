import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { ofCall } from '../testing/strict/strict-request.ts'
import { strictViolation } from '../testing/strict/strict-violations.ts'
import { portablePrompt } from './portable-prompt.ts'

const user = (...texts: string[]) => ({
  role: 'user' as const,
  content: texts.map(text => ({ type: 'text' as const, text })),
})
const answer = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] })
const call = (toolCallId: string, input: unknown = {}, toolName = 'pay') => ({
  role: 'assistant' as const,
  content: [{ type: 'tool-call' as const, toolCallId, toolName, input }],
})
const result = (toolCallId: string, value = 'done') => ({
  role: 'tool' as const,
  content: [{ type: 'tool-result' as const, toolCallId, toolName: 'pay', output: { type: 'text' as const, value } }],
})

test.each<[string, LanguageModelV4Prompt, string]>([
  ['two messages of the user', [user('a'), user('b')], 'user'],
  ['a blank answer', [user('a'), answer(' '), user('b')], 'user'],
  ['two answers', [user('a'), answer('b'), answer('c'), user('d')], 'user assistant user'],
  ['an answer first', [answer('a'), user('b')], 'user assistant user'],
  ['an answer last', [user('a'), answer('b')], 'user assistant user'],
  ['a blank message', [user('', ' ')], 'user'],
  ['no message', [], 'user'],
  ['results without an answer', [user('a'), call('1'), result('1'), user('b')], 'user assistant tool assistant user'],
  ['a call without a result', [user('a'), call('1'), user('b')], 'user assistant tool assistant user'],
  ['a result without a call', [user('a'), result('1'), user('b')], 'user'],
  ['two results of a call', [user('a'), call('1'), result('1'), result('1')], 'user assistant tool'],
  ['a late result', [user('a'), call('1'), user('b'), result('1')], 'user assistant tool assistant user'],
  ['a blank result', [user('a'), call('1'), result('1', '')], 'user assistant tool'],
  ['an id again', [user('a'), call('1'), result('1'), call('1'), result('1')], 'user assistant tool assistant tool'],
  ['arguments that are no object', [user('a'), call('1', '{"a"'), result('1')], 'user assistant tool'],
  ['arguments that are a list', [user('a'), call('1', [1]), result('1')], 'user assistant tool'],
  ['arguments that are null', [user('a'), call('1', null), result('1')], 'user assistant tool'],
  ['a name that no API takes', [user('a'), call('1', {}, `é ${'x'.repeat(90)}`), result('1')], 'user assistant tool'],
  ['an id that is too long', [user('a'), call('1'.repeat(99)), result('1'.repeat(99))], 'user assistant tool'],
  ['no id', [user('a'), call(''), result('')], 'user assistant tool'],
  ['no name', [user('a'), call('1', {}, ''), result('1')], 'user assistant tool'],
  ['system texts in between', [user('a'), { role: 'system', content: 'b' }, user('c')], 'system user'],
  ['a blank system text', [{ role: 'system', content: ' ' }, user('c')], 'user'],
  [
    'thoughts alone',
    [user('a'), { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] }, user('b')],
    'user',
  ],
])('every API takes %s', (_, prompt, roles) => {
  const portable = portablePrompt(prompt)
  expect(strictViolation(ofCall({ prompt: portable }))).toBeUndefined()
  expect(portable.map(({ role }) => role).join(' ')).toBe(roles)
})

test('results keep to their calls, also under the same id', () => {
  const portable = portablePrompt([user('a'), call('1'), result('1', 'first'), call('1'), result('1', 'second')])
  const ids = portable.flatMap(({ role, content }) =>
    role === 'assistant' || role === 'tool'
      ? content.flatMap(part => ('toolCallId' in part ? part.toolCallId : []))
      : [],
  )
  expect(ids[0]).toBe('1')
  expect(ids[1]).toBe('1')
  expect(ids[2]).toMatch(/^[0-9a-f]{9}$/)
  expect(ids[3]).toBe(ids[2])
  expect(portable.at(-1)).toMatchObject({ content: [{ output: { value: 'second' } }] })
})

test('a prompt that every API takes stays as it is', () => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 's' },
    user('a'),
    call('1', { a: 1 }),
    result('1'),
    answer('b'),
    user('c'),
  ]
  expect(portablePrompt(prompt)).toEqual(prompt)
})

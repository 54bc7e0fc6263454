import { expect, test } from 'vitest'
import { resultText } from './result-text.ts'

const plain = (text: string) => text
const text = (value: string) => ({ type: 'text' as const, text: value })

test.each([
  ['as JSON', '{"name": "Ada", "age": 36}', { name: 'Ada', age: 36 }],
  ['as its only member', 'It is fine.\n', { result: 'It is fine.' }],
])('a structured result that the text repeats %s is included once', (_, repeated, structured) => {
  expect(resultText({ content: [text(repeated)], structured }, plain)).toBe(repeated)
})

test('structured content that the text does not repeat is appended as JSON', () => {
  const structured = { name: 'Ada' }
  expect(resultText({ content: [text('One person.')], structured }, plain)).toBe('One person.\n\n{"name":"Ada"}')
  expect(resultText({ content: [], structured }, plain)).toBe('{"name":"Ada"}')
})

test('for binary content the type is described, for links the target, for resources the content', () => {
  const content = [
    { type: 'binary', mimeType: 'image/png', bytes: 1_234 },
    { type: 'link', uri: 'note://1', name: 'Monday', description: 'the first' },
    { type: 'resource', uri: 'note://2', text: 'Milk' },
  ] as const
  expect(resultText({ content }, plain)).toBe(
    '[image/png, 1234 bytes, not shown]\n\nMonday: note://1 (the first)\n\nnote://2\nMilk',
  )
})

test('earlier truncation is stated, and no character is split', () => {
  expect(resultText({ content: [text('Milk')], isCut: true }, plain)).toBe(
    'Milk\n[Truncated: the result was too large.]',
  )
  const cut = resultText({ content: [text(`${'x'.repeat(39_999)}🌊`)] }, plain)
  expect(cut.isWellFormed()).toBe(true)
  expect(cut).toContain('[Truncated: the first 40000 of 40001 characters.]')
})

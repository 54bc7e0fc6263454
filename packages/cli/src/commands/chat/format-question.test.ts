import { expect, test } from 'vitest'
import { formatQuestion } from './format-question.ts'

const question = (input: unknown) => ({ tool: 'send', input, question: 'Send it?', asks: undefined }) as never

test('an argument of many lines does not push the question off the screen', () => {
  const lines = formatQuestion(question({ text: 'l\n'.repeat(1_000) }))
  expect(lines.length).toBeLessThan(30)
  expect(lines[0]).toBe('Send it?')
  expect(lines.at(-1)).toMatch(/^ {2}… and \d+ more lines$/)
})

test('lines that fit stand in full', () => {
  expect(formatQuestion(question({ text: 'one\ntwo' }))).toEqual(['Send it?', 'tool: send', 'text: one', '  two'])
})

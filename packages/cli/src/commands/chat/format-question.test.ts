import { expect, test } from 'vitest'
import { formatQuestion } from './format-question.ts'

const question = (input: unknown) => ({ tool: 'send', input, question: 'Send it?', asks: undefined }) as never

test('an argument of many lines does not push the question off the screen', () => {
  const lines = formatQuestion(question({ text: 'l\n'.repeat(1_000) }))
  expect(lines.length).toBeLessThan(30)
  expect(lines[0]).toBe('Send it?')
  expect(lines.at(-1)).toMatch(/^ {2}… and \d+ more lines$/)
})

test('the planned action of a tool keeps its lines, without terminal sequences', () => {
  const asked = (text: string) => formatQuestion({ tool: 'send', input: {}, question: text } as never)[0]
  expect(asked('Task: \u001b[2Jwater\n\n  When:  at   7 \r\nResult: here\n')).toBe(
    'Task: [2Jwater\nWhen: at 7\nResult: here',
  )
  expect(asked(' \n')).toBe('The agent wants to run a tool')
  expect(asked('l\n'.repeat(500))?.split('\n')).toHaveLength(21)
})

test('lines that fit are shown in full', () => {
  expect(formatQuestion(question({ text: 'one\ntwo' }))).toEqual(['Send it?', 'tool: send', 'text: one', '  two'])
})

import { expect, test } from 'vitest'
import { formatQuestion } from './text-chat-view.ts'

const asked = (question: string) => formatQuestion({ tool: 'send', question } as never)

test('shows every line of the arguments, and the effect again below many', () => {
  const lines = Array.from({ length: 1_000 }, (_, line) => `  | ${line}`)
  expect(asked(['Send it?', '', 'text:', ...lines].join('\n'))).toEqual([
    'Send it?',
    'tool: send',
    'text:',
    ...lines,
    'Send it?',
  ])
  expect(asked('Send it?\n\ntext: "one"')).toEqual(['Send it?', 'tool: send', 'text: "one"'])
})

test('removes terminal sequences', () => {
  expect(asked('Task: \u001b[2Jwater\n\n  When:  at   7 \r\nResult: here\n')).toEqual([
    'Task: [2Jwater',
    'tool: send',
    '  When:  at   7',
    'Result: here',
  ])
  expect(asked(' \n')).toEqual(['The agent wants to run a tool', 'tool: send'])
})

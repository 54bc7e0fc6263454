import { expect, test } from 'vitest'
import { sessionTitle } from './session-store.ts'

test.each([
  ['What is the weather in Lusaka?', 'What is the weather in Lusaka?'],
  ['\n  Two lines  \r\nof a text', 'Two lines'],
  ['x'.repeat(81), 'x'.repeat(80)],
  [`${'x'.repeat(79)}😀`, `${'x'.repeat(79)}\ufffd`],
  ['a\0b', 'a\ufffdb'],
  ['', ''],
])('of %j is %j', (text, title) => {
  expect(sessionTitle(text)).toBe(title)
})

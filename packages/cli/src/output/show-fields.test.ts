import { expect, test } from 'vitest'
import { FakeTerminal } from '../commands/chat/terminal.test.helper.ts'
import { showFields } from './show-fields.ts'

const fields = [
  ['You', 'did:key:z6Mk'],
  ['login', 'none; sign in with your phone: sibyl login'],
] as const

test.each([
  [80, 'You    did:key:z6Mk\nlogin  none; sign in with your phone: sibyl login\n'],
  [40, 'You\n  did:key:z6Mk\nlogin\n  none; sign in with your phone: sibyl\n  login\n'],
])('in %i columns', (columns, text) => {
  const terminal = new FakeTerminal({}, true, columns)
  showFields(terminal.io, fields)
  expect(terminal.text).toBe(text)
})

import { expect, test } from 'vitest'
import { fitHelp } from './command-help.ts'

const text = `
What is piped in is a conversation, one message a line.
Ctrl-C stops a turn.

Examples:
  sibyl chat               talk to the oracle on this computer
  sibyl chat --once "hello" --json | jq -r .type

Exit codes: 0 done.`

test('keeps lines that fit', () => {
  expect(fitHelp(text, 80)).toBe(text)
})

test('wraps paragraphs, and places remarks below their examples', () => {
  expect(fitHelp(text, 40)).toBe(`
What is piped in is a conversation, one
message a line. Ctrl-C stops a turn.

Examples:
  sibyl chat
      talk to the oracle on this
      computer
  sibyl chat --once "hello" --json | jq -r .type

Exit codes: 0 done.`)
})

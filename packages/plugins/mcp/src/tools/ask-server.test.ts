import type { ToolCall } from '@sibyl/plugin'
import { testLimits } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { createHeldQuestions, heldPlaces } from '../questions/held-questions.ts'
import { askServer } from './ask-server.ts'

test('a reading call whose question has expired is not sent again after a user declined', async () => {
  let sent = 0
  const send = async () => {
    sent += 1
    return { kind: 'result', isError: false, content: [], isCut: false } as const
  }
  const held = createHeldQuestions(1_000, testLimits().places(heldPlaces))
  const answered = (accepted: boolean) => {
    const call = { idempotencyKey: 'c1', canAsk: true, turn: { actor: { did: 'did:key:a' } }, answer: { accepted } }
    const options = { server: 'notes', held, writes: false, redact: (text: string) => text }
    return askServer(call as ToolCall, send, {}, options)
  }
  await expect(answered(false)).rejects.toThrow('The user declined the question of the MCP server notes.')
  expect(sent).toBe(0)
  await answered(true)
  expect(sent).toBe(1)
})

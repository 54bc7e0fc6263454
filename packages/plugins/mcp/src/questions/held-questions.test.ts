import type { McpQuestion } from '@sibyl/mcp-client'
import { expect, test } from 'vitest'
import { createHeldQuestions } from './held-questions.ts'

const question = { kind: 'question', text: 'Sure?', answer: async () => ({}) } as unknown as McpQuestion

test('nobody can fill what is held for all', () => {
  const held = createHeldQuestions(60_000)
  const holds = (key: string, did: string) => held.hold(key, { question, did, round: 1 })
  const ofOne = Array.from({ length: 30 }, (_, index) => holds(`a${index}`, 'did:key:a'))
  expect(ofOne.filter(Boolean)).toHaveLength(20)
  expect(holds('b', 'did:key:b')).toBe(true)
  expect(held.take('a0', 'did:key:a')?.question).toBe(question)
  expect(holds('a30', 'did:key:a')).toBe(true)
  held.cancelAll()
})

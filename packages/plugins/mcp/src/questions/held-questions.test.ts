import type { McpQuestion } from '@sibyl/mcp-client'
import { testLimits } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { createHeldQuestions, heldPlaces } from './held-questions.ts'

const question = { kind: 'question', text: 'Sure?', answer: async () => ({}) } as unknown as McpQuestion

test('no caller can use up the shared limit', () => {
  const held = createHeldQuestions(60_000, testLimits().places(heldPlaces))
  const holds = (key: string, did: string) => held.hold(key, { question, actor: { did, via: 'ucan' }, round: 1 })
  const ofOne = Array.from({ length: 30 }, (_, index) => holds(`a${index}`, 'did:key:a'))
  expect(ofOne.filter(Boolean)).toHaveLength(20)
  expect(holds('b', 'did:key:b')).toBe(true)
  expect(held.take('a0', 'did:key:a')?.question).toBe(question)
  expect(holds('a30', 'did:key:a')).toBe(true)
  held.cancelAll()
})

test('questions under fresh keys count for their holder, and those of one address are a share', () => {
  const held = createHeldQuestions(60_000, testLimits('open').places(heldPlaces))
  const holds = (did: string, more: { holder?: string; origin?: string }) =>
    held.hold(did, { question, actor: { did, via: 'ucan', ...more }, round: 1 })
  const many = (count: number, name: string, more: { holder?: string; origin?: string }) =>
    Array.from({ length: count }, (_, index) => holds(`did:key:${name}${index}`, more)).filter(Boolean).length
  expect(many(30, 'a', { holder: 'did:key:holder' })).toBe(20)
  expect(many(200, 'b', { origin: 'one' })).toBe(125)
  expect(many(10, 'c', { origin: 'two' })).toBe(10)
  held.cancelAll()
  expect(many(10, 'd', { origin: 'one' })).toBe(10)
  held.cancelAll()
})

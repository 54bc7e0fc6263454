import { createSigningKey } from '@sibyl/identity'
import { expect, test } from 'vitest'
import { pageRequests } from './page-requests.ts'
import type { SigningFacts } from './signing-protocol.ts'
import { SigningSession } from './signing-session.ts'

const device = '0'.repeat(32)
const { did } = createSigningKey()
const facts: SigningFacts = {
  id: 'AAAAAAAAAAA',
  challenge: '0'.repeat(32),
  origin: 'http://192.168.1.5:4180',
  audience: did,
  registry: { title: 'a registry', did },
  abilities: ['entities/*'],
  from: 1_000_000,
  until: 1_043_200,
}

const open = async () => {
  const events = { opened: () => {}, turnedAway: () => {}, keyNamed: () => {} }
  const session = new SigningSession(facts, async () => 'wrong', events)
  const requests = pageRequests(session, () => 42)
  const post = (name: string, more: object = {}, signal = new AbortController().signal) =>
    requests.answer(name, JSON.stringify({ device, ...more }), signal)
  expect(await post('claim')).toEqual({ status: 200, value: { facts, secondsLeft: 42 } })
  return { session, requests, post }
}

test.each(['expired', 'cancelled', 'refused'] as const)('a waiting page learns that it was %s', async state => {
  const { session, requests, post } = await open()
  const watching = post('watch')
  session.end(state)
  expect(await watching).toEqual({ status: 200, value: { state } })
  await requests.told
  expect(await post('key', { did })).toEqual({ status: 200, value: { state } })
  expect(await session.ended).toEqual({ state })
})

test('several tabs of one browser wait in parallel; one more ends the oldest request, and so does closing a tab', async () => {
  const { session, post } = await open()
  const gone = new AbortController()
  const answered: number[] = []
  const questions = [0, 1, 2, 3, 4].map(index =>
    post('watch', {}, index === 1 ? gone.signal : undefined).finally(() => answered.push(index)),
  )
  expect(await questions[0]).toEqual({ status: 200, value: { state: 'waiting' } })
  expect(answered).toEqual([0])
  gone.abort()
  expect(await questions[1]).toEqual({ status: 200, value: { state: 'waiting' } })
  expect([answered, session.state]).toEqual([[0, 1], 'waiting'])
  session.end('cancelled')
  expect(await Promise.all(questions.slice(2))).toEqual(Array(3).fill({ status: 200, value: { state: 'cancelled' } }))
})

test('a signature without a named key is rejected', async () => {
  const { session, post } = await open()
  const answer = { delegation: 'a.b.c', signature: '0'.repeat(128) }
  expect(await post('sign', answer)).toEqual({ status: 200, value: { state: 'invalid' } })
  expect(await session.ended).toEqual({ state: 'invalid', reason: 'It did not name a key.' })
})

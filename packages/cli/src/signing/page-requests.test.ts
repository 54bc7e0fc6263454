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

test.each(['expired', 'cancelled', 'refused'] as const)('a page that waits is told that it was %s', async state => {
  const { session, requests, post } = await open()
  const watching = post('watch')
  session.end(state)
  expect(await watching).toEqual({ status: 200, value: { state } })
  await requests.told
  expect(await post('key', { did })).toEqual({ status: 200, value: { state } })
  expect(await session.ended).toEqual({ state })
})

test('asking anew ends the question before, and so does leaving', async () => {
  const { session, post } = await open()
  const first = post('watch')
  const gone = new AbortController()
  const second = post('watch', {}, gone.signal)
  expect(await first).toEqual({ status: 200, value: { state: 'waiting' } })
  gone.abort()
  expect(await second).toEqual({ status: 200, value: { state: 'waiting' } })
  expect(session.state).toBe('waiting')
})

test('signing without a named key is worth nothing', async () => {
  const { session, post } = await open()
  const answer = { delegation: 'a.b.c', signature: '0'.repeat(128) }
  expect(await post('sign', answer)).toEqual({ status: 200, value: { state: 'invalid' } })
  expect(await session.ended).toEqual({ state: 'invalid', reason: 'It named no key.' })
})

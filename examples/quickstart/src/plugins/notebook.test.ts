import { checkPlugin, readStream, testActor, testApp } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { notebook } from './notebook.ts'

describe('keeps the rules of all plugins:', () => {
  for (const check of checkPlugin(() => notebook())) test(check.name, check.run)
})

test('keeps notes across sessions, each for its owner only', async () => {
  await using oracle = await testApp({ plugins: [notebook()] })
  await oracle.chat('Note that the pump leaks')
  const { text } = await oracle.chat('Write down that gate 3 needs oil')
  expect(text).toBe('Noted. That makes 2 in your notebook.')
  expect((await oracle.chat('What did I note?')).text).toBe('1. the pump leaks\n2. gate 3 needs oil')

  const other = testActor(oracle.app)
  const reply = await other.request('/chat', { json: { message: 'Show my notes' } })
  expect(await reply.text()).not.toContain('pump')
})

test.each([
  ['once', 'Done: 1 erased.', 'Your notebook is empty.'],
  ['deny', 'You did not allow that, so it was not done.', '1. the pump leaks'],
])('asks before it erases, and follows the answer: %s', async (decision, answer, notes) => {
  await using oracle = await testApp({ plugins: [notebook()] })
  await oracle.chat('Note that the pump leaks')
  const { events, last } = await oracle.chat('Erase my notes', { session: 's' })
  expect(last).toMatchObject({ type: 'finish', messageMetadata: { outcome: 'awaiting-approval' } })
  const question = events.find(event => event.type === 'tool-approval-request')
  expect(question?.reason).toBe('Erase all your notes for good')
  expect((await oracle.chat('What did I note?')).text).toBe('1. the pump leaks')

  const path = `/chat/s/approvals/${String(question?.approvalId)}`
  const { text } = await readStream(await oracle.actor.request(path, { json: { decision } }))
  expect(text).toBe(answer)
  expect((await oracle.chat('What did I note?')).text).toBe(notes)
})

test('reports a full notebook', async () => {
  await using oracle = await testApp({ plugins: [notebook()], env: { NOTEBOOK_MAX_NOTES: '1' } })
  await oracle.chat('Note: one')
  expect((await oracle.chat('Note: two')).text).toContain('The notebook is full (1 at most)')
})

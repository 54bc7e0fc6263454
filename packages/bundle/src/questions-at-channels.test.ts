import { afterAll, expect, test } from 'vitest'
import { questionWorld } from './question-channels.test.support.ts'

const world = await questionWorld()
const { callsAt, missingAt, written, paint, whole, shownAt, yesAt, post, read, turnAt, callWithForms } = world
const long = paint.input.text

afterAll(() => world[Symbol.asyncDispose]())

test.each(Object.keys(shownAt))('%s shows every argument of every tool before a yes', async name => {
  expect(await missingAt(name)).toEqual([])
  expect(callsAt(name).length).toBeGreaterThan(name === 'a Matrix room' ? 25 : 45)
})

const cutAt = (characters: number) =>
  `${whole.length - characters} more characters are not shown here, so this channel does not accept a yes.`

test.each(
  Object.entries(yesAt).flatMap(([name, answer]) => ['yes', 'always'].map(yes => [name, yes, answer] as const)),
)('%s counts what it does not show, and does not take %s for it', async (_, yes, answer) => {
  written.length = 0
  const { text, code } = await answer(yes)
  expect(text).toContain(cutAt(16_000))
  expect(text).toMatch(/Answer no to deny it here\.$/)
  expect(code).toBe('approval_not_shown')
  const [{ id, sessionId, question }] = (await read('/approvals?limit=1')).approvals
  expect(question).toBe(whole)
  expect(written).toEqual([])
  await post(`/chat/${sessionId}/approvals/${id}`, { decision: 'once' })
  expect(written).toEqual([long])
})

test('an MCP form that is too small is not shown, and its answer is not taken', async () => {
  written.length = 0
  const { result } = await callWithForms('paint', { arguments: paint.input })
  expect(result.content[0].text).toContain(whole)
  const [{ id }] = result.structuredContent.approvals
  const requestState = JSON.stringify({
    session: result.structuredContent.session,
    tool: 'paint',
    questions: [{ id, kind: 'approval' }],
  })
  const answer = async (decision: string) =>
    callWithForms('paint', {
      arguments: paint.input,
      requestState,
      inputResponses: { [id]: { action: 'accept', content: { decision } } },
    })
  for (const yes of ['once', 'session']) expect((await answer(yes)).error.data.code).toBe('approval_not_shown')
  expect(written).toEqual([])
  expect((await answer('deny')).result.isError).toBe(true)
})

test('a client of OpenAI that renders Markdown hides nothing of a question', async () => {
  const text = '```\n<!-- all of it -->\n[link]: https://example.org'
  const { choices } = await turnAt('/v1/chat/completions', [{ tool: 'paint', input: { text } }])
  const lines = text.split('\n').map(line => `  | ${line}`)
  const shown = ['Paint the wall', '', '````text', 'text:', ...lines, '````', '', 'Answer yes, always or no.']
  expect(choices[0].message.content).toBe(shown.join('\n'))
})

test('AG-UI and the chat have a long question in full', async () => {
  written.length = 0
  for (const path of ['/ag-ui', '/chat']) expect(await shownAt[path]!([paint])).toContain(whole)
})

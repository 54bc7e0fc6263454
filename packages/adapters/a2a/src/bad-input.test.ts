import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { a2aOracle, key, otherKey, type Wire, wireMessage } from './a2a-oracle.test.support.ts'

const post = async (call: (path: string, init: RequestInit) => Promise<Response>, body: string, path = '/a2a') => {
  const response = await call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return { status: response.status, body: (await response.json()) as Wire, headers: response.headers }
}

test.each([
  ['not JSON', '{"jsonrpc":', 200, -32700, null],
  ['a list', '[{"jsonrpc":"2.0","id":1,"method":"GetTask"}]', 200, -32600, null],
  ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":7,"method":"GetTask"}', 200, -32600, 7],
  ['no method', '{"jsonrpc":"2.0","id":"x"}', 200, -32600, 'x'],
  ['a method of A2A 0.3', '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}', 200, -32602, 1],
  ['a method of every object', '{"jsonrpc":"2.0","id":1,"method":"constructor","params":{}}', 200, -32601, 1],
  ['no parameters', '{"jsonrpc":"2.0","id":1,"method":"SendMessage"}', 200, -32602, 1],
  ['a role of the agent', rpcOf({ role: 'ROLE_AGENT' }), 200, -32602, 1],
  ['no parts', rpcOf({ parts: [] }), 200, -32602, 1],
  ['an empty part', rpcOf({ parts: [{}] }), 200, -32602, 1],
  ['a part of two kinds', rpcOf({ parts: [{ text: 'a', raw: 'YQ==' }] }), 200, -32602, 1],
  ['blank text', rpcOf({ parts: [{ text: ' \n' }] }), 200, -32602, 1],
  ['raw that is not base64', rpcOf({ parts: [{ raw: '!!' }] }), 200, -32602, 1],
  ['no message id', rpcOf({ messageId: '' }), 200, -32602, 1],
  ['a context that is no id', rpcOf({ contextId: '../x' }), 200, -32602, 1],
  ['129,000 characters', rpcOf({ parts: [{ text: 'a'.repeat(129_000) }] }), 200, -32602, 1],
  ['10 MB', rpcOf({ parts: [{ raw: 'A'.repeat(10_000_000) }] }), 413, -32000, null],
  ['a deep value', rpcOf({ parts: [{ data: JSON.parse('['.repeat(40) + ']'.repeat(40)) }] }), 400, -32000, null],
  [
    'a key that changes prototypes',
    '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"__proto__":{}}}',
    400,
    -32000,
    null,
  ],
])('%s is an error in the form of JSON-RPC', async (_, body, status, code, id) => {
  const { call } = await a2aOracle()
  const answer = await post(call, body)
  expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([status, code, id])
  expect(answer.body).toEqual({
    jsonrpc: '2.0',
    id,
    error: { code, message: expect.any(String), data: [expect.objectContaining({ reason: expect.any(String) })] },
  })
})

function rpcOf(message: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'SendMessage',
    params: { message: { ...wireMessage('hi'), ...message } },
  })
}

test('the HTTP binding has the errors of A2A', async () => {
  const { call, url } = await a2aOracle()
  const answers = await Promise.all([
    post(call, '{}', '/a2a/message:send'),
    post(call, '{', '/a2a/message:send'),
    post(call, JSON.stringify({ message: wireMessage('x', { taskId: 'none' }) }), '/a2a/message:stream'),
    post(call, '{}', '/a2a/tasks/none:explode'),
    post(call, '{}', '/a2a/tasks/none:cancel'),
  ])
  expect(answers.map(({ body }) => [body.error.code, body.error.status, body.error.details[0].reason])).toEqual([
    [400, 'INVALID_ARGUMENT', 'INVALID_REQUEST'],
    [400, 'INVALID_ARGUMENT', 'PARSE_ERROR'],
    [404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
    [404, 'NOT_FOUND', 'METHOD_NOT_FOUND'],
    [404, 'NOT_FOUND', 'TASK_NOT_FOUND'],
  ])
  expect(answers[0]!.body.error.message).toContain('/message: ')
  const anonymous = await fetch(`${url}/a2a/tasks`)
  expect([anonymous.status, ((await anonymous.json()) as Wire).error.status]).toEqual([401, 'UNAUTHENTICATED'])
  const anonymousRpc = await fetch(`${url}/a2a`, { method: 'POST' })
  expect([anonymousRpc.status, ((await anonymousRpc.json()) as Wire).error.code]).toEqual([401, -32000])
})

test('a page token of another list is rejected', async () => {
  const { rpc } = await a2aOracle({ model: scriptedModel(['1', '2']) })
  for (const text of ['a', 'b']) await rpc('SendMessage', { message: wireMessage(text) })
  const { nextPageToken } = (await rpc('ListTasks', { pageSize: 1 })).result
  expect((await rpc('ListTasks', { pageSize: 1, pageToken: nextPageToken })).result.tasks).toHaveLength(1)
  const forged = await rpc('ListTasks', { pageSize: 1, pageToken: nextPageToken, contextId: 'other' })
  expect(forged.error).toMatchObject({ code: -32602, data: [{ metadata: { code: 'cursor_invalid' } }] })
})

test('a page of long tasks ends early', async () => {
  const text = 'x'.repeat(800_000)
  const { rpc } = await a2aOracle({ model: scriptedModel([text, text, text, text]) })
  for (let count = 0; count < 4; count += 1) await rpc('SendMessage', { message: wireMessage('Tell me all') })
  const { result: all } = await rpc('ListTasks', {})
  expect([all.tasks.length, all.nextPageToken]).toEqual([4, ''])
  const listing = { includeArtifacts: true }
  const { result: first } = await rpc('ListTasks', listing)
  const { result: rest } = await rpc('ListTasks', { ...listing, pageToken: first.nextPageToken })
  expect([first.tasks.length, rest.tasks.length, rest.nextPageToken, first.totalSize]).toEqual([3, 1, '', 4])
  expect([...first.tasks, ...rest.tasks].map(({ id }: Wire) => id)).toEqual(all.tasks.map(({ id }: Wire) => id))
})

test('a refused turn leaves no task, and a caller needs the right to send', async () => {
  const spent = await a2aOracle({ env: { TOKEN_BUDGET_DID_PER_DAY: '1' }, model: scriptedModel(['a', 'b']) })
  await spent.rpc('SendMessage', { message: wireMessage('one') })
  const refused = await spent.rpc('SendMessage', { message: wireMessage('two') })
  expect(refused.error.data[0].metadata.code).toBe('token_budget_used')
  expect((await spent.rpc('ListTasks', {})).result.totalSize).toBe(1)
  const { call } = await a2aOracle({ env: { ORACLE_API_KEYS: `app:${key}:session/read` } })
  expect((await call('/a2a/tasks')).status).toBe(403)
})

test('tasks are read only by a caller that may read sessions', async () => {
  const env = {
    ORACLE_API_KEYS: `app:${key}:chat/send:did:example:ada,reader:${otherKey}:chat/send+session/read:did:example:ada`,
  }
  const { rpc, call } = await a2aOracle({ model: scriptedModel(['hello']), env })
  const { task } = (await rpc('SendMessage', { message: wireMessage('hi') })).result
  const refused = await rpc('ListTasks', {})
  expect(refused.error.data[0].metadata.code).toBe('a2a_read_not_allowed')
  expect((await call('/a2a/tasks')).status).toBe(403)
  expect((await rpc('ListTasks', {}, otherKey)).result.tasks.map(({ id }: Wire) => id)).toEqual([task.id])
  expect((await rpc('GetTask', { id: task.id })).error.data[0].metadata.code).toBe('a2a_read_not_allowed')
  expect((await call(`/a2a/tasks/${task.id}`)).status).toBe(403)
  expect((await rpc('GetTask', { id: task.id }, otherKey)).result.id).toBe(task.id)
})

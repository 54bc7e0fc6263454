import { verifyAgentCardSignature } from '@a2a-js/sdk'
import { definePlugin, defineTool, PersonNeeded } from '@sibyl/plugin'
import { files } from '@sibyl/plugin-files'
import { weather } from '@sibyl/plugin-weather'
import { type ScriptedCall, scriptedModel } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  a2aOracle,
  bindings,
  key,
  otherKey,
  reply,
  reportedBy,
  shop,
  type Wire,
  waiting,
  wireMessage,
} from './a2a-oracle.test.support.ts'

test('the card names bindings, skills and the DID, and its signature holds for the SDK until one letter changes', async () => {
  const { url, oracle } = await a2aOracle({ plugins: [weather(), shop().plugin] })
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as Wire
  expect(card.supportedInterfaces).toEqual(
    bindings.map(protocolBinding => ({ url: `${url}/a2a`, protocolBinding, protocolVersion: '1.0' })),
  )
  expect(card.skills.map(({ id }: { id: string }) => id)).toEqual(['weather', 'shop'])
  expect(card.capabilities.extensions[0].params).toEqual({
    publicDid: oracle.app.identity.publicDid,
    did: oracle.app.identity.did,
  })
  const { keys } = (await (await fetch(`${url}/a2a/keys`)).json()) as Wire
  const verify = verifyAgentCardSignature(async kid => keys.find((one: { kid: string }) => one.kid === kid))
  await verify(card)
  await expect(verify({ ...card, name: 'Field Oracls' })).rejects.toThrow('No valid signatures')
  const document = (await (await fetch(`${url}/.well-known/did.json`)).json()) as Wire
  const header = JSON.parse(Buffer.from(card.signatures[0].protected, 'base64url').toString())
  expect(header).toMatchObject({ alg: 'EdDSA', typ: 'JOSE', kid: document.authentication[0] })
})

describe.each(bindings)('over %s, the SDK', binding => {
  test('sends a message and gets a task with its answer, its history and its context', async () => {
    const model = scriptedModel([
      'hello',
      ({ prompt }: ScriptedCall) => `you said ${prompt.filter(({ role }) => role === 'user').length} things`,
    ])
    const client = await (await a2aOracle({ model })).connect(binding)
    const first = (await client.sendMessage(reply('hi'))) as Wire
    expect(reportedBy(first)).toEqual({ state: 'TASK_STATE_COMPLETED', status: '', answers: ['hello'] })
    expect(first.history.map(({ parts }: Wire) => parts[0].content.value)).toEqual(['hi'])
    const second = (await client.sendMessage(reply('more', { contextId: first.contextId }))) as Wire
    expect(reportedBy(second).answers).toEqual(['you said 2 things'])
    expect([second.contextId, second.id === first.id]).toEqual([first.contextId, false])
    expect(reportedBy(await client.getTask({ tenant: '', id: first.id }))).toEqual(reportedBy(first))
  })

  test('streams the task, the answer in pieces that make up the artifact, and the state', async () => {
    const client = await (await a2aOracle({ model: scriptedModel(['one two three']) })).connect(binding)
    const events: Wire[] = []
    for await (const { payload } of client.sendMessageStream(reply('count'))) events.push(payload)
    expect(events[0].$case).toBe('task')
    const pieces = events.filter(({ $case }) => $case === 'artifactUpdate').map(({ value }) => value)
    expect(pieces.map(({ artifact }) => artifact.parts[0].content.value).join('')).toBe('one two three')
    expect(pieces.map(({ append }) => append)).toEqual(pieces.map((_, index) => index > 0))
    expect(pieces.map(({ lastChunk }) => lastChunk)).toEqual(pieces.map((_, index) => index === pieces.length - 1))
    expect(events.at(-1)).toMatchObject({ $case: 'statusUpdate', value: { status: { state: 3 } } })
    const task = await client.getTask({ tenant: '', id: events[0].value.id })
    expect(reportedBy(task).answers).toEqual(['one two three'])
  })

  test('an approval is a task that needs input; yes in the next message of the task approves it once', async () => {
    const { plugin, paid } = shop()
    const model = scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done'])
    const client = await (await a2aOracle({ plugins: [plugin], model })).connect(binding)
    const asked = (await client.sendMessage(reply('Pay 5'))) as Wire
    expect(reportedBy(asked)).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      status: 'Pay 5 €\n\namount: 5\n\nAnswer yes, always or no.',
    })
    expect(paid).toEqual([])
    const paidTask = (await client.sendMessage(reply('Ndiyo.', { taskId: asked.id }))) as Wire
    expect([paidTask.id, reportedBy(paidTask)]).toEqual([
      asked.id,
      { state: 'TASK_STATE_COMPLETED', status: '', answers: ['done'] },
    ])
    expect(paid).toEqual([5])
    expect(paidTask.history.map(({ role }: Wire) => role)).toEqual([1, 2, 1])
    await expect(client.sendMessage(reply('again', { taskId: asked.id }))).rejects.toThrow('takes no more messages')
  })

  test('lists tasks page by page, the last changed first, by context and state', async () => {
    const client = await (await a2aOracle({ model: scriptedModel(['1', '2', '3']) })).connect(binding)
    const tasks: Wire[] = []
    for (const text of ['a', 'b', 'c']) tasks.push(await client.sendMessage(reply(text)))
    const list = (rest: object) =>
      client.listTasks({
        tenant: '',
        contextId: '',
        status: 0,
        pageToken: '',
        statusTimestampAfter: undefined,
        ...rest,
      })
    const first = await list({ pageSize: 2 })
    expect([first.tasks.map(({ id }) => id), first.totalSize]).toEqual([[tasks[2].id, tasks[1].id], 3])
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken })
    expect([second.tasks.map(({ id }) => id), second.nextPageToken]).toEqual([[tasks[0].id], ''])
    expect((await list({ contextId: tasks[1].contextId })).tasks.map(({ id }) => id)).toEqual([tasks[1].id])
    expect((await list({ status: 3 })).totalSize).toBe(3)
    expect((await list({ status: 6 })).totalSize).toBe(0)
    const [withAnswers] = (await list({ includeArtifacts: true, historyLength: 1 })).tasks
    expect([reportedBy(withAnswers!).answers, withAnswers!.history.length]).toEqual([['3'], 1])
  })

  test('cancels a running task, and follows one again that it lost', async () => {
    const { plugin, running, stopped } = waiting()
    const model = scriptedModel([{ tool: 'wait', input: {} }, 'done'])
    const client = await (await a2aOracle({ plugins: [plugin], model })).connect(binding)
    const task = (await client.sendMessage(reply('wait', {}, { returnImmediately: true }))) as Wire
    expect(reportedBy(task).state).toBe('TASK_STATE_WORKING')
    await running
    const events: Wire[] = []
    const following = (async () => {
      for await (const { payload } of client.resubscribeTask({ tenant: '', id: task.id })) events.push(payload)
    })()
    await expect.poll(() => events.length).toBeGreaterThan(0)
    expect(events[0]).toMatchObject({ $case: 'task', value: { id: task.id } })
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    expect(reportedBy(canceled).state).toBe('TASK_STATE_CANCELED')
    await stopped
    await following
    expect(events.at(-1)).toMatchObject({ $case: 'statusUpdate', value: { status: { state: 5 } } })
    expect(reportedBy(await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).state).toBe(
      'TASK_STATE_CANCELED',
    )
    const ended = (async () => {
      for await (const _ of client.resubscribeTask({ tenant: '', id: task.id })) break
    })()
    await expect(ended).rejects.toThrow('The task has ended')
  })

  test("another caller's task is as unknown as none", async () => {
    const oracle = await a2aOracle({ model: scriptedModel(['secret']) })
    const task = (await (await oracle.connect(binding)).sendMessage(reply('hi'))) as Wire
    const other = await oracle.connect(binding, otherKey)
    for (const id of [task.id, 'task_none']) {
      await expect(other.getTask({ tenant: '', id })).rejects.toMatchObject({ name: 'TaskNotFoundError' })
      await expect(other.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toMatchObject({
        name: 'TaskNotFoundError',
      })
      await expect(other.sendMessage(reply('go on', { taskId: id }))).rejects.toMatchObject({
        name: 'TaskNotFoundError',
      })
    }
    const { tasks } = await other.listTasks({
      tenant: '',
      contextId: task.contextId,
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    })
    expect(tasks).toEqual([])
  })
})

test('the same message id again is the same task, and its turn runs once', async () => {
  const model = scriptedModel(['once', 'twice'])
  const { rpc } = await a2aOracle({ model })
  const message = wireMessage('hi')
  const first = await rpc('SendMessage', { message })
  const second = await rpc('SendMessage', { message })
  expect(second.result).toEqual(first.result)
  const together = wireMessage('at once')
  const both = await Promise.all([rpc('SendMessage', { message: together }), rpc('SendMessage', { message: together })])
  expect(new Set(both.map(({ result }) => result.task.id)).size).toBe(1)
  expect(model.calls).toHaveLength(2)
  const stranger = await rpc('SendMessage', { message: { ...message, taskId: 'other' } }, otherKey)
  expect(stranger.error.code).toBe(-32001)
})

test('an approval that the caller may not give is auth-required, and one who may completes the task', async () => {
  const { plugin, paid } = shop()
  const weak = 'w-0123456789abcdef'
  const { rpc } = await a2aOracle({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done']),
    env: { ORACLE_API_KEYS: `app:${key}:*:did:example:ada,weak:${weak}:chat/send:did:example:ada` },
  })
  const { result } = await rpc('SendMessage', { message: wireMessage('Pay 5') })
  const answer = (apiKey?: string) =>
    rpc('SendMessage', { message: wireMessage('yes', { taskId: result.task.id }) }, apiKey)
  const refused = await answer(weak)
  expect(refused.result.task.status).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED' })
  expect(refused.result.task.status.message.parts[0].text).toContain('shop/pay')
  expect(paid).toEqual([])
  expect((await answer()).result.task.status.state).toBe('TASK_STATE_COMPLETED')
  expect(paid).toEqual([5])
})

test('a question of a tool takes its answer as text, or as data', async () => {
  const asking = definePlugin({
    name: 'asking',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Asking', summary: 'Asks.', whenToUse: ['always'], load: 'always' },
    setup: () => ({
      tools: {
        book: defineTool({
          description: 'Books a day.',
          input: z.object({}),
          effect: 'read',
          async execute(_, { answer }) {
            if (answer) return JSON.stringify(answer.data)
            const schema = { type: 'object', properties: { day: { type: 'string' } } } as const
            throw new PersonNeeded({ text: 'Which day?', schema })
          },
        }),
      },
    }),
  })
  const heard: string[] = []
  const answer = ({ prompt }: ScriptedCall) => {
    heard.push(JSON.stringify(prompt.at(-1)))
    return 'booked'
  }
  const steps = [{ tool: 'book', input: {} }, answer]
  const { rpc } = await a2aOracle({ plugins: [asking], model: scriptedModel([...steps, ...steps]) })
  for (const part of [{ text: 'Friday' }, { data: { day: 'Monday' } }]) {
    const { result } = await rpc('SendMessage', { message: wireMessage('Book') })
    expect(result.task.status.message.parts[0].text).toContain('Which day?')
    expect(result.task.metadata.sibyl.approvals[0].schema.properties).toEqual({ day: { type: 'string' } })
    const message = wireMessage('', { taskId: result.task.id, parts: [part] })
    expect((await rpc('SendMessage', { message })).result.task.status.state).toBe('TASK_STATE_COMPLETED')
  }
  expect(heard[0]).toContain('Friday')
  expect(heard[1]).toContain('Monday')
})

test('a question that was answered elsewhere completes its task, and one that a newer message closed fails it', async () => {
  const { plugin, paid } = shop()
  const pay = { tool: 'pay', input: { amount: 5 } }
  const { rpc, call } = await a2aOracle({
    plugins: [plugin],
    model: scriptedModel([pay, 'done', pay, 'other', 'more']),
  })
  const first = (await rpc('SendMessage', { message: wireMessage('Pay') })).result.task
  const { approvalId } = first.metadata.sibyl.approvals[0]
  await (await call(`/chat/${first.contextId}/approvals/${approvalId}`, { json: { decision: 'once' } })).text()
  const state = async ({ id }: { id: string }) => (await rpc('GetTask', { id })).result.status.state
  await expect.poll(() => state(first)).toBe('TASK_STATE_COMPLETED')
  expect(paid).toEqual([5])
  const second = (await rpc('SendMessage', { message: wireMessage('Pay') })).result.task
  await (await call('/chat', { json: { id: second.contextId, message: 'something else' } })).text()
  const late = await rpc('SendMessage', { message: wireMessage('yes', { taskId: second.id }) })
  expect(late.result.task.status).toMatchObject({ state: 'TASK_STATE_FAILED' })
  expect(paid).toEqual([5])
})

test('a client that vanishes does not stop its task', async () => {
  const { plugin, running, release } = waiting()
  const { call, rpc } = await a2aOracle({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'wait', input: {} }, 'done']),
  })
  const leaving = new AbortController()
  const response = await call('/a2a/message:stream', {
    json: { message: wireMessage('wait') },
    signal: leaving.signal,
  })
  const { value } = await response.body!.getReader().read()
  const { task } = JSON.parse(new TextDecoder().decode(value).split('\n')[0]!.slice('data: '.length))
  await running
  leaving.abort()
  release()
  await expect
    .poll(async () => (await rpc('GetTask', { id: task.id })).result.status.state)
    .toBe('TASK_STATE_COMPLETED')
  expect((await rpc('GetTask', { id: task.id })).result.artifacts[0].parts[0].text).toBe('done')
})

test('a message to a running task, to another context, or with a version other than 1.0 is rejected', async () => {
  const { plugin, running, release } = waiting()
  const { rpc, call } = await a2aOracle({
    plugins: [plugin],
    model: scriptedModel([{ tool: 'wait', input: {} }, 'done']),
  })
  const configuration = { returnImmediately: true }
  const { task } = (await rpc('SendMessage', { message: wireMessage('wait'), configuration })).result
  await running
  const busy = await rpc('SendMessage', { message: wireMessage('more', { taskId: task.id }) })
  expect(busy.error).toMatchObject({ code: -32004, data: [{ metadata: { code: 'a2a_task_running' } }] })
  const moved = await rpc('SendMessage', { message: wireMessage('more', { taskId: task.id, contextId: 'elsewhere' }) })
  expect(moved.error.code).toBe(-32602)
  release()
  for (const version of ['0.3', '2.0', '1.1', 'x']) {
    const response = await call('/a2a/tasks', { headers: { 'a2a-version': version } })
    expect([response.status, ((await response.json()) as Wire).error.details[0].reason]).toEqual([
      400,
      'VERSION_NOT_SUPPORTED',
    ])
  }
  expect((await call('/a2a/tasks', { headers: { 'a2a-version': '1.0.1' } })).status).toBe(200)
})

test('files of a message reach the files of the caller, and parts with addresses are rejected', async () => {
  const { rpc, call } = await a2aOracle({ plugins: [files()], model: scriptedModel(['seen']) })
  const raw = Buffer.from('well A: 4 m').toString('base64')
  const message = wireMessage('', {
    parts: [{ text: 'Keep this' }, { raw, filename: 'wells.txt', mediaType: 'text/plain' }],
  })
  const { result } = await rpc('SendMessage', { message })
  expect(result.task.history[0].parts[1]).toMatchObject({ filename: 'wells.txt', text: '[file wells.txt]' })
  const { files: kept } = (await (await call('/files')).json()) as Wire
  expect(kept.map(({ path }: { path: string }) => path.split('/').at(-1))).toEqual(['wells.txt'])
  const remote = await rpc('SendMessage', { message: wireMessage('', { parts: [{ url: 'http://10.0.0.1/x' }] }) })
  expect(remote.error.code).toBe(-32005)
})

test('a file that a turn writes is an artifact with its address, and one that it only reads is none', async () => {
  const steps = [
    { tool: 'load_capability', input: { names: ['files'] } },
    { tool: 'write_file', input: { path: 'report.md', text: '# Wells' } },
    'written',
    { tool: 'read_file', input: { path: 'report.md' } },
    'read',
  ]
  const { rpc, call, url } = await a2aOracle({ plugins: [files()], model: scriptedModel(steps) })
  const { task } = (await rpc('SendMessage', { message: wireMessage('Write a report') })).result
  expect(task.artifacts.map(({ name }: { name: string }) => name)).toEqual(['answer', 'report.md'])
  const [part] = task.artifacts[1].parts
  expect(part).toMatchObject({ filename: 'report.md', mediaType: expect.stringContaining('text/') })
  expect(part.url.startsWith(url)).toBe(true)
  expect(await (await call(part.url.slice(url.length))).text()).toBe('# Wells')
  const next = await rpc('SendMessage', { message: wireMessage('Read it', { contextId: task.contextId }) })
  expect(next.result.task.artifacts.map(({ name }: { name: string }) => name)).toEqual(['answer'])
})

test('the data of a person contains their tasks, and is erased with them', async () => {
  const { rpc, call } = await a2aOracle({ model: scriptedModel(['my answer']) })
  const { result } = await rpc('SendMessage', { message: wireMessage('my question') })
  const exported = JSON.stringify(((await (await call('/me/export')).json()) as Wire).a2a ?? {})
  expect(exported).toContain('my question')
  expect(exported).toContain('my answer')
  expect((await call('/me', { method: 'DELETE' })).ok).toBe(true)
  await expect.poll(async () => (await rpc('GetTask', { id: result.task.id })).error?.code).toBe(-32001)
})

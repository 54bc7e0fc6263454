import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scriptedModel } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { a2aOracle, bindings, key, otherKey, reply, shop, type Wire, wireMessage } from '../a2a-oracle.test.support.ts'

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Wire
}

/** A receiver that answers with these statuses, and then 204. */
const receiver = async (...statuses: number[]) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(statuses.shift() ?? 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}

const env = { A2A_PUSH_PRIVATE: 'on' }

const states = (received: readonly Received[]) => received.map(({ body }) => body.task.status.state)

test('a receiver of a message gets its task when it needs input and when it ends, with its token', async () => {
  const { url, received } = await receiver()
  const { plugin } = shop()
  const model = scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done'])
  const { rpc } = await a2aOracle({ plugins: [plugin], model, env })
  const configuration = {
    taskPushNotificationConfig: { url, token: 't-1', authentication: { scheme: 'Bearer', credentials: 's3cret' } },
  }
  const { task } = (await rpc('SendMessage', { message: wireMessage('Pay'), configuration })).result
  await expect.poll(() => states(received)).toEqual(['TASK_STATE_INPUT_REQUIRED'])
  expect(received[0]!.headers).toMatchObject({
    authorization: 'Bearer s3cret',
    'x-a2a-notification-token': 't-1',
    'content-type': 'application/a2a+json',
  })
  await rpc('SendMessage', { message: wireMessage('yes', { taskId: task.id }) })
  await expect.poll(() => states(received)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED'])
  expect(received[1]!.body.task.artifacts[0].parts[0].text).toBe('done')
})

test.each(bindings)(
  'over %s, the SDK creates, reads, lists and deletes receivers, without their credentials',
  async binding => {
    const { url, received } = await receiver()
    const { plugin } = shop()
    const model = scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'done'])
    const oracle = await a2aOracle({ plugins: [plugin], model, env })
    const client = await oracle.connect(binding)
    const task = (await client.sendMessage(reply('Pay'))) as Wire
    const config = { tenant: '', taskId: task.id, id: 'mine', url, token: 'hidden', authentication: undefined }
    const created = await client.createTaskPushNotificationConfig(config)
    expect([created.id, created.url, created.token]).toEqual(['mine', url, ''])
    await expect.poll(() => states(received)).toEqual(['TASK_STATE_INPUT_REQUIRED'])
    const place = { tenant: '', taskId: task.id, id: 'mine' }
    expect((await client.getTaskPushNotificationConfig(place)).url).toBe(url)
    const list = () =>
      client.listTaskPushNotificationConfig({ tenant: '', taskId: task.id, pageSize: 0, pageToken: '' })
    expect((await list()).configs.map(({ id }) => id)).toEqual(['mine'])
    await client.deleteTaskPushNotificationConfig(place)
    await client.deleteTaskPushNotificationConfig(place)
    expect((await list()).configs).toEqual([])
    await expect(client.getTaskPushNotificationConfig(place)).rejects.toMatchObject({ name: 'TaskNotFoundError' })
  },
)

test('a delivery that fails is repeated; a receiver that answers 410 gets no more', async () => {
  const failing = await receiver(500)
  const gone = await receiver(410)
  const { plugin } = shop()
  const pay = { tool: 'pay', input: { amount: 5 } }
  const { rpc } = await a2aOracle({ plugins: [plugin], model: scriptedModel([pay, 'done']), env })
  const { task } = (await rpc('SendMessage', { message: wireMessage('Pay') })).result
  for (const { url } of [failing, gone]) await rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url })
  await expect.poll(() => states(gone.received)).toHaveLength(1)
  const receivers = async () => (await rpc('ListTaskPushNotificationConfigs', { taskId: task.id })).result.configs
  await expect.poll(async () => (await receivers()).length).toBe(1)
  await rpc('SendMessage', { message: wireMessage('yes', { taskId: task.id }) })
  await expect
    .poll(() => states(failing.received))
    .toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED'])
  expect(gone.received).toHaveLength(1)
})

test('an address in a private network is rejected before the turn starts, and a task has five receivers at most', async () => {
  const model = scriptedModel([{ tool: 'pay', input: { amount: 5 } }])
  const guarded = await a2aOracle({ plugins: [shop().plugin], model })
  for (const url of ['http://127.0.0.1:9/x', 'http://169.254.169.254/latest', 'ftp://a.example/', 'nothing']) {
    const configuration = { taskPushNotificationConfig: { url } }
    const { error } = await guarded.rpc('SendMessage', { message: wireMessage('Pay'), configuration })
    expect(error.data[0].metadata.code).toBe('outbound_refused')
  }
  expect(model.calls).toEqual([])
  const oracle = await a2aOracle({
    plugins: [shop().plugin],
    model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }]),
    env,
  })
  const { task } = (await oracle.rpc('SendMessage', { message: wireMessage('Pay') })).result
  const { url } = await receiver()
  const answers = []
  for (let index = 0; index < 6; index += 1)
    answers.push(await oracle.rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url: `${url}?${index}` }))
  expect(answers.map(({ error }) => error?.data[0].metadata.code)).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    'a2a_push_full',
  ])
})

test('a configuration without an id that is repeated is the same receiver, notified once', async () => {
  const { url, received } = await receiver()
  const { rpc } = await a2aOracle({ model: scriptedModel(['done']), env })
  const { task } = (await rpc('SendMessage', { message: wireMessage('Hi') })).result
  const create = async () => (await rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url })).result.id
  const ids = [await create(), await create(), await create()]
  expect(new Set(ids).size).toBe(1)
  await expect.poll(() => states(received)).toEqual(['TASK_STATE_COMPLETED'])
  const { configs } = (await rpc('ListTaskPushNotificationConfigs', { taskId: task.id })).result
  expect(configs.map(({ id }: Wire) => id)).toEqual([ids[0]])
})

test('a task that has ended has five receivers at most as well', async () => {
  const { url } = await receiver()
  const { rpc } = await a2aOracle({ model: scriptedModel(['done']), env })
  const { task } = (await rpc('SendMessage', { message: wireMessage('Hi') })).result
  const answers = []
  for (let index = 0; index < 6; index += 1)
    answers.push(await rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url: `${url}?${index}` }))
  expect(answers.map(({ error }) => error?.data[0].metadata.code)).toEqual([
    ...Array.from({ length: 5 }, () => undefined),
    'a2a_push_full',
  ])
})

test('a receiver of a caller without session/read gets what the last turn made, and nothing of a task that has ended', async () => {
  const { url, received } = await receiver()
  const { plugin } = shop()
  const pay = { tool: 'pay', input: { amount: 5 } }
  const { rpc } = await a2aOracle({
    plugins: [plugin],
    model: scriptedModel([['The account number is 4711. ', pay], 'a joke']),
    env: { ...env, ORACLE_API_KEYS: `app:${key}:*:did:example:ada,weak:${otherKey}:chat/send:did:example:ada` },
  })
  const { task } = (await rpc('SendMessage', { message: wireMessage('Pay') })).result
  expect(JSON.stringify(task.artifacts)).toContain('4711')
  await rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url }, otherKey)
  await rpc('SendMessage', { message: wireMessage('Something else, please', { taskId: task.id }) })
  await expect.poll(() => states(received)).toEqual(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_COMPLETED'])
  expect(JSON.stringify(received[1]!.body)).toContain('a joke')
  expect(JSON.stringify(received[1]!.body)).not.toContain('4711')
  const { error } = await rpc('CreateTaskPushNotificationConfig', { taskId: task.id, url }, otherKey)
  expect(error.data[0].metadata.code).toBe('a2a_read_not_allowed')
})

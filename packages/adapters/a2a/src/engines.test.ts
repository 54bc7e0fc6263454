import { onEachEngine } from '@sibyl/storage/testing/engines'
import { scriptedModel } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { a2aOracle, key, shop, type Wire, wireMessage } from './a2a-oracle.test.support.ts'

await onEachEngine('tasks', engine => {
  test('are asked, answered, listed, repeated and erased with their person', async () => {
    const { plugin, paid } = shop()
    const { rpc, call } = await a2aOracle({
      plugins: [plugin],
      model: scriptedModel([{ tool: 'pay', input: { amount: 5 } }, 'paid', 'hello']),
      env: { DATABASE_URL: await engine.emptyDatabase(), ORACLE_API_KEYS: `app:${key}:*:did:example:ada` },
    })
    const first = wireMessage('Pay 5')
    const { task } = (await rpc('SendMessage', { message: first })).result
    expect(task.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' })
    expect(JSON.stringify(task.status.message.parts)).toContain('Pay 5 €')
    const answer = { ...wireMessage('yes'), taskId: task.id }
    const done = (await rpc('SendMessage', { message: answer })).result.task
    expect([done.id, done.status.state, paid]).toEqual([task.id, 'TASK_STATE_COMPLETED', [5]])
    expect(done.history).toHaveLength(3)
    const repeated = (await rpc('SendMessage', { message: first })).result.task
    expect([repeated.id, repeated.status.state, paid]).toEqual([task.id, 'TASK_STATE_COMPLETED', [5]])
    await rpc('SendMessage', { message: wireMessage('Hello') })
    const page = (await rpc('ListTasks', { pageSize: 1 })).result
    const rest = (await rpc('ListTasks', { pageSize: 1, pageToken: page.nextPageToken })).result
    expect([...page.tasks, ...rest.tasks].map(({ id }: Wire) => id)).toEqual([expect.any(String), task.id])
    expect((await call('/me', { method: 'DELETE' })).status).toBeLessThan(300)
    expect((await rpc('ListTasks', {})).result.totalSize).toBe(0)
  })
})

import { createSigningKey } from '@sibyl/identity'
import { delegatedActor, fromAddress, scriptedModel, type TestActor, testActor } from '@sibyl/testing'
import { expect, test } from 'vitest'
import { tasksFixture } from './testing/tasks-fixture.test.support.ts'

const minute = 60_000
const daily = { what: 'Greet me', when: { every: 'day', time: '07:00' } }
const unlimited = { RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_DID_PER_MINUTE: '0' }

const tried = async (actor: TestActor, input: object = daily): Promise<string> => {
  const answer = await actor.request('/tasks', { json: input })
  return answer.status === 201 ? 'created' : (await answer.json()).code
}

test('tasks under fresh keys count for the holder of the right, and so do the tokens of their runs', async () => {
  const controller = createSigningKey()
  const env = {
    ...unlimited,
    ORACLE_ACCESS: 'delegated',
    ORACLE_CONTROLLERS: controller.did,
    TASKS_MAX_PER_USER: '2',
    TOKEN_BUDGET_DID_PER_DAY: '1000',
  }
  const model = scriptedModel([['fine', { usage: { inputTokens: 2_000, outputTokens: 1 } }]])
  await using fixture = await tasksFixture({ env, model })
  const now = () => fixture.clock.now()
  const holder = await delegatedActor(fixture.app, { key: controller }, { now })
  const fresh = () => delegatedActor(fixture.app, holder, { now })
  const first = await fresh()
  const id = await fixture.create({ what: 'Do it', when: { inMinutes: 10 } }, first)
  expect(await tried(await fresh())).toBe('created')
  expect([await tried(await fresh()), await tried(holder)]).toEqual(['tasks_full', 'tasks_full'])
  expect(await tried(await delegatedActor(fixture.app, { key: controller }, { now }))).toBe('created')
  await fixture.pass(11 * minute)
  await expect.poll(async () => (await fixture.json(`/tasks/${id}`, first)).state).toBe('done')
  expect(await fixture.json('/usage', await fresh())).toMatchObject({ tokens: 2_001 })
})

test('with ORACLE_ACCESS=open one address with many DIDs has its share of the tasks of all', async () => {
  await using fixture = await tasksFixture({ env: { ...unlimited, TASKS_MAX_TOTAL: '8' } })
  const at = (address: string) => tried(testActor(fromAddress(fixture.app, address), () => fixture.clock.now()))
  expect([await at('203.0.113.7'), await at('203.0.113.7'), await at('203.0.113.7')]).toEqual([
    'created',
    'created',
    'tasks_full',
  ])
  for (const address of ['203.0.113.8', '203.0.113.9', '203.0.113.10', '203.0.113.11', '203.0.113.12']) {
    expect(await at(address)).toBe('created')
  }
  expect(await at('203.0.113.13')).toBe('tasks_full')
})

test('an IPv6 network has its share of the tasks with ORACLE_ACCESS=open, and its site twice as much', async () => {
  await using fixture = await tasksFixture({ env: { ...unlimited, TASKS_MAX_TOTAL: '8' } })
  const at = (network: string) =>
    tried(testActor(fromAddress(fixture.app, `2001:db8:${network}::1`), () => fixture.clock.now()))
  const networks = ['1:a', '1:a', '1:a', '1:b', '1:c', '1:d', '2:a']
  const results: string[] = []
  for (const network of networks) results.push(await at(network))
  expect(results).toEqual(['created', 'created', 'tasks_full', 'created', 'created', 'tasks_full', 'created'])
})

test('with ORACLE_ACCESS=open the runs of one address leave room to those of others', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel(Array.from({ length: 30 }, () => [{ wait: gate.promise }, 'fine'] as const))
  await using fixture = await tasksFixture({ env: unlimited, model })
  const create = (address: string, what: string) =>
    fixture.create(
      { what, when: { inMinutes: 10 } },
      testActor(fromAddress(fixture.app, address), () => fixture.clock.now()),
    )
  for (let count = 0; count < 20; count += 1) await create('203.0.113.7', 'Do one of many')
  await create('203.0.113.8', 'Do the other')
  await fixture.pass(11 * minute)
  const asked = (what: string) => model.calls.filter(call => JSON.stringify(call).includes(what)).length
  await expect.poll(() => asked('Do the other')).toBe(1)
  expect(asked('Do one of many')).toBeLessThanOrEqual(4)
  gate.resolve()
})

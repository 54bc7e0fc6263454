import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSigningKey } from '@sibyl/identity'
import { sharePostgres } from '@sibyl/storage/testing'
import { delegatedActor, readStream, scriptedModel, type TestActor, testActor } from '@sibyl/testing'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { home, tasksFixture } from './testing/tasks-fixture.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const hour = 3_600_000
const day = 24 * hour
const daily = { what: 'Greet me', when: { every: 'day', time: '07:00' } }
const key = 'key-of-the-shop-0123456789'

const database = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-task-rights-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { path: join(folder, 'oracle.db'), url: `file:${join(folder, 'oracle.db')}` }
}

const model = (...texts: string[]) => scriptedModel(texts)

/** Somebody who was let in by a delegation, and the same person in their own right. */
const helperAt = async (fixture: Awaited<ReturnType<typeof tasksFixture>>, lifetimeSeconds?: number) => {
  const now = () => fixture.clock.now()
  const helper = await delegatedActor(fixture.app, { key: createSigningKey() }, { now, lifetimeSeconds })
  return { helper, self: testActor(fixture.app, now, helper.key) }
}

const reportedTo = async (person: TestActor, session: string): Promise<string> => {
  const answer = await person.request(`/sessions/${session}`)
  return answer.status === 404 ? '' : JSON.stringify((await answer.json()).messages)
}

describe("rights of a task's maker", () => {
  test('work of the agent needs chat/send, a plain reminder only tasks/write', async () => {
    await using fixture = await tasksFixture({ model: model('It is done.') })
    const narrow = ['tasks/write', 'memory/read']
    const create = (input: object, abilities: string[]) => fixture.actor.request('/tasks', { json: input, abilities })
    const refused = await create(daily, narrow)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'scope_missing', detail: expect.stringContaining('chat/send') },
    ])
    const preview = await fixture.actor.request('/tasks/preview', { json: daily, abilities: ['tasks/read'] })
    expect(preview.status).toBe(403)
    expect((await fixture.json('/tasks')).tasks).toEqual([])

    const reminder = await (await create({ ...daily, remind: true }, narrow)).json()
    await fixture.pass(day)
    await fixture.latest(reminder.id, { state: 'done', text: 'Greet me' })
    const task = await create(daily, ['tasks/write', 'chat/send'])
    expect(task.status).toBe(201)
  })
})

describe('a task whose right has ended', () => {
  test.each([
    ['work of the agent', daily],
    ['a reminder', { ...daily, remind: true }],
  ])('stops with the reason, sends nothing, and runs again for the caller who resumes it: %s', async (_, input) => {
    await using fixture = await tasksFixture({ model: model('Good morning.', 'Good day.') })
    const { helper, self } = await helperAt(fixture)
    const id = await fixture.create({ ...input, deliver: { sms: true } }, helper)
    await fixture.pass(day)
    await expect.poll(() => fixture.sent.length).toBe(1)
    expect((await helper.revoke()).status).toBe(200)
    await fixture.pass(day)
    const stopped = { state: 'stopped', stopReason: 'grant_revoked' }
    await expect.poll(() => fixture.json(`/tasks/${id}`, self)).toMatchObject(stopped)
    await expect
      .poll(async () => (await fixture.json(`/tasks/${id}/runs`, self)).runs[0])
      .toMatchObject({ state: 'failed', code: 'grant_revoked' })
    await expect
      .poll(() => reportedTo(self, `task-${id}`))
      .toMatch(/The delegation that it was created under was revoked. The task is stopped. Resume it as /)
    expect(fixture.sent).toHaveLength(1)
    await fixture.pass(3 * day)
    expect((await fixture.json(`/tasks/${id}/runs`, self)).runs).toHaveLength(2)

    const resumed = await self.request(`/tasks/${id}/resume`, { method: 'POST' })
    expect(await resumed.json()).toMatchObject({ state: 'active' })
    await fixture.pass(day)
    await expect.poll(() => fixture.sent.length).toBe(2)
    expect((await fixture.json(`/tasks/${id}`, self)).stopReason).toBeUndefined()
  })

  test('does not run out of turn either, and is not resumed for credentials that may not chat', async () => {
    await using fixture = await tasksFixture({ model: model() })
    const { helper, self } = await helperAt(fixture)
    const id = await fixture.create(daily, helper)
    await helper.revoke()
    expect((await self.request(`/tasks/${id}/runs`, { method: 'POST' })).status).toBe(202)
    await fixture.clock.advance(1_000)
    const stopped = { state: 'stopped', stopReason: 'grant_revoked' }
    await expect.poll(() => fixture.json(`/tasks/${id}`, self)).toMatchObject(stopped)
    const narrow = await self.request(`/tasks/${id}/resume`, { method: 'POST', abilities: ['tasks/write'] })
    expect([narrow.status, (await narrow.json()).code]).toEqual([403, 'scope_missing'])
    expect(await fixture.json(`/tasks/${id}`, self)).toMatchObject(stopped)
  })

  test('is stopped immediately, long before its next time, and runs again for the caller who resumes it', async () => {
    const script = [
      { tool: 'load_capability', input: { names: ['tasks'] } },
      { tool: 'list_tasks', input: {} },
      'These.',
      'Good morning.',
    ]
    await using fixture = await tasksFixture({ model: scriptedModel(script) })
    const { helper, self } = await helperAt(fixture)
    const id = await fixture.create(daily, helper)
    const kept = await fixture.create({ ...daily, remind: true }, self)
    await helper.revoke()
    const { tasks } = await fixture.json('/tasks', self)
    const shown = new Map(tasks.map((task: { id: string }) => [task.id, task]))
    expect(shown.get(id)).toMatchObject({ state: 'stopped', stopReason: 'grant_revoked' })
    expect(shown.get(id)).not.toHaveProperty('next')
    expect(shown.get(kept)).toMatchObject({ state: 'active', next: expect.any(String) })
    expect(await fixture.json(`/tasks/${id}`, self)).toMatchObject({ state: 'stopped', stopReason: 'grant_revoked' })
    const { events } = await readStream(await self.request('/chat', { json: { message: 'Which tasks do I have?' } }))
    expect(JSON.stringify(events)).toContain('stopped: The delegation that it was created under was revoked.')

    const resumed = await self.request(`/tasks/${id}/resume`, { method: 'POST' })
    expect(await resumed.json()).toMatchObject({ state: 'active', next: expect.any(String) })
    expect(await fixture.json(`/tasks/${id}`, self)).toMatchObject({ state: 'active' })
    await fixture.pass(day)
    await expect
      .poll(async () => (await fixture.json(`/tasks/${id}/runs`, self)).runs[0])
      .toMatchObject({ state: 'done', text: 'Good morning.' })
  })

  test('is listed by the agent with the reason', async () => {
    const script = [
      { tool: 'load_capability', input: { names: ['tasks'] } },
      { tool: 'list_tasks', input: {} },
      'These.',
    ]
    await using fixture = await tasksFixture({ model: scriptedModel(script) })
    const { helper, self } = await helperAt(fixture, 600)
    const id = await fixture.create({ ...daily, remind: true }, helper)
    await fixture.pass(day)
    await expect.poll(() => fixture.json(`/tasks/${id}`, self)).toMatchObject({ stopReason: 'grant_expired' })
    const { events } = await readStream(await self.request('/chat', { json: { message: 'Which tasks do I have?' } }))
    expect(JSON.stringify(events)).toContain('stopped: The delegation that it was created under expired.')
  })

  test('is not sent anywhere once it has ended, though the run was done before', async () => {
    const gate = Promise.withResolvers<void>()
    await using fixture = await tasksFixture({ model: scriptedModel([['Good ', { wait: gate.promise }, 'morning.']]) })
    const { helper, self } = await helperAt(fixture)
    const id = await fixture.create({ ...daily, deliver: { sms: true } }, helper)
    await fixture.pass(day)
    await expect.poll(async () => (await fixture.json(`/tasks/${id}/runs`, self)).runs[0]?.state).toBe('running')
    await helper.revoke()
    gate.resolve()
    await expect
      .poll(async () => (await fixture.json(`/tasks/${id}/runs`, self)).runs[0])
      .toMatchObject({
        state: 'done',
        sent: [{ channel: 'sms', fault: 'The delegation behind this authorization was revoked.' }],
      })
    expect(fixture.sent).toEqual([])
  })

  test.each([
    ['with its controller', undefined, { ORACLE_ACCESS: 'delegated' }, 'grant_removed'],
    ['with its API key', `shop:${key}:*`, { ORACLE_API_KEYS: `till:${key}:*` }, 'grant_removed'],
    ['with the chat of its API key', `shop:${key}:*`, { ORACLE_API_KEYS: `shop:${key}:tasks/*` }, 'scope_missing'],
  ])('stops %s', async (_, apiKeys, changed, reason) => {
    const place = home()
    const { path, url } = database()
    let id: string
    {
      const env = { DATABASE_URL: url, ORACLE_API_KEYS: apiKeys }
      await using fixture = await tasksFixture({ env }, place)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await (apiKeys === undefined
        ? fixture.actor.request('/tasks', { json: daily })
        : fixture.app.request('/tasks', { method: 'POST', headers, body: JSON.stringify(daily) }))
      expect(answer.status).toBe(201)
      id = (await answer.json()).id
    }
    await using fixture = await tasksFixture({ env: { DATABASE_URL: url, ...changed }, model: model('no') }, place)
    await fixture.pass(day)
    const stored = () => {
      const file = new DatabaseSync(path, { readOnly: true })
      const row = file.prepare('select state, stop_reason from tasks_tasks where id = ?').get(id)
      file.close()
      return { ...row }
    }
    await expect.poll(stored).toEqual({ state: 'stopped', stop_reason: reason })
  })
})

describe('a task of an earlier version', () => {
  test.each([
    ['over HTTP without chat/send', ['chat/send', 'tasks/write'], null, 'scope_missing'],
    ['over HTTP with chat/*', ['chat/send', 'chat/*', 'tasks/*'], null, null],
    ['in a conversation', ['chat/send'], 's1', null],
  ])('that was set up %s keeps the scopes that its maker held', async (_, scopes, session, reason) => {
    const place = home()
    const { path, url } = database()
    let id: string
    {
      await using fixture = await tasksFixture({ env: { DATABASE_URL: url } }, place)
      id = await fixture.create(daily)
    }
    const file = new DatabaseSync(path)
    file
      .prepare('update tasks_tasks set maker = null, scopes = ?, session = ? where id = ?')
      .run(JSON.stringify(scopes), session, id)
    file.close()
    await using fixture = await tasksFixture({ env: { DATABASE_URL: url }, model: model('Good morning.') }, place)
    await fixture.pass(day)
    await fixture.latest(id, reason === null ? { state: 'done', text: 'Good morning.' } : { code: reason })
    const { state, stopReason = null } = await fixture.json(`/tasks/${id}`)
    expect([state, stopReason]).toEqual([reason === null ? 'active' : 'stopped', reason])
  })
})

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('a revocation at one process stops the tasks that the other runs', async () => {
    const place = home()
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '' }
    await using one = await tasksFixture({ env, model: model() }, place)
    await using two = await tasksFixture({ env, model: model() }, place)
    const { helper, self } = await helperAt(one)
    const ids = await Promise.all(Array.from({ length: 6 }, () => one.create({ ...daily, remind: true }, helper)))
    expect((await helper.revoke(two.app)).status).toBe(200)
    await one.pass(day)
    for (const id of ids) {
      await expect
        .poll(() => one.json(`/tasks/${id}`, self))
        .toMatchObject({ state: 'stopped', stopReason: 'grant_revoked' })
    }
  })
})

import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel, wholeExport } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { home, tasksFixture } from '../testing/tasks-fixture.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const minute = 60_000
const many = 24

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('run each due task once, and enforce the limit of tasks', async () => {
    const place = home()
    const env = { DATABASE_URL: (await postgres?.createDatabase()) ?? '', TASKS_MAX_PER_USER: String(many) }
    const called = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const both = Promise.all(called.map(({ promise }) => promise)).then(() => {})
    // A process runs 16 at once: while each waits for a run of the other, neither can run all of them.
    const answers = ({ resolve }: (typeof called)[number]) =>
      scriptedModel(
        Array.from({ length: many }, () => () => {
          resolve()
          return [{ wait: both }, 'Done.']
        }),
      )
    const models = called.map(answers)
    await using one = await tasksFixture({ env, model: models[0]! }, place)
    await using two = await tasksFixture({ env, model: models[1]! }, place)
    const input = { what: 'Do it', when: { inMinutes: 10 }, deliver: { sms: true } }
    const created = await Promise.all(
      Array.from({ length: many + 10 }, (_, place) =>
        (place % 2 === 0 ? one : two).actor.request('/tasks', { json: input }),
      ),
    )
    expect(created.filter(({ status }) => status === 201)).toHaveLength(many)
    expect(created.filter(({ status }) => status === 409)).toHaveLength(10)
    // The clock comes to the due time and no further: it is not to end the leases of jobs that run.
    place.clock.jump(10 * minute - 11_000)
    await place.clock.advance(11_000)
    const done = async () =>
      ((await one.json('/tasks?all=true')).tasks as { state: string }[]).filter(({ state }) => state === 'done').length
    await expect.poll(done).toBe(many)
    await expect.poll(() => one.sent.length + two.sent.length).toBe(many)
    expect(models.map(({ calls }) => calls.length).reduce((sum, count) => sum + count)).toBe(many)
    expect(models.every(({ calls }) => calls.length > 0)).toBe(true)
    expect(new Set([...one.sent, ...two.sent].map(({ idempotencyKey }) => idempotencyKey)).size).toBe(many)
    const exported = await wholeExport(two.people()!, two.actor.did)
    const posted = (exported.sessions as { session: string; messages: object[] }[]).filter(({ session }) =>
      /^task-[a-z0-9]+$/.test(session),
    )
    expect(posted.map(({ messages }) => messages.length)).toEqual(Array.from({ length: many }, () => 1))
  })
})

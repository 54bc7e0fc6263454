import { sharePostgres } from '@sibyl/storage/testing'
import { scriptedModel } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { tasksFixture } from './testing/tasks-fixture.test.support.ts'

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

const token = 'operator-token-of-the-tests-01'
const hour = 3_600_000

test.each(['sqlite', ...(postgres ? ['postgres'] : [])])(
  'the operator lists the tasks of all users with their last runs, without what they say (%s)',
  async engine => {
    const url: Record<string, string> =
      engine === 'postgres' ? { DATABASE_URL: (await postgres?.createDatabase()) ?? '' } : {}
    await using fixture = await tasksFixture({
      model: scriptedModel([{ error: 'the model is down' }, { error: 'the model is down' }]),
      env: { ORACLE_OPERATOR_TOKEN: token, ...url },
    })
    const { app, actor, create, pass, latest } = fixture
    const other = fixture.other()
    const read = async (query = '') => {
      const answer = await app.request(`/tasks/all${query}`, { headers: { authorization: `Bearer ${token}` } })
      return { status: answer.status, ...(await answer.json()) }
    }
    expect(await read()).toEqual({ status: 200, tasks: [] })
    const reminder = await create({
      what: 'a confidential reminder',
      context: 'a confidential context',
      when: { every: 'day', time: '15:00' },
      remind: true,
      deliver: { sms: true },
    })
    await pass(1_000 + 60_001)
    const work = await create({ what: 'a confidential work', when: { every: 'day', time: '15:30' } }, other)
    const listed = {
      status: 200,
      tasks: [
        {
          id: work,
          did: other.did,
          remind: false,
          when: 'every day at 15:30',
          cron: '30 15 * * *',
          timeZone: 'Africa/Lusaka',
          state: 'active',
          next: '2026-11-22T13:30:00.000Z',
          failures: 0,
          channels: [],
          createdAt: expect.any(String),
        },
        expect.objectContaining({ id: reminder, did: actor.did, remind: true, channels: ['sms'] }),
      ],
    }
    expect(await read()).toEqual(listed)
    const first = await read('?limit=1')
    expect(first.tasks).toEqual([listed.tasks[0]])
    expect(await read(`?limit=1&cursor=${first.next}`)).toEqual({ status: 200, tasks: [listed.tasks[1]] })
    expect(await read(`?state=active&cursor=${first.next}`)).toMatchObject({ status: 400, code: 'cursor_invalid' })
    expect((await read(`?did=${encodeURIComponent(actor.did)}`)).tasks).toEqual([listed.tasks[1]])
    expect((await read('?state=paused')).tasks).toEqual([])

    await pass(2 * hour)
    await latest(reminder, { state: 'done' })
    await expect
      .poll(async () => (await read('?failing=true')).tasks)
      .toMatchObject([
        { id: work, failures: 1, lastRun: { state: 'failed', manual: false, dueAt: '2026-11-22T13:30:00.000Z' } },
      ])
    const all = await read()
    expect(all.tasks[1].lastRun).toMatchObject({ state: 'done', dueAt: '2026-11-22T13:00:00.000Z' })
    expect(JSON.stringify(all)).not.toMatch(/confidential|\+26097/)
    expect((await actor.request('/tasks/all')).status).toBe(403)
  },
)

test('a calendar has the due runs by time: with the instruction for the owner, with the owner for the operator', async () => {
  await using fixture = await tasksFixture({ env: { ORACLE_OPERATOR_TOKEN: token } })
  const { app, actor, create } = fixture
  const other = fixture.other()
  const daily = await create({ what: 'a confidential day', when: { every: 'day', time: '15:00' } })
  const hourly = await create({ what: 'a confidential hour', when: { every: 'hour' } }, other)
  const paused = await create({ what: 'not now', when: { every: 'day', time: '16:00' } })
  await actor.request(`/tasks/${paused}/pause`, { method: 'POST' })
  const read = async (path: string, init?: RequestInit) => {
    const answer = await (init ? app.request(path, init) : actor.request(path))
    expect(answer.status).toBe(200)
    return answer.json()
  }
  const asOperator = { headers: { authorization: `Bearer ${token}` } }
  const run = { task: daily, timeZone: 'Africa/Lusaka' }
  const own = (at: string) => ({ ...run, at, what: 'a confidential day' })
  expect(await read('/tasks/due?days=2')).toEqual({
    runs: [own('2026-11-22T13:00:00.000Z'), own('2026-11-23T13:00:00.000Z')],
    until: '2026-11-24T12:00:00.000Z',
  })
  expect(await read('/tasks/due?from=2026-12-24T00:00:00%2B02:00&days=1')).toMatchObject({
    runs: [{ at: '2026-12-24T13:00:00.000Z' }],
  })
  expect((await read('/tasks/due?from=9999-01-01T00:00:00Z&days=1')).runs).toHaveLength(1)

  const all = await read('/tasks/all/due?days=1', asOperator)
  expect(all.runs).toHaveLength(24)
  expect(all.runs).toContainEqual({ ...run, at: '2026-11-22T13:00:00.000Z', did: actor.did })
  expect(all.runs.map(({ at }: { at: string }) => at)).toEqual(all.runs.map(({ at }: { at: string }) => at).toSorted())
  expect(JSON.stringify(all)).not.toContain('confidential')
  const long = await read('/tasks/all/due?days=62', asOperator)
  expect(long.runs).toHaveLength(1_000)
  expect(long.runs.at(-1).at < long.until).toBe(true)
  expect(long.runs.filter(({ task }: { task: string }) => task === hourly).length).toBeGreaterThan(900)
  expect((await actor.request('/tasks/all/due')).status).toBe(403)
  expect((await actor.request('/tasks/due?days=63')).status).toBe(400)
})

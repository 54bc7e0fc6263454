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

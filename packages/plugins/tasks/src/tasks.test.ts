import { checkPlugin, readStream, scriptedModel, wholeExport } from '@sibyl/testing'
import { describe, expect, test } from 'vitest'
import { tasks } from './tasks.ts'
import { tasksFixture } from './testing/tasks-fixture.test.support.ts'

const hour = 3_600_000
const day = 24 * hour

describe('keeps the rules of all plugins:', () => {
  const samples = {
    what: 'water the maize',
    time: '07:00',
    minutes: '30',
    weekday: 'Monday',
    room: 'Field team',
    id: 't0123456789',
  }
  for (const check of checkPlugin(() => tasks(), { samples })) test(check.name, check.run)
})

describe('in a conversation', () => {
  test('loading the tools costs less than 900 tokens', async () => {
    await using fixture = await tasksFixture({
      model: scriptedModel([{ tool: 'load_capability', input: { names: ['tasks'] } }, 'ok']),
    })
    const { events } = await readStream(await fixture.actor.request('/chat', { json: { id: 's1', message: 'go' } }))
    const loaded = events.find(({ type }) => type === 'data-capability') as { data?: { tokens?: number } } | undefined
    expect(loaded?.data?.tokens).toBeGreaterThan(300)
    expect(loaded?.data?.tokens).toBeLessThan(900)
  })

  test('a reminder is previewed for approval, created, delivered at its time in the conversation, listed and canceled', async () => {
    await using fixture = await tasksFixture()
    const send = async (text: string) =>
      readStream(await fixture.actor.request('/chat', { json: { id: 's1', message: text } }))
    const { events } = await send('Remind me to water the maize every day at 07:00')
    const asked = events.find(({ type }) => type === 'tool-approval-request')
    expect(String(asked?.reason)).toBe(
      [
        'Reminder: water the maize. When: every day at 07:00; next Monday 23 November 2026, 07:00; Tuesday 24 November 2026, 07:00; ' +
          'Wednesday 25 November 2026, 07:00 (Africa/Lusaka). Result: in this conversation',
        '',
        'what: "water the maize"',
        'when: {"every":"day","time":"07:00"}',
        'remind: true',
        'context: ""',
        'deliver: {}',
      ].join('\n'),
    )
    expect((await fixture.json('/tasks')).tasks).toEqual([])
    const decided = await fixture.actor.request(`/chat/s1/approvals/${String(asked?.approvalId)}`, {
      json: { decision: 'once' },
    })
    expect((await readStream(decided)).text).toContain('Created as t')
    const { id } = (await fixture.json('/tasks')).tasks[0]
    await fixture.pass(17 * hour)
    await fixture.latest(id, { state: 'done', late: false, text: 'water the maize' })
    await expect
      .poll(async () => (await fixture.told('s1')).at(-1))
      .toBe(`assistant: Reminder (task ${id})\n\nwater the maize`)
    expect((await send('What tasks do I have?')).text).toContain(
      `- ${id}: water the maize; every day at 07:00; active, next Tuesday 24 November 2026, 07:00`,
    )
    expect((await send(`Pause task ${id}`)).text).toContain('is paused')
    await fixture.pass(day)
    expect((await send(`Resume task ${id}`)).text).toContain('next Wednesday 25 November 2026, 07:00')
    expect((await send(`Cancel task ${id}`)).text).toContain('is cancelled')
    await fixture.pass(day)
    expect(await fixture.runs(id)).toHaveLength(1)
  })

  test('the agent works as the user, in a separate session, with the saved context, without questions', async () => {
    const model = scriptedModel([
      { tool: 'load_capability', input: { names: ['tasks'] } },
      {
        tool: 'create_task',
        input: {
          what: 'Say what it costs now',
          context: 'It is maize in Lusaka.',
          when: { every: 'week', on: 'monday', time: '7' },
          deliver: { sms: true },
        },
      },
      'Set up.',
      { tool: 'load_capability', input: { names: ['tasks'] } },
      { tool: 'create_task', input: { what: 'again', when: { inMinutes: 5 } } },
      'Maize costs 300 kwacha.',
    ])
    await using fixture = await tasksFixture({ model })
    const { events } = await readStream(
      await fixture.actor.request('/chat', { json: { id: 's1', message: 'set it up' } }),
    )
    const asked = events.find(({ type }) => type === 'tool-approval-request')
    expect(String(asked?.reason)).toContain('Result: in this conversation, by SMS to +26097•••4567')
    await readStream(
      await fixture.actor.request(`/chat/s1/approvals/${String(asked?.approvalId)}`, { json: { decision: 'once' } }),
    )
    const { id } = (await fixture.json('/tasks')).tasks[0]
    await fixture.pass(18 * hour)
    await fixture.latest(id, { state: 'done', text: 'Maize costs 300 kwacha.' })
    await expect.poll(() => fixture.sent.length).toBe(1)
    expect(fixture.sent[0]).toMatchObject({ to: '+260971234567', text: expect.stringContaining('300 kwacha') })
    const first = JSON.stringify(model.calls[3]?.prompt)
    for (const text of [
      'Say what it costs now',
      'It is maize in Lusaka.',
      'Monday 23 November 2026, 07:00',
      `task ${id}`,
    ])
      expect(first).toContain(text)
    expect(JSON.stringify(model.calls[5]?.prompt)).toContain('requires the approval of a user')
    expect((await fixture.json('/tasks')).tasks).toHaveLength(1)
    await expect.poll(async () => (await fixture.told('s1')).at(-1)).toContain('Maize costs 300 kwacha.')
    const kept = JSON.stringify([await fixture.json('/tasks'), await fixture.json(`/tasks/${id}/runs`)])
    expect(kept).toContain('+26097•••4567')
    expect(kept).not.toContain('+260971234567')
  })
})

describe('over HTTP', () => {
  const daily = { what: 'Greet me', when: { every: 'day', time: '07:00' } }

  test('a user previews, creates once per key, reads, runs, pauses and cancels only their own tasks', async () => {
    await using fixture = await tasksFixture()
    const post = (path: string, json?: object, headers = {}) =>
      fixture.actor.request(path, { method: 'POST', headers, ...(json ? { json } : {}) })
    const preview = await (await post('/tasks/preview', { ...daily, timeZone: 'Europe/Berlin' })).json()
    expect(preview.next[0]).toBe('2026-11-23T06:00:00.000Z')
    const key = { 'idempotency-key': 'k1' }
    const created = await Promise.all([1, 2, 3].map(() => post('/tasks', daily, key)))
    expect(created.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    const [{ id, session }] = await Promise.all(created.map(one => one.json()))
    expect((await post('/tasks', { ...daily, what: 'Other' }, key)).status).toBe(422)
    expect((await fixture.json('/tasks')).tasks).toMatchObject([
      { id, next: '2026-11-23T05:00:00.000Z', session: `task-${id}` },
    ])

    const other = fixture.other()
    expect((await fixture.json('/tasks', other)).tasks).toEqual([])
    for (const [method, path] of [
      ['GET', `/tasks/${id}`],
      ['GET', `/tasks/${id}/runs`],
      ['POST', `/tasks/${id}/runs`],
      ['POST', `/tasks/${id}/pause`],
      ['POST', `/tasks/${id}/resume`],
      ['DELETE', `/tasks/${id}`],
    ] as const) {
      const answer = await other.request(path, { method })
      expect([path, answer.status, (await answer.json()).code]).toEqual([path, 404, 'task_not_found'])
    }

    const runs = () => post(`/tasks/${id}/runs`, undefined, { 'idempotency-key': 'now 1' })
    const [run, repeated] = [await runs(), await runs()]
    expect([run.status, repeated.status]).toEqual([202, 202])
    await fixture.latest(id, { state: 'done', manual: true })
    expect([(await repeated.json()).id, (await (await runs()).json()).id]).toEqual(Array(2).fill((await run.json()).id))
    expect((await fixture.json(`/tasks/${id}/runs`)).runs).toHaveLength(1)
    await expect.poll(() => fixture.told(session)).toHaveLength(1)
    expect(await (await post(`/tasks/${id}/pause`)).json()).toMatchObject({ state: 'paused' })
    expect(await (await post(`/tasks/${id}/resume`)).json()).toMatchObject({ next: '2026-11-23T05:00:00.000Z' })
    const once = await fixture.create({ what: 'once', remind: true, when: { inMinutes: 5 } })
    await post(`/tasks/${once}/pause`)
    await fixture.pass(hour)
    expect(await (await post(`/tasks/${once}/resume`)).json()).toMatchObject({
      status: 409,
      code: 'task_state_conflict',
    })
    expect(await (await fixture.actor.request(`/tasks/${id}`, { method: 'DELETE' })).json()).toMatchObject({
      state: 'cancelled',
    })
    expect((await post(`/tasks/${id}/runs`)).status).toBe(409)
    expect((await fixture.json('/tasks?all=true')).tasks).toHaveLength(2)
    const kept = (await wholeExport(fixture.people(), fixture.actor.did)).tasks as { id: string; runs: object[] }[]
    expect(kept.find(task => task.id === id)?.runs).toMatchObject([{ state: 'done' }])
    expect(kept.map(task => task.id).toSorted()).toEqual([id, once].toSorted())
    await fixture.people().erase(fixture.actor.did)
    expect(await wholeExport(fixture.people(), fixture.actor.did)).not.toHaveProperty('tasks')
  })

  test('invalid input is rejected: times, addresses, empty and long texts, too many at once', async () => {
    await using fixture = await tasksFixture({ env: { TASKS_MAX_PER_USER: '3' } })
    const tried = async (input: object) => {
      const answer = await fixture.actor.request('/tasks', { json: input })
      return [answer.status, (await answer.json()).code]
    }
    expect(await tried({ ...daily, when: { cron: '* * * * *' } })).toEqual([400, 'task_time_invalid'])
    expect(await tried({ ...daily, when: { at: '2026-11-22T13:00' } })).toEqual([400, 'task_time_invalid'])
    expect(await tried({ ...daily, timeZone: '../etc' })).toEqual([400, 'task_time_invalid'])
    expect(await tried({ ...daily, deliver: { matrix: '#field:here' } })).toEqual([400, 'task_address_invalid'])
    expect((await tried({ ...daily, deliver: { sms: 'me' } }))[0]).toBeGreaterThanOrEqual(400)
    expect(await tried({ ...daily, what: '\u200b\u202e' })).toEqual([400, 'task_empty'])
    expect((await fixture.json('/tasks/%00')).code).toBe('input_invalid')
    expect(await tried({ ...daily, what: 'x'.repeat(2_001) })).toEqual([400, 'input_invalid'])
    const many = await Promise.all(Array.from({ length: 8 }, () => tried(daily)))
    expect(many.map(([status]) => status).toSorted()).toEqual([201, 201, 201, 409, 409, 409, 409, 409])
    expect(await tried(daily)).toEqual([409, 'tasks_full'])
  })
})

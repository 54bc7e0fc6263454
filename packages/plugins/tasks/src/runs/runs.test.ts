import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStream, recordedLogger, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { home, tasksFixture } from '../testing/tasks-fixture.test.support.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const once = { what: 'Do it', when: { inMinutes: 10 } }
const daily = { what: 'Greet me', when: { every: 'day', time: '07:00' } }
const down = { error: new Error('The model is down.') }

const database = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return `file:${join(folder, 'oracle.db')}`
}

describe('a run that fails', () => {
  test('of a one-time task is retried after pauses, and its end is reported', async () => {
    let calls = 0
    const model = scriptedModel(Array.from({ length: 100 }, () => () => (calls++ < 3 ? down : 'It is done.')))
    await using fixture = await tasksFixture({ model })
    const id = await fixture.create(once)
    await fixture.pass(11 * minute)
    for (const [attempts, pause] of [
      [2, 61_000],
      [3, 301_000],
      [4, 1_501_000],
    ] as const) {
      await fixture.latest(id, { state: 'waiting', attempts })
      await fixture.pass(pause)
    }
    await fixture.latest(id, { state: 'done', text: 'It is done.' })
    await expect.poll(() => fixture.told(`task-${id}`)).toEqual([expect.stringContaining('It is done.')])
    expect(await fixture.json(`/tasks/${id}`)).toMatchObject({ state: 'done' })
  })

  test('stops its task after repeated failures with one notice, which has the remedy', async () => {
    let isDown = true
    const model = scriptedModel(Array.from({ length: 100 }, () => () => (isDown ? down : 'Good morning.')))
    await using fixture = await tasksFixture({ model })
    const id = await fixture.create({ ...daily, deliver: { sms: '+4915112345678' } })
    for (let failed = 1; failed <= 5; failed += 1) {
      expect(fixture.sent).toEqual([])
      await fixture.pass(day)
      await fixture.latest(id, { state: 'failed' })
      await expect.poll(async () => (await fixture.runs(id)).length).toBe(failed)
    }
    await expect.poll(() => fixture.sent.length).toBe(1)
    await fixture.pass(3 * day)
    expect(fixture.sent[0]?.text).toMatch(
      /The task failed.*It failed 5 times in a row. The task is stopped. Resume it/s,
    )
    expect(await fixture.told(`task-${id}`)).toHaveLength(1)
    expect(await fixture.runs(id)).toHaveLength(5)
    isDown = false
    const resumed = await fixture.actor.request(`/tasks/${id}/resume`, { method: 'POST' })
    expect(await resumed.json()).toMatchObject({ state: 'active', failures: 0 })
    await fixture.pass(day)
    await fixture.latest(id, { state: 'done', text: 'Good morning.' })
  })

  test('keeps a rejected notice in its history; a canceled one reports nothing, a paused one is not retried', async () => {
    const gate = Promise.withResolvers<void>()
    const model = scriptedModel(['Hello.', ['Wait', { wait: gate.promise }, 'ed'], down, 'It was paused.'])
    await using fixture = await tasksFixture({ model })
    const id = await fixture.create({ ...once, deliver: { sms: '+260970000009' } })
    await fixture.pass(11 * minute)
    await expect
      .poll(async () => (await fixture.runs(id))[0]?.sent)
      .toEqual([{ channel: 'sms', to: '+26097•••0009', fault: 'This number wants no messages.' }])
    const other = await fixture.create(once)
    await fixture.pass(11 * minute)
    await expect.poll(() => model.calls.length).toBe(2)
    expect((await fixture.actor.request(`/tasks/${other}`, { method: 'DELETE' })).status).toBe(200)
    await fixture.latest(other, { state: 'stopped' })
    gate.resolve()
    expect(await fixture.told(`task-${other}`)).toEqual([])
    const failing = await fixture.create(once)
    await fixture.pass(11 * minute)
    await fixture.latest(failing, { state: 'waiting', attempts: 2 })
    await fixture.actor.request(`/tasks/${failing}/pause`, { method: 'POST' })
    await fixture.latest(failing, { state: 'stopped' })
    const { length } = model.calls
    await fixture.pass(61_000)
    await fixture.pass(minute)
    expect(model.calls).toHaveLength(length)
    expect(await fixture.json(`/tasks/${failing}`)).toMatchObject({ state: 'paused' })
  })
})

describe('times that were missed', () => {
  const missed = async (env: Record<string, string>) => {
    const place = home()
    const url = database()
    const all = { ...env, DATABASE_URL: url }
    const ids: string[] = []
    {
      await using fixture = await tasksFixture({ env: all }, place)
      for (const input of [daily, once]) ids.push(await fixture.create({ ...input, remind: true }))
    }
    place.clock.jump(3 * day)
    const log = recordedLogger()
    {
      await using gone = await testApp({ plugins: [], env: { DATABASE_URL: url }, clock: place.clock, logger: log })
      expect(gone.app.plugins().map(({ name }) => name)).not.toContain('tasks')
    }
    expect(JSON.stringify(log.lines)).toContain('jobs of an undefined kind are kept and wait')
    const fixture = await tasksFixture({ env: all }, place)
    onTestFinished(() => fixture.app.close())
    return { fixture, ids }
  }

  test('give one late run each, also while the plugin was taken away', async () => {
    const { fixture, ids } = await missed({})
    for (const id of ids) {
      await fixture.latest(id, { state: 'done', late: true })
      await expect.poll(() => fixture.told(`task-${id}`)).toEqual([expect.stringMatching(/late: it was due on .*2026/)])
      expect(await fixture.runs(id)).toHaveLength(1)
    }
    expect(await fixture.json(`/tasks/${ids[0]}`)).toMatchObject({ next: '2026-11-26T05:00:00.000Z' })
    expect(await fixture.json(`/tasks/${ids[1]}`)).toMatchObject({ state: 'done' })
  })

  test('are skipped if configured, and only reported in the history', async () => {
    const { fixture, ids } = await missed({ TASKS_MISSED_RUN: 'skip' })
    for (const id of ids) {
      await fixture.latest(id, { state: 'missed', late: true, code: 'not_running' })
      expect(await fixture.told(`task-${id}`)).toEqual([])
    }
    await fixture.pass(17 * hour)
    await fixture.latest(ids[0]!, { state: 'done', late: false })
    expect(await fixture.json(`/tasks/${ids[1]}`)).toMatchObject({ state: 'done' })
  })
})

test('a clock that jumps ahead or back runs no time twice, and leaves no task waiting for a far day', async () => {
  await using fixture = await tasksFixture()
  const id = await fixture.create({ ...daily, remind: true })
  const hourly = await fixture.create({ what: 'tick', remind: true, when: { every: 'hour' } })
  fixture.clock.jump(400 * day)
  await fixture.clock.advance(minute + 1)
  await fixture.latest(id, { state: 'done' })
  await fixture.latest(hourly, { state: 'done' })
  fixture.clock.jump(-400 * day)
  await fixture.clock.advance(2 * hour)
  await expect.poll(async () => (await fixture.json(`/tasks/${id}`)).next).toBe('2026-11-23T05:00:00.000Z')
  const before = (await fixture.runs(hourly)).length
  await fixture.pass(hour)
  await expect.poll(async () => (await fixture.runs(hourly)).length).toBe(before + 1)
  fixture.clock.jump(-hour)
  await fixture.clock.advance(hour - minute)
  const dues = (await fixture.runs(hourly)).map(({ dueAt }) => dueAt)
  expect(new Set(dues).size).toBe(dues.length)
  expect(dues).toHaveLength(before + 1)
})

test('several concurrent ones of a user wait for the tokens that others hold, and do not fail', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([['a', { wait: gate.promise }], 'b', 'c'])
  const env = { TOKEN_BUDGET_DID_PER_DAY: '100000', TURN_MAX_TOKENS: '100000' }
  await using fixture = await tasksFixture({ model, env })
  const ids = [await fixture.create(once), await fixture.create(daily), await fixture.create(once)]
  await fixture.pass(17 * hour)
  await expect.poll(() => model.calls.length).toBe(1)
  gate.resolve()
  await vi.waitFor(async () => {
    await fixture.clock.advance(10_000)
    for (const id of ids) expect(await fixture.runs(id)).toMatchObject([{ state: 'done', attempts: 1 }])
  }, 60_000)
})

test('a result waits for the turn in its conversation; the session of the work is in no list, and goes with the history', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['tasks'] } },
    { tool: 'create_task', input: once },
    'Set.',
    ['Wait', { wait: gate.promise }],
    'It is done.',
  ])
  await using fixture = await tasksFixture({ model })
  const send = (message: string) => fixture.actor.request('/chat', { json: { id: 's1', message } })
  const { events } = await readStream(await send('set it up'))
  const asked = events.find(({ type }) => type === 'tool-approval-request')
  await readStream(
    await fixture.actor.request(`/chat/s1/approvals/${String(asked?.approvalId)}`, { json: { decision: 'once' } }),
  )
  const { id } = (await fixture.json('/tasks')).tasks[0]
  const talking = send('hello').then(readStream)
  await expect.poll(() => model.calls.length).toBe(4)
  await fixture.pass(11 * minute)
  await fixture.latest(id, { state: 'done' })
  gate.resolve()
  await talking
  await expect
    .poll(async () => (await fixture.told('s1')).slice(-2))
    .toEqual(['assistant: Wait', expect.stringContaining('It is done.')])
  const run = (await fixture.json(`/tasks/${id}/runs`)).runs[0]
  expect((await fixture.json('/sessions')).sessions).toMatchObject([{ id: 's1' }])
  expect(await fixture.told(`task-${run.id}`)).toEqual(['user: Do it', 'assistant: It is done.'])
  await fixture.pass(91 * day)
  await fixture.pass(2 * hour)
  await expect.poll(() => fixture.told(`task-${run.id}`)).toEqual([])
  await expect.poll(async () => (await fixture.json('/tasks?all=true')).tasks).toEqual([])
  expect(await fixture.told('s1')).not.toEqual([])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStream, recordedLogger, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { home, tasksDesk } from '../testing/tasks-desk.test.support.ts'

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
  test('of a task that runs once is tried again after pauses, and its end is told', async () => {
    let calls = 0
    const model = scriptedModel(Array.from({ length: 100 }, () => () => (calls++ < 3 ? down : 'It is done.')))
    await using desk = await tasksDesk({ model })
    const id = await desk.create(once)
    await desk.pass(11 * minute)
    for (const [attempts, pause] of [
      [2, 61_000],
      [3, 301_000],
      [4, 1_501_000],
    ] as const) {
      await desk.latest(id, { state: 'waiting', attempts })
      await desk.pass(pause)
    }
    await desk.latest(id, { state: 'done', text: 'It is done.' })
    await expect.poll(() => desk.told(`task-${id}`)).toEqual([expect.stringContaining('It is done.')])
    expect(await desk.json(`/tasks/${id}`)).toMatchObject({ state: 'done' })
  })

  test('again and again stops its task with one notice, which says how it goes on', async () => {
    let isDown = true
    const model = scriptedModel(Array.from({ length: 100 }, () => () => (isDown ? down : 'Good morning.')))
    await using desk = await tasksDesk({ model })
    const id = await desk.create({ ...daily, deliver: { sms: '+4915112345678' } })
    for (let failed = 1; failed <= 5; failed += 1) {
      expect(desk.sent).toEqual([])
      await desk.pass(day)
      await desk.latest(id, { state: 'failed' })
      await expect.poll(async () => (await desk.runs(id)).length).toBe(failed)
    }
    await expect.poll(() => desk.sent.length).toBe(1)
    await desk.pass(3 * day)
    expect(desk.sent[0]?.text).toMatch(/could not be done.*It failed 5 times in a row. The task is stopped; resume it/s)
    expect(await desk.told(`task-${id}`)).toHaveLength(1)
    expect(await desk.runs(id)).toHaveLength(5)
    isDown = false
    const resumed = await desk.actor.request(`/tasks/${id}/resume`, { method: 'POST' })
    expect(await resumed.json()).toMatchObject({ state: 'active', failures: 0 })
    await desk.pass(day)
    await desk.latest(id, { state: 'done', text: 'Good morning.' })
  })

  test('leaves a notice that is not taken in its history; a cancelled one tells nothing, a paused one is not tried again', async () => {
    const gate = Promise.withResolvers<void>()
    const model = scriptedModel(['Hello.', ['Wait', { wait: gate.promise }, 'ed'], down, 'It was paused.'])
    await using desk = await tasksDesk({ model })
    const id = await desk.create({ ...once, deliver: { sms: '+260970000009' } })
    await desk.pass(11 * minute)
    await expect
      .poll(async () => (await desk.runs(id))[0]?.sent)
      .toEqual([{ channel: 'sms', to: '+26097•••0009', fault: 'This number wants no messages.' }])
    const other = await desk.create(once)
    await desk.pass(11 * minute)
    await expect.poll(() => model.calls.length).toBe(2)
    expect((await desk.actor.request(`/tasks/${other}`, { method: 'DELETE' })).status).toBe(200)
    await desk.latest(other, { state: 'stopped' })
    gate.resolve()
    expect(await desk.told(`task-${other}`)).toEqual([])
    const failing = await desk.create(once)
    await desk.pass(11 * minute)
    await desk.latest(failing, { state: 'waiting', attempts: 2 })
    await desk.actor.request(`/tasks/${failing}/pause`, { method: 'POST' })
    await desk.latest(failing, { state: 'stopped' })
    const { length } = model.calls
    await desk.pass(61_000)
    await desk.pass(minute)
    expect(model.calls).toHaveLength(length)
    expect(await desk.json(`/tasks/${failing}`)).toMatchObject({ state: 'paused' })
  })
})

describe('times that were missed', () => {
  const missed = async (env: Record<string, string>) => {
    const place = home()
    const url = database()
    const all = { ...env, DATABASE_URL: url }
    const ids: string[] = []
    {
      await using desk = await tasksDesk({ env: all }, place)
      for (const input of [daily, once]) ids.push(await desk.create({ ...input, remind: true }))
    }
    place.clock.jump(3 * day)
    const log = recordedLogger()
    {
      await using gone = await testApp({ plugins: [], env: { DATABASE_URL: url }, clock: place.clock, logger: log })
      expect(gone.app.plugins().map(({ name }) => name)).not.toContain('tasks')
    }
    expect(JSON.stringify(log.lines)).toContain('jobs of an undefined kind are kept and wait')
    const desk = await tasksDesk({ env: all }, place)
    onTestFinished(() => desk.app.close())
    return { desk, ids }
  }

  test('give one late run each, also while the plugin was taken away', async () => {
    const { desk, ids } = await missed({})
    for (const id of ids) {
      await desk.latest(id, { state: 'done', late: true })
      await expect.poll(() => desk.told(`task-${id}`)).toEqual([expect.stringMatching(/late: it was due on .*2026/)])
      expect(await desk.runs(id)).toHaveLength(1)
    }
    expect(await desk.json(`/tasks/${ids[0]}`)).toMatchObject({ next: '2026-11-26T05:00:00.000Z' })
    expect(await desk.json(`/tasks/${ids[1]}`)).toMatchObject({ state: 'done' })
  })

  test('are skipped where the operator wants that, and told in the history alone', async () => {
    const { desk, ids } = await missed({ TASKS_MISSED_RUN: 'skip' })
    for (const id of ids) {
      await desk.latest(id, { state: 'missed', late: true, code: 'not_running' })
      expect(await desk.told(`task-${id}`)).toEqual([])
    }
    await desk.pass(17 * hour)
    await desk.latest(ids[0]!, { state: 'done', late: false })
    expect(await desk.json(`/tasks/${ids[1]}`)).toMatchObject({ state: 'done' })
  })
})

test('a clock that jumps ahead or back runs no time twice, and leaves no task waiting for a far day', async () => {
  await using desk = await tasksDesk()
  const id = await desk.create({ ...daily, remind: true })
  const hourly = await desk.create({ what: 'tick', remind: true, when: { every: 'hour' } })
  desk.clock.jump(400 * day)
  await desk.clock.advance(minute + 1)
  await desk.latest(id, { state: 'done' })
  await desk.latest(hourly, { state: 'done' })
  desk.clock.jump(-400 * day)
  await desk.clock.advance(2 * hour)
  await expect.poll(async () => (await desk.json(`/tasks/${id}`)).next).toBe('2026-11-23T05:00:00.000Z')
  const before = (await desk.runs(hourly)).length
  await desk.pass(hour)
  await expect.poll(async () => (await desk.runs(hourly)).length).toBe(before + 1)
  desk.clock.jump(-hour)
  await desk.clock.advance(hour - minute)
  const dues = (await desk.runs(hourly)).map(({ dueAt }) => dueAt)
  expect(new Set(dues).size).toBe(dues.length)
  expect(dues).toHaveLength(before + 1)
})

test('several of one person that come at once wait for the tokens that others hold, and have not failed', async () => {
  const gate = Promise.withResolvers<void>()
  const model = scriptedModel([['a', { wait: gate.promise }], 'b', 'c'])
  const env = { TOKEN_BUDGET_DID_PER_DAY: '100000', TURN_MAX_TOKENS: '100000' }
  await using desk = await tasksDesk({ model, env })
  const ids = [await desk.create(once), await desk.create(daily), await desk.create(once)]
  await desk.pass(17 * hour)
  await expect.poll(() => model.calls.length).toBe(1)
  gate.resolve()
  await vi.waitFor(async () => {
    await desk.clock.advance(10_000)
    for (const id of ids) expect(await desk.runs(id)).toMatchObject([{ state: 'done', attempts: 1 }])
  }, 20_000)
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
  await using desk = await tasksDesk({ model })
  const say = (message: string) => desk.actor.request('/chat', { json: { id: 's1', message } })
  const { events } = await readStream(await say('set it up'))
  const asked = events.find(({ type }) => type === 'tool-approval-request')
  await readStream(
    await desk.actor.request(`/chat/s1/approvals/${String(asked?.approvalId)}`, { json: { decision: 'once' } }),
  )
  const { id } = (await desk.json('/tasks')).tasks[0]
  const talking = say('hello').then(readStream)
  await expect.poll(() => model.calls.length).toBe(4)
  await desk.pass(11 * minute)
  await desk.latest(id, { state: 'done' })
  gate.resolve()
  await talking
  await expect
    .poll(async () => (await desk.told('s1')).slice(-2))
    .toEqual(['assistant: Wait', expect.stringContaining('It is done.')])
  const run = (await desk.json(`/tasks/${id}/runs`)).runs[0]
  expect((await desk.json('/sessions')).sessions).toMatchObject([{ id: 's1' }])
  expect(await desk.told(`task-${run.id}`)).toEqual(['user: Do it', 'assistant: It is done.'])
  await desk.pass(91 * day)
  await desk.pass(2 * hour)
  await expect.poll(() => desk.told(`task-${run.id}`)).toEqual([])
  await expect.poll(async () => (await desk.json('/tasks?all=true')).tasks).toEqual([])
  expect(await desk.told('s1')).not.toEqual([])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptedModel } from '@sibyl/core/testing'
import { expect, onTestFinished, test } from 'vitest'
import { home, type ToldRun, tasksDesk } from '../testing/tasks-desk.test.support.ts'

/** An oracle that was killed with -9 in the midst of a run, and the one that comes after it. */
const killed = async (stop: 'model' | 'tool' | 'notice') => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const DATABASE_URL = `file:${join(folder, 'oracle.db')}`
  const script = fileURLToPath(new URL('../testing/tasks-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, DATABASE_URL, TEST_STOP: stop },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { did } = JSON.parse(String(line)) as { did: string }
  const model = scriptedModel(['It is done now.'])
  const place = home()
  place.clock.jump(Date.now() - place.clock.now())
  const desk = await tasksDesk({ model, env: { DATABASE_URL } }, place)
  onTestFinished(() => desk.app.close())
  const runs = async () => {
    const { tasks } = (await desk.people().export(did)) as unknown as { tasks: { runs: ToldRun[] }[] }
    return tasks[0]!.runs
  }
  await expect.poll(runs, { timeout: 8_000 }).toMatchObject([{ state: stop === 'tool' ? 'failed' : 'done' }])
  const told = async () => {
    const { sessions } = (await desk.people().export(did)) as unknown as {
      sessions: { session: string; messages: { text: string }[] }[]
    }
    return sessions.filter(({ session }) => /^task-[a-z0-9]+$/.test(session)).flatMap(({ messages }) => messages)
  }
  await expect.poll(told).toHaveLength(1)
  return { desk, model, run: (await runs())[0]!, text: (await told())[0]!.text }
}

test('a run whose process was killed while the model thought is begun anew, and told once', async () => {
  const { model, run, text } = await killed('model')
  expect(model.calls.length).toBe(1)
  expect(run).toMatchObject({ attempts: 2, text: 'It is done now.' })
  expect(text).toContain('It is done now.')
})

test('one that had changed something is not begun anew, and its person is told so', async () => {
  const { model, run, text } = await killed('tool')
  expect(model.calls.length).toBe(0)
  expect(run).toMatchObject({ attempts: 1, code: 'turn_interrupted' })
  expect(text).toContain('it was not run again')
})

test('one that was over is told once on each channel', async () => {
  const { desk, model, text } = await killed('notice')
  await expect.poll(() => desk.sent.length).toBe(1)
  expect(model.calls.length).toBe(0)
  expect(text).toContain('It is done.')
  expect(desk.sent[0]?.text).toBe(text)
})

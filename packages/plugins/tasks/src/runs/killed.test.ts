import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ScriptedStep, scriptedModel, wholeExport } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { home, type ReportedRun, tasksFixture } from '../testing/tasks-fixture.test.support.ts'

interface Kept {
  readonly tasks: readonly { readonly id: string; readonly runs: readonly ReportedRun[] }[]
  readonly sessions: readonly { readonly session: string; readonly messages: readonly { readonly text: string }[] }[]
}

const name = 'an oracle that was killed with -9 in the midst of runs goes on with each of them, and tells it once'

test(name, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const DATABASE_URL = `file:${join(folder, 'oracle.db')}`
  const script = fileURLToPath(new URL('../testing/tasks-process.test.support.ts', import.meta.url))
  const child = spawn(process.execPath, ['--conditions=sibyl-source', script], {
    env: { ...process.env, DATABASE_URL },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { did, ids } = JSON.parse(String(line)) as { did: string; ids: Record<string, string> }
  const step: ScriptedStep = ({ prompt }) =>
    JSON.stringify(prompt).includes('paid') ? 'It was paid.' : 'It is done now.'
  const model = scriptedModel([step, step])
  const place = home()
  place.clock.jump(Date.now() - place.clock.now())
  await using fixture = await tasksFixture({ model, env: { DATABASE_URL } }, place)
  const kept = async () => (await wholeExport(fixture.people(), did)) as unknown as Kept
  const of = async (what: string) => {
    const { tasks, sessions } = await kept()
    const { messages = [] } = sessions.find(({ session }) => session === `task-${ids[what]}`) ?? {}
    return { runs: tasks.find(({ id }) => id === ids[what])?.runs, told: messages.map(({ text }) => text) }
  }
  await vi.waitFor(
    async () => {
      for (const what of ['notice', 'tool', 'model']) expect((await of(what)).told).toHaveLength(1)
      expect(fixture.sent).toHaveLength(1)
    },
    { interval: 20, timeout: 60_000 },
  )
  const thought = await of('model')
  expect(thought.runs).toMatchObject([{ state: 'done', attempts: 1, text: 'It is done now.' }])
  expect(thought.told[0]).toContain('It is done now.')
  const acted = await of('tool')
  expect(acted.runs).toMatchObject([{ state: 'done', attempts: 1, text: 'It was paid.' }])
  expect(acted.told[0]).toContain('It was paid.')
  const over = await of('notice')
  expect(over.runs).toMatchObject([{ state: 'done', attempts: 1, text: 'It is done.' }])
  expect(fixture.sent[0]?.text).toBe(over.told[0])
  expect(model.calls.length).toBe(2)
})

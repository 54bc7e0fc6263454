import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ScriptedStep, scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

/** Starts an oracle whose model answers each turn by one step. */
const boot = async (steps: readonly ScriptedStep[], env = {}) => {
  const model = scriptedModel(steps)
  const oracle = await testApp({ plugins: [], model, env })
  onTestFinished(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const home = await mkdtemp(join(tmpdir(), 'sibyl-bench-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const terminalEnv = { SIBYL_HOME: home, SIBYL_URL: `http://127.0.0.1:${port}` }
  const sibyl = async (...args: string[]) => {
    const terminal = new FakeTerminal(terminalEnv, false, 80, home)
    const code = await run(args, terminal.io)
    return { code, text: terminal.text, errors: terminal.errors.replace(/^Created your key.*\n/, '') }
  }
  return { sibyl, model, terminalEnv, home }
}

const times = { p50: expect.any(Number), p99: expect.any(Number), max: expect.any(Number) }

test('measures turns at once, and leaves no session behind', async () => {
  const { sibyl } = await boot(Array.from({ length: 6 }, () => 'an answer'))
  const measured = await sibyl('bench', '--turns', '6', '--at-once', '3', '--json')
  expect(JSON.parse(measured.text)).toMatchObject({
    ...{ turns: 6, failed: 0, failures: {}, sessionsLeft: 0, atOnce: 3 },
    ...{ turnsPerSecond: expect.any(Number), firstTextMs: times, durationMs: times },
  })
  expect(measured.code).toBe(0)
  const sessions = await sibyl('api', 'GET', '/sessions')
  expect(JSON.parse(sessions.text)).toMatchObject({ sessions: [] })
})

test('shows what it measured, and which turns failed', async () => {
  const { sibyl } = await boot(['an answer', { error: 'overload' }])
  const measured = await sibyl('bench', '--turns', '2', '--at-once', '1')
  expect(measured.code).toBe(1)
  expect(measured.text).toMatch(
    /^oracle +\S.*\nturns +1 in .*, 1 at once\na second +[\d.]+\nfirst text +\d+ ms median, .* p99, .* at most\nwhole answer +.*\nfailed +1 turn_failed\n$/,
  )
})

test('requests beyond the limit of the oracle are counted by their code', async () => {
  const { sibyl } = await boot(
    Array.from({ length: 5 }, () => 'an answer'),
    { RATE_LIMIT_DID_PER_MINUTE: '4' },
  )
  const measured = JSON.parse((await sibyl('bench', '--turns', '6', '--at-once', '2', '--json')).text)
  expect(measured.turns).toBeGreaterThan(0)
  expect(measured.failures).toEqual({ rate_limited: 6 - measured.turns })
  expect(measured.sessionsLeft).toBe(measured.turns)
})

test('Ctrl-C ends it with what was measured so far', async () => {
  const { model, terminalEnv, home } = await boot(['an answer', ['partial ', { wait: new Promise<never>(() => {}) }]])
  const terminal = new FakeTerminal(terminalEnv, false, 80, home)
  const ended = run(['bench', '--turns', '2', '--at-once', '1', '--json'], terminal.io)
  await expect.poll(() => model.calls.length).toBe(2)
  terminal.interrupt()
  expect(await ended).toBe(130)
  expect(JSON.parse(terminal.text)).toMatchObject({ turns: 1, failed: 0 })
})

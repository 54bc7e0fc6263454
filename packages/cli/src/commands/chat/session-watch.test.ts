import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { startScriptedOracle } from '@sibyl/client/testing'
import { testActor, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { run } from '../../main.ts'
import { echo } from './script.test.helper.ts'
import { FakeTerminal } from './terminal.test.helper.ts'

const usual = 5_000

/** Runs `sibyl chat` on a terminal of 40 columns. */
const chatAt = async (url: string, args: readonly string[] = []) => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-watch-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const terminal = new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: url }, true, 40)
  const running = run(['chat', ...args], terminal.io)
  await terminal.until('you     ')
  return {
    home,
    terminal,
    running,
    key: (await openDeveloperKey(home)).key,
    /** Sends a message, and waits for its answer. */
    async send(text: string) {
      terminal.type(`${text}\r`)
      await terminal.until('offline model')
      await terminal.until('you     ')
    },
    /** Waits until a poll is due after this time. */
    due: (milliseconds: number) => vi.waitFor(() => expect(terminal.waits).toEqual([milliseconds]), { interval: 5 }),
  }
}

test('the message of a task appears above half-typed input at the next poll', async () => {
  const tasks = bundledPlugins().filter(({ name }) => name === 'tasks')
  const { app } = await testApp({ plugins: tasks })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  const { terminal, running, key, due } = await chatAt(`http://127.0.0.1:${port}`, ['--approve', 'once'])
  expect(terminal.waits).toEqual([])
  terminal.type('Remind me to call the clinic every day at 07:00\r')
  await terminal.until('Created as')
  await terminal.until('you     ')
  const person = testActor(app, Date.now, key)
  const [task] = (await (await person.request('/tasks')).json()).tasks
  await person.request(`/tasks/${task.id}/runs`, { method: 'POST' })
  const [session] = (await (await person.request('/sessions')).json()).sessions
  await vi.waitFor(async () => {
    const { messages } = await (await person.request(`/sessions/${session.id}`)).json()
    expect(messages).toHaveLength(3)
  })

  terminal.type('this goes on beyond the width of the terminal')
  terminal.type('\u001b[D'.repeat(8))
  await terminal.until('terminal')
  await due(usual)
  const before = terminal.raw.length
  terminal.elapse()
  await terminal.until(`oracle  Reminder (task ${task.id})\n\n        call the clinic\n        automatic · `)
  await terminal.until('you     this goes on beyond the width of the terminal')
  // Two rows were typed: the upper one is erased as well; after the message nothing is erased.
  const [erased, drawn] = terminal.raw.slice(before).split('oracle  ')
  expect(erased).toContain('\u001b[1A')
  expect(drawn).not.toContain('\u001b[1A')

  await due(usual)
  terminal.elapse()
  await due(usual)
  terminal.type('X\r')
  await terminal.until('offline model')
  await terminal.until('you     ')
  const { messages } = await (await person.request(`/sessions/${session.id}`)).json()
  expect(messages[3].parts[0].text).toBe('this goes on beyond the width of the Xterminal')

  const elsewhere = { id: session.id, message: 'What tasks do I have?' }
  await (await person.request('/chat', { json: elsewhere })).text()
  await due(usual)
  terminal.elapse()
  await terminal.until('you     What tasks do I have?\n        from elsewhere · ')
  await terminal.until(`oracle  These are the tasks:\n        - ${task.id}: call the clinic`)
  await terminal.until('offline model · ')
  await terminal.until('you     ')
  terminal.type('\u0004')
  expect(await running).toBe(0)
  expect(terminal.waits).toEqual([])
  expect(terminal.text.match(/call the clinic\n {8}automatic/g)).toHaveLength(1)
})

test('polls less often without a message while the oracle does not respond; when rate limited it polls once a minute', async () => {
  const oracle = await startScriptedOracle(echo)
  onTestFinished(() => oracle.close())
  const { terminal, running, send, due } = await chatAt(oracle.url)
  await send('hello')
  const shown = terminal.text
  const answerWith = (status: number, code: string) => {
    oracle.faults.answer = ({ path }) =>
      path.startsWith('/sessions/') ? { status, body: { type: 'x', title: 'No', status, code } } : undefined
  }
  answerWith(503, 'storage_unavailable')
  for (const milliseconds of [5_000, 10_000, 20_000, 40_000, 60_000]) {
    await due(milliseconds)
    terminal.elapse()
  }
  await due(60_000)
  await send('hello again')
  await due(usual)
  answerWith(429, 'rate_limited')
  terminal.elapse()
  await due(60_000)
  delete oracle.faults.answer
  terminal.elapse()
  await due(60_000)
  expect([terminal.text.startsWith(shown), terminal.text.slice(shown.length)]).toEqual([
    true,
    'hello again\n        waiting for the answer …oracle  You said hello again.\n        offline model · 3 steps · 0.21 s\n\nyou     ',
  ])
  terminal.type('\u0003')
  await terminal.until('(press Ctrl-C again to exit)')
  terminal.type('\u0003')
  expect(await running).toBe(130)
  expect(terminal.waits).toEqual([])
})

test('earlier messages are not reported, and nothing is reported to a pipe', async () => {
  const oracle = await startScriptedOracle(echo)
  onTestFinished(() => oracle.close())
  const message = (id: string, text: string) => ({
    id,
    role: 'assistant',
    parts: [{ type: 'text', text }],
    createdAt: '2025-10-20T12:00:00Z',
  })
  const messages = [message('one', 'old \u001b[2J'), message('two', 'older')]
  oracle.faults.answer = ({ path }) => {
    const body = { id: 's', title: '', loadedPlugins: [], createdAt: messages[0]!.createdAt, messages }
    return path.startsWith('/sessions/') ? { status: 200, body: { ...body, updatedAt: body.createdAt } } : undefined
  }
  const { home, terminal, running, due } = await chatAt(oracle.url, ['--session', 's'])
  await due(0)
  terminal.elapse()
  await due(usual)
  messages.push(message('three', 'new \u001b[2J'))
  terminal.elapse()
  await terminal.until('oracle  new [2J\n        automatic · 20 Oct, ')
  terminal.type('\u0004')
  expect(await running).toBe(0)
  expect(terminal.text).not.toContain('old')
  expect(oracle.requests.at(-1)?.path).toBe('/sessions/s?after=two')

  const piped = new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: oracle.url }, false)
  piped.stdin.end('hello\n')
  const asked = oracle.requests.length
  await run(['chat', '--session', 's'], piped.io)
  expect(oracle.requests.slice(asked).map(({ path }) => path)).toEqual(['/.well-known/oracle.json', '/chat'])
})

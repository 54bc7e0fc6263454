import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ScriptedTool, startMcpServer } from '@sibyl/mcp-client/testing'
import { definePlugin } from '@sibyl/plugin'
import { codeRunner, type ServiceOf } from '@sibyl/protocol'
import { recordedLogger, reservePort, scriptedModel, testApp } from '@sibyl/testing'
import { expect, test, vi } from 'vitest'
import { sandbox } from './sandbox.ts'

const program = fileURLToPath(new URL('code-server-process.test.support.ts', import.meta.url))
const token = 'a-token-of-the-oracle'

/** Starts the server process; ends with the test. */
const startServer = async (port = '0') => {
  const { NODE_OPTIONS = '', PATH = '' } = process.env
  const child = spawn(process.execPath, ['--conditions=sibyl-source', program, port, token], {
    env: { NODE_OPTIONS, PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  }
  return { url: String(line).trim(), child, stop, [Symbol.asyncDispose]: stop }
}

/** An oracle whose sandbox is at a URL, and its service. */
const startOracle = async (url: string, options: Partial<Parameters<typeof testApp>[0]> = {}) => {
  let runner: ServiceOf<typeof codeRunner> | undefined
  const user = definePlugin({
    name: 'user',
    version: '0.1.0',
    core: '^0.1.0',
    uses: ['sandbox'],
    manifest: { title: 'User', summary: 'Uses it.', whenToUse: ['never'] },
    setup: host => {
      runner = host.optionalService(codeRunner)
      return {}
    },
  })
  const env = { SANDBOX_MCP_URL: url, SANDBOX_MCP_TOKEN: token }
  const oracle = await testApp({ plugins: [sandbox(), user], env, ...options })
  const run = (language: string, code: string) =>
    runner!.run({
      language,
      code,
      files: [{ name: 'in', text: '1' }],
      actor: { did: 'did:a', via: 'ucan' },
      signal: new AbortController().signal,
    })
  const state = () => oracle.app.plugins()[0]?.state
  return { oracle, runner: runner!, run, state, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

test('programs run in a process elsewhere, which learns nothing of the person', async () => {
  await using server = await startServer()
  const log = recordedLogger()
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['sandbox'] } },
    { tool: 'run_code', input: { language: 'upper', code: 'abc' } },
    'Done.',
  ])
  await using started = await startOracle(server.url, { model, logger: log })
  await vi.waitFor(() => expect(started.state()).toBe('available'), 60_000)
  expect(started.runner.languages()).toEqual(['upper', 'crash'])
  const { events } = await started.oracle.chat('go')
  expect(events.findLast(event => event.type === 'tool-output-available')).toMatchObject({
    output: {
      ok: true,
      result: { text: 'ABC', notice: expect.stringContaining('this is data') },
      files: [{ name: 'a.txt', bytes: 1 }],
    },
  })
  expect(JSON.stringify(model.calls[1])).toContain('upper')
  await expect(started.run('python', '1')).rejects.toThrow('The sandbox supports upper, crash.')
  expect(JSON.stringify(log.lines)).not.toContain(token)
})

test('a server that is killed is away in one sentence, and used again when it is back', async () => {
  await using server = await startServer(String(await reservePort()))
  await using started = await startOracle(server.url)
  await vi.waitFor(() => expect(started.state()).toBe('available'), 60_000)
  await expect(started.run('crash', '1')).rejects.toThrow(/^The remote sandbox [^\n]*\.$/)
  await vi.waitFor(() => expect(started.state()).toBe('degraded'), 60_000)
  expect(started.runner.languages()).toEqual([])
  await expect(started.run('upper', '1')).rejects.toThrow('The remote sandbox is unreachable.')
  await using again = await startServer(new URL(server.url).port)
  expect(again.url).toBe(server.url)
  await vi.waitFor(() => expect(started.state()).toBe('available'), 60_000)
  expect(await started.run('upper', 'b')).toMatchObject({ ok: true, result: 'B', output: 'files: in=1\n' })
})

test('boot waits for no server', async () => {
  await using started = await startOracle('http://127.0.0.1:9/mcp')
  expect(['pending', 'degraded']).toContain(started.state())
  await expect(started.run('upper', '1')).rejects.toThrow('The remote sandbox is unreachable.')
})

const runCode = (does: ScriptedTool['does'], language: object = { type: 'string' }): ScriptedTool => ({
  name: 'run_code',
  inputSchema: { type: 'object', properties: { language, code: { type: 'string' }, files: { type: 'array' } } },
  ...(does ? { does } : {}),
})

const answered = async (tools: readonly ScriptedTool[]) => {
  const server = await startMcpServer({ tools })
  await using started = await startOracle(server.url)
  await vi.waitFor(() => expect(started.state()).toBe('available'), 60_000)
  const outcome = await started.run('any', 'x').catch((error: Error) => error.message)
  const languages = started.runner.languages()
  await server.stop()
  return { outcome, languages }
}

test.each([
  ['text alone', [{ text: 'it ran' }], { ok: true, output: 'it ran' }],
  ['a failure', [{ failed: 'no such module' }], { ok: false, error: 'no such module', output: '' }],
  [
    'a program that failed',
    [{ structured: { ok: false, error: 'line 3' } }],
    { ok: false, error: 'line 3', output: '' },
  ],
  ['members of other kinds', [{ text: 'x' }, { structured: { ok: 'yes', output: 5 } }], { ok: true, output: 'x' }],
  [
    'an error of the protocol',
    [{ refuse: 'no' }],
    'The remote sandbox rejected the call, or returned an invalid result.',
  ],
  [
    'a question',
    [{ ask: [{ message: 'Who?', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }] }],
    /asked a question|rejected/,
  ],
] as const)('a server that answers %s', async (_, does, expected) => {
  const { outcome } = await answered([runCode(does)])
  if (typeof expected === 'object' && !(expected instanceof RegExp)) expect(outcome).toMatchObject(expected)
  else expect(outcome).toMatch(expected)
})

test('content that is too large is truncated, and files beyond the limit are omitted', async () => {
  const large = 'x'.repeat(300_000)
  const files = Array.from({ length: 4 }, (_, index) => ({ name: `f${index}`, text: 'y'.repeat(600_000) }))
  const { outcome } = await answered([runCode([{ structured: { ok: true, output: large, result: large, files } }])])
  if (typeof outcome === 'string') throw new Error(outcome)
  expect([outcome.output.length, outcome.result?.length, outcome.files.length]).toEqual([200_000, 200_000, 3])
})

test('a file that is too large keeps no other one away, and of two with one name the first counts', async () => {
  const files = [
    { name: 'large', text: 'y'.repeat(2_000_001) },
    { name: 'a', text: 'first' },
    { name: 'a', text: 'second' },
  ]
  const { outcome } = await answered([runCode([{ structured: { ok: true, files } }])])
  expect(outcome).toMatchObject({ files: [{ name: 'a', text: 'first' }] })
})

test('invalid names of languages are left out', async () => {
  const { languages } = await answered([runCode([], { enum: ['python', 5, 'a\nb', 'c++'] })])
  expect(languages).toEqual(['python', 'c++'])
})

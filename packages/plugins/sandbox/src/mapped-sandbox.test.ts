import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type McpScript, type ScriptedTool, startMcpServer } from '@sibyl/mcp-client/testing'
import { definePlugin } from '@sibyl/plugin'
import { codeRunner, type ServiceOf } from '@sibyl/protocol'
import { recordedLogger, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CodeFile } from './code-run.ts'
import { sandbox } from './sandbox.ts'
import { codeRunnerTools } from './sandbox-tool-names.ts'

// mcp-server-code-runner, as it is installed from npm: its tool is `run-code`, the argument `languageId`.
const require = createRequire(import.meta.url)
const codeRunnerProgram = join(dirname(require.resolve('mcp-server-code-runner')), 'cli.js')
const command = `stdio:"${process.execPath}" "${codeRunnerProgram}"`

const startOracle = async (
  env: Readonly<Record<string, string>>,
  options: Partial<Parameters<typeof testApp>[0]> = {},
) => {
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
  const log = recordedLogger()
  const oracle = await testApp({ plugins: [sandbox(), user], env, logger: log, ...options })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const run = (language: string, code: string, files: CodeFile[] = [], did = 'did:a') =>
    runner!.run({ language, code, files, actor: { did, via: 'ucan' }, signal: new AbortController().signal })
  const status = () => oracle.app.plugins()[0]
  const errors = () => log.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields?.fault)
  return { oracle, log, errors, languages: () => runner!.languages(), run, status }
}

describe('mcp-server-code-runner', () => {
  const env = { SANDBOX_MCP_URL: command, SANDBOX_MCP_TOOLS: codeRunnerTools }

  test('runs programs of a conversation, in the languages that it lists', async () => {
    const model = scriptedModel([
      { tool: 'load_capability', input: { names: ['sandbox'] } },
      { tool: 'run_code', input: { language: 'javascript', code: 'console.log(6 * 7)' } },
      'Done.',
    ])
    const started = await startOracle(env, { model })
    await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
    expect(started.languages()).toEqual(expect.arrayContaining(['javascript', 'python']))
    const { events } = await started.oracle.chat('What is 6 times 7?')
    expect(events.findLast(event => event.type === 'tool-output-available')).toMatchObject({
      output: { ok: true, output: { text: '42' } },
    })
    await expect(started.run('cobol', 'x')).rejects.toThrow('The sandbox supports javascript,')
  })

  test('one program at a time, because it writes all of a language to one file', async () => {
    const started = await startOracle(env)
    await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
    const outcomes = await Promise.all(
      [1, 2, 3].map(number => started.run('javascript', `console.log(${number})`, [], `did:${number}`)),
    )
    expect(outcomes.map(({ output }) => output)).toEqual(['1\n', '2\n', '3\n'])
  })

  test('a program that fails, and files, which it does not take', async () => {
    const started = await startOracle(env)
    await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
    expect(await started.run('javascript', 'throw new Error("no rain")')).toMatchObject({
      ok: false,
      error: expect.stringContaining('no rain'),
    })
    await expect(started.run('javascript', '1', [{ name: 'a', text: 'b' }])).rejects.toThrow('takes no files')
  })

  test('without the mapping, the log and the status list its tools and what to set', async () => {
    const started = await startOracle({ SANDBOX_MCP_URL: command })
    await vi.waitFor(() => expect(started.status()?.state).toBe('degraded'), 60_000)
    const violation = `The MCP server sandbox has no tool run_code. It has run-code. Set SANDBOX_MCP_TOOLS to the tool of that server and its arguments, such as SANDBOX_MCP_TOOLS=${codeRunnerTools}`
    expect(started.status()?.reason).toBe(violation)
    expect(started.errors()).toEqual([violation])
    await expect(started.run('javascript', '1')).rejects.toThrow('Ask the operator to check the log')
    expect(started.languages()).toEqual([])
  })
})

const tool = (does: ScriptedTool['does']): ScriptedTool => ({
  name: 'exec',
  inputSchema: { type: 'object', properties: { lang: { type: 'string' }, source: { type: 'string' } } },
  ...(does ? { does } : {}),
})
const mapped = 'run_code=exec,language=lang,code=source'

const serve = async (script: McpScript) => {
  const server = await startMcpServer(script)
  onTestFinished(() => server.stop())
  return server
}

test('an argument that the tool does not take is named, with those that it takes', async () => {
  const server = await serve({ tools: [tool([])] })
  const started = await startOracle({ SANDBOX_MCP_URL: server.url, SANDBOX_MCP_TOOLS: 'run_code=exec,code=source' })
  await vi.waitFor(() => expect(started.status()?.state).toBe('degraded'), 60_000)
  expect(started.errors()[0]).toContain(
    'The tool exec of the MCP server sandbox takes no language. It takes lang, source. Set SANDBOX_MCP_TOOLS',
  )
})

test('a server that returns 10 MB, or nothing, fails only the call', async () => {
  const server = await serve({ tools: [tool([{ characters: 10_000_000 }])] })
  const started = await startOracle({ SANDBOX_MCP_URL: server.url, SANDBOX_MCP_TOOLS: mapped })
  await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
  await expect(started.run('any', 'x')).rejects.toThrow(/^The remote sandbox [^\n]*\.$/)
  await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
  server.set({ tools: [tool([])] })
  expect(await started.run('any', 'x')).toMatchObject({ ok: true, output: '', files: [] })
})

test('a tool that is gone in the middle stops the calls, and its return starts them', async () => {
  const server = await serve({ tools: [tool([{ text: 'ran' }])] })
  const started = await startOracle({ SANDBOX_MCP_URL: server.url, SANDBOX_MCP_TOOLS: mapped })
  await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
  server.set({ tools: [{ name: 'other' }] })
  await vi.waitFor(() => expect(started.status()?.state).toBe('degraded'), 60_000)
  const calls = server.events.filter(({ what }) => what === 'called').length
  await expect(started.run('any', 'x')).rejects.toThrow('lacks the tool that runs programs')
  expect(server.events.filter(({ what }) => what === 'called')).toHaveLength(calls)
  expect(started.errors()[0]).toContain('has no tool exec. It has other.')
  server.set({ tools: [tool([{ text: 'ran' }])] })
  await vi.waitFor(() => expect(started.status()?.state).toBe('available'), 60_000)
  expect(await started.run('any', 'x')).toMatchObject({ ok: true, output: 'ran' })
})

test.each([
  ['no pairs', 'exec', 'must be pairs such as name=tool'],
  ['an unknown name', 'run=exec', "must not map 'run'; the names are run_code, code, language, files"],
  ['a name twice', 'run_code=a,run_code=b', "must map 'run_code' once"],
])('does not boot with a mapping that has %s', async (_, given, message) => {
  await expect(startOracle({ SANDBOX_MCP_URL: 'embedded:', SANDBOX_MCP_TOOLS: given })).rejects.toThrow(message)
})

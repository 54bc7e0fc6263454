import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { ScriptedCall, ScriptedPart } from '@sibyl/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

/** Command lines with native binaries, of 800 MB together: they are installed for this file alone. */
const packages = ['opencode-ai@1.18.33', '@qwen-code/qwen-code@0.24.4', '@openai/codex@0.171.0']

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sibyl-coding-agents-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const quickly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  expect(await run(folder, 'npm', ['install', ...quickly, ...packages])).toMatchObject({ code: 0 })
  // Its script only links the binary of the platform, without which it does not start.
  expect(await run(folder, 'npm', ['rebuild', 'opencode-ai'])).toMatchObject({ code: 0 })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command in a folder, with another folder as its home. */
const run = async (cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter)
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', PATH: path, PWD: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', data => {
    output += data
  })
  let errors = ''
  child.stderr.on('data', data => {
    errors += data
  })
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, output, errors }
}

interface Agent {
  readonly name: string
  /** Its tool that reads a file, and the input for one. */
  readonly tool: string
  input(file: string): object
  /** Arguments of a question, and of one that goes on with the conversation. */
  readonly first: readonly string[]
  readonly next: readonly string[]
  /** The file with its settings below the home folder, and their text. */
  readonly settings: readonly [file: string, text: (url: string) => string]
  /** It sends other text for earlier messages when it continues, which is another conversation. */
  readonly changesHistory?: boolean
}

const agents: readonly Agent[] = [
  {
    name: 'opencode',
    tool: 'read',
    input: filePath => ({ filePath }),
    first: ['run', '--title', 'Wells'],
    next: ['run', '--continue'],
    settings: [
      '.config/opencode/opencode.json',
      url =>
        JSON.stringify({
          model: 'sibyl/field-oracle',
          autoupdate: false,
          provider: {
            sibyl: {
              npm: '@ai-sdk/openai-compatible',
              options: { baseURL: `${url}/v1`, apiKey: key },
              models: { 'field-oracle': { name: 'Field Oracle' } },
            },
          },
        }),
    ],
  },
  {
    name: 'qwen',
    tool: 'read_file',
    input: file_path => ({ file_path }),
    first: ['--auth-type', 'openai', '-y', '-p'],
    next: ['--auth-type', 'openai', '-y', '--continue', '-p'],
    settings: ['.qwen/settings.json', () => '{"privacy":{"usageStatisticsEnabled":false},"memory":{"enabled":false}}'],
    changesHistory: true,
  },
  {
    name: 'codex',
    tool: 'exec_command',
    input: file => ({ cmd: `cat ${file}` }),
    first: ['exec', '--skip-git-repo-check'],
    next: ['exec', '--skip-git-repo-check', 'resume', '--last'],
    settings: [
      '.codex/config.toml',
      url => `model = "field-oracle"
model_provider = "sibyl"
analytics.enabled = false
[model_providers.sibyl]
name = "Sibyl"
base_url = "${url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
`,
    ],
  },
]

for (const { name, tool, input, first, next, settings, changesHistory = false } of agents) {
  test(`${name} runs a turn with two calls of its tool, and continues the conversation`, {
    timeout: 400_000,
  }, async () => {
    const home = mkdtempSync(join(folder, 'home-'))
    const work = join(home, 'work')
    mkdirSync(work)
    const depth = { 'a.txt': 'A-17 is 4 m deep', 'b.txt': 'B-3 is 9 m deep' }
    for (const [file, text] of Object.entries(depth)) writeFileSync(join(work, file), text)
    const call = (file: string) => ({ tool, input: input(join(work, file)), id: `call-${file}` })
    const step = ({ prompt, tools }: ScriptedCall): ScriptedPart | ScriptedPart[] => {
      const all = JSON.stringify(prompt)
      if (!tools.includes(tool)) return 'A title.'
      if (all.includes('Which is deeper?')) return 'The second is deeper.'
      const hasResults = prompt.some(({ role }) => role === 'tool')
      if (!hasResults) return ['Reading both.', call('a.txt'), call('b.txt')]
      return Object.values(depth).every(result => all.includes(result)) ? 'They are 4 and 9 m deep.' : 'No result.'
    }
    const { url, oracle } = await startOracle(Array.from({ length: 8 }, () => step))
    const [file, text] = settings
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), text(url))
    const ask = (args: readonly string[], question: string) =>
      run(work, join(folder, 'node_modules/.bin', name), [...args, question], {
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local/share'),
        OPENAI_API_KEY: key,
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_MODEL: 'field-oracle',
        OPENCODE_DISABLE_MODELS_FETCH: 'true',
      })
    const answer = await ask(first, 'How deep are the wells?')
    expect(answer, answer.errors).toMatchObject({ code: 0, output: expect.stringContaining('4 and 9 m deep') })
    const second = await ask(next, 'Which is deeper?')
    expect(second, second.errors).toMatchObject({ code: 0, output: expect.stringContaining('The second is deeper.') })
    const sessions = await oracle.app.request('/sessions', { headers: { authorization: `Bearer ${key}` } })
    expect((await sessions.json()).sessions).toHaveLength(changesHistory ? 2 : 1)
  })
}

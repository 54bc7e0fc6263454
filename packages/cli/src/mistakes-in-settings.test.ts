import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOracleApp, type OracleAppOptions } from '@sibyl/core'
import { loadEnvFile, runUntilSignal } from '@sibyl/core/start'
import { createMnemonic } from '@sibyl/identity'
import { definePlugin, isBootError } from '@sibyl/plugin'
import { silentLogger } from '@sibyl/plugin/host'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { folderWith } from './project/project-folder.test.helper.ts'

// The mistakes in settings of the first week; mistakes.test.ts has those in commands.

const words = createMnemonic(12).reveal()
const pump = definePlugin({
  name: 'pump',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Pump', summary: 'A pump.', whenToUse: ['pumps'], load: 'always' },
  env: z.object({ PUMP_URL: z.url().meta({ description: 'Where the pump is', example: 'https://pump.example' }) }),
  setup: () => ({}),
})

/** Returns the exit code of an oracle that does not start, and the lines that it prints. */
const start = async (env: Readonly<Record<string, string>>, options: Partial<OracleAppOptions> = {}) => {
  const lines: string[] = []
  const print = vi.spyOn(console, 'error').mockImplementation(text => void lines.push(String(text)))
  onTestFinished(() => {
    print.mockRestore()
    process.exitCode = undefined
  })
  const { ENV_FILE, ...settings } = env
  await runUntilSignal(async () => {
    if (ENV_FILE !== undefined) loadEnvFile(ENV_FILE, { variables: {} })
    const given = { DATABASE_URL: 'memory:', ORACLE_MNEMONIC: words, PORT: '0', ...settings }
    return createOracleApp({ plugins: [], logger: silentLogger, env: given, ...options }).catch(error => {
      if (isBootError(error)) lines.push(...error.problems.flatMap(problem => [problem.headline, ...problem.lines]))
      throw error
    })
  })
  return { code: process.exitCode, lines: lines.map(line => line.replace(/^.*\[boot-error\]\S* /, '')) }
}

test.each<[env: Readonly<Record<string, string>>, message: string, options?: Partial<OracleAppOptions>]>([
  [{ PORT: 'abc' }, 'not a number (got abc). Use 3000'],
  [{ PORT: '70000' }, 'expected at most 65535 (got 70000). Use 3000'],
  [{ LOG_LEVEL: 'verbose' }, 'expected trace, debug, info, warn, error or silent (got verbose).'],
  [
    { DATABASE_URL: 'mysql://localhost/x' },
    'neither a file: nor a postgres: URL (got 19 characters). Use postgres://user:password@host:5432/sibyl',
  ],
  [
    { ORACLE_MNEMONIC: 'legal winner' },
    'A mnemonic has 12 or 24 words, got 2: check for missing or repeated words (got 12 characters).',
  ],
  [
    { ORACLE_MNEMONIC: `zzzz${' legal'.repeat(11)}` },
    'Word 1 of 12 is not in the English BIP-39 list: check how it is written (got 70 characters).',
  ],
  [
    { ORACLE_MNEMONIC: `legal${' legal'.repeat(11)}` },
    'The checksum of the 12 words is wrong (BIP-39): check their order, and each word against the original (got 71 characters).',
  ],
  [
    { LLM_PROVIDER: 'antropic' },
    'must be openai, openai-compatible, offline or the name of a package such as @ai-sdk/anthropic (got antropic). Use openai',
  ],
  [
    { LLM_PROVIDER: '@ai-sdk/antropic' },
    'names the package @ai-sdk/antropic, which is not installed. Run npm install @ai-sdk/antropic, or set openai, openai-compatible or offline.',
  ],
  [{ LLM_PROVIDER: 'openai' }, 'is not set, and LLM_PROVIDER is openai. Set it, or set LLM_PROVIDER=offline.'],
  [
    { OPENAI_BASE_URL: 'localhost:11434' },
    'not a URL of an accepted kind (got 15 characters). Use http://localhost:11434/v1',
  ],
  [{ OPENAI_API_KEY: 'sk 1' }, 'must have no spaces (got 4 characters).'],
  [{ ORACLE_ACCESS: 'closed' }, 'expected open or delegated (got closed).'],
  [{ ORACLE_CONTROLLERS: 'ada' }, 'is not a DID (got ada). Use did:key:z6Mk…'],
  [{ PUBLIC_URL: 'example.org' }, 'not a URL (got 11 characters, no scheme). Use https://oracle.example.org'],
  [
    { ORACLE_OPERATOR_TOKEN: 'short' },
    'expected at least 16 characters (got 5 characters). Use the output of openssl rand -hex 32',
  ],
  [{}, 'is not set. Use https://pump.example', { plugins: [pump] }],
  [{ PUMP_URL: 'http://x' }, "features has the unknown plugin 'pmup'", { plugins: [pump], features: { pmup: false } }],
  [
    { PUMP_URL: 'http://x' },
    "Plugin 'pump' 0.1.0 requires core ^9.0.0, and this is core 0.1.0",
    { plugins: [{ ...pump, core: '^9.0.0' }] },
  ],
  [{ PUMP_URL: 'http://x' }, "Two plugins are named 'pump' (versions 0.1.0 and 0.1.0)", { plugins: [pump, pump] }],
])('an oracle with %o exits with 3: %s', async (env, message, options) => {
  const { code, lines } = await start(env, options)
  expect(code).toBe(3)
  expect(lines).toContain(message)
  expect(lines.length).toBeGreaterThan(1)
})

test('files, ports and databases that are in use or of another kind are explained, with 75 if that can pass', async () => {
  const folder = folderWith({ 'x.db': 'no database\n'.repeat(99), '.env': 'P\0' })
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const held = await testApp({ plugins: [], env: { DATABASE_URL: `file:${folder}/held.db` } })
  onTestFinished(() => held.app.close())
  const taken = String((server.address() as AddressInfo).port)
  const cases: [Record<string, string>, number, string][] = [
    [
      { DATABASE_URL: `file:${folder}/x.db` },
      3,
      "The database 'x.db' is not a SQLite database. Restore it from a backup, or move it away to start with an empty one.",
    ],
    [
      { DATABASE_URL: `file:${folder}/x.db/y.db` },
      3,
      "The folder 'x.db' of the database is not a folder. Make it writable for this user, or set another one in DATABASE_URL.",
    ],
    [
      { DATABASE_URL: `file:${folder}/held.db` },
      75,
      "The database 'held.db' is in use by another process. SQLite supports one process: stop the other one, or set DATABASE_URL to a PostgreSQL database, which supports any number.",
    ],
    [
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/x' },
      75,
      'PostgreSQL at 127.0.0.1:1 does not accept connections. Check that it is running and that DATABASE_URL is correct.',
    ],
    [
      { PORT: taken, HOST: '127.0.0.1' },
      75,
      `Port ${taken} is already in use. Stop the other process, or set PORT to a free port (0 selects one).`,
    ],
    [
      { ENV_FILE: `${folder}/.env` },
      3,
      `${folder}/.env is not UTF-8 text, but perhaps UTF-16, which PowerShell writes. Save it as UTF-8.`,
    ],
  ]
  for (const [env, code, message] of cases) {
    const started = await start(env)
    expect([started.code, started.lines]).toEqual([code, expect.arrayContaining([message])])
  }
})

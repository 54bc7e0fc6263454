import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledAdapters } from '@sibyl/bundle'
import { reservePort, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const token = 'operator-token-of-the-tests-01'

const boot = async (env: Record<string, string> = {}) => {
  const port = await reservePort()
  const url = `http://localhost:${port}`
  const { app } = await testApp({
    plugins: [],
    adapters: bundledAdapters(),
    env: { ORACLE_OPERATOR_TOKEN: token, ORACLE_ADAPTERS: 'none', PUBLIC_URL: url, ...env },
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port })
  const home = mkdtempSync(join(tmpdir(), 'sibyl-console-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const sibyl = async (args: readonly string[], given: Record<string, string> = {}, cwd = home) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, ...given }, false)
    const code = await run(['console', ...args], { ...terminal.io, cwd })
    return { code, text: terminal.text, errors: terminal.errors }
  }
  return { url, port, home, sibyl }
}

test('prints an address that signs in once, as the user of this computer and an operator', async () => {
  const { url, sibyl } = await boot()
  const { code, text, errors } = await sibyl(['--url', url], { ORACLE_OPERATOR_TOKEN: token })
  expect([code, errors]).toEqual([0, expect.stringContaining('It signs in once.')])
  expect(text).toMatch(new RegExp(`^${url}/console#code=[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\n$`))
})

test.skipIf(process.platform !== 'linux')(
  'a browser gets the start of the code in its argument, and the terminal the rest',
  async () => {
    const { url, home } = await boot()
    const argument = join(home, 'argument')
    const browser = join(home, 'browser')
    writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${argument}.new && mv ${argument}.new ${argument}\n`, {
      mode: 0o700,
    })
    const none = {
      XDG_DATA_DIRS: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CURRENT_DESKTOP: '',
      DE: 'generic',
    }
    const environment = { ...none, DISPLAY: ':9', BROWSER: browser }
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const terminal = new FakeTerminal({ SIBYL_HOME: home, ORACLE_OPERATOR_TOKEN: token, ...environment }, true)
    expect(await run(['console', '--url', url], { ...terminal.io, cwd: home })).toBe(0)
    const [, rest] = /Type this code there: ([0-9A-Z]{6})\n/.exec(terminal.text) ?? []
    expect(rest).toBeDefined()
    await expect.poll(() => existsSync(argument)).toBe(true)
    const opened = readFileSync(argument, 'utf8')
    expect(opened).toMatch(new RegExp(`^${url}/console#code=[0-9A-Z]{6}$`))
    expect(opened).not.toContain(rest)
  },
)

test('reads the token of a project, and never sends it to another address', async () => {
  const { port, url, home, sibyl } = await boot()
  writeFileSync(join(home, 'oracle.config.json'), '{"name":"Field Oracle"}')
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  writeFileSync(join(home, '.env'), `PORT=${port}\nORACLE_OPERATOR_TOKEN=${token}\n`)
  expect(JSON.parse((await sibyl(['--json'])).text)).toMatchObject({ signedIn: true })
  expect(JSON.parse((await sibyl(['--json', '--url', url])).text)).toEqual({
    address: `${url}/console`,
    signedIn: false,
  })
  expect(JSON.parse((await sibyl(['--json'], { SIBYL_URL: url })).text)).toMatchObject({ signedIn: false })
})

test('commands of the operator read the token of the project as well, and name a wrong one', async () => {
  const { port, url, home } = await boot()
  writeFileSync(join(home, 'oracle.config.json'), '{"name":"Field Oracle"}')
  writeFileSync(join(home, 'package.json'), '{"type":"module"}')
  writeFileSync(join(home, '.env'), `PORT=${port}\nORACLE_OPERATOR_TOKEN=${token}\n`)
  const code = async (args: readonly string[], given: Record<string, string> = {}) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, ...given }, false)
    const exit = await run(['sign-in', 'code', 'Mutale', ...args], { ...terminal.io, cwd: home })
    return [exit, terminal.text, terminal.errors]
  }
  expect(await code([])).toEqual([
    0,
    expect.stringMatching(/^[0-9A-Z]{4}-/),
    expect.stringContaining('Valid for one sign-in'),
  ])
  expect(await code(['--url', url])).toEqual([3, '', expect.stringContaining('ORACLE_OPERATOR_TOKEN is not set')])
  expect(await code([], { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' })).toEqual([
    1,
    '',
    expect.stringContaining('is not the operator token of this oracle'),
  ])
})

test.each([
  [{ CONSOLE: 'off' }, {}, 3, 'This oracle has no console.'],
  [{ OAUTH: 'off' }, { ORACLE_OPERATOR_TOKEN: token }, 3, 'does not use OAuth'],
  [{}, { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' }, 1, 'operator'],
] as const)('with %j and %j it fails', async (env, given, code, words) => {
  const { url, sibyl } = await boot(env)
  const failed = await sibyl(['--url', url], given)
  expect([failed.code, failed.errors]).toEqual([code, expect.stringContaining(words)])
})

test('an oracle that does not run is a network error', async () => {
  const { sibyl } = await boot()
  expect((await sibyl(['--url', 'http://127.0.0.1:9'])).code).toBe(4)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Failures, type Script, type ScriptedOracle, startScriptedOracle } from '@sibyl/client/testing'
import { reservePort } from '@sibyl/testing'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { echo, endless, weather } from './commands/chat/script.test.helper.ts'
import { bundledSibyl } from './process/bundled-sibyl.test.helper.ts'

let home: string
const oracles: ScriptedOracle[] = []
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sibyl-bin-'))
})
afterEach(async () => {
  for (const oracle of oracles.splice(0)) await oracle.close()
  await rm(home, { recursive: true, force: true })
})

const serve = async (script: Script, failures: Failures = {}) => {
  const oracle = await startScriptedOracle(script, failures)
  oracles.push(oracle)
  return oracle.url
}

const start = (argv: readonly string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [bundledSibyl, ...argv], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: home, ...env },
  })
  const shown = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    shown.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    shown.stderr += text
  })
  const result = once(child, 'close').then(([code]) => ({ code: code as number, ...shown }))
  const until = async (words: string) => {
    while (!shown.stdout.includes(words)) await once(child.stdout, 'data')
  }
  return { child, result, until }
}

const run = (argv: readonly string[], stdin = '', env: Record<string, string> = {}) => {
  const { child, result } = start(argv, env)
  child.stdin.end(stdin)
  return result
}

it('answers one question, and stores the new key readable by its owner only', async () => {
  const url = await serve(weather)
  const { code, stdout, stderr } = await run(['chat', '--url', url, '--once', 'weather in Berlin?'])
  expect(stdout).toContain('oracle  It is 14 °C in Berlin with slight rain.\n')
  expect(stderr).toContain(`Created your key in ${home}/.config/sibyl/key.json`)
  expect(code).toBe(0)
  expect((await stat(join(home, '.config/sibyl/key.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(home, '.config/sibyl'))).mode & 0o777).toBe(0o700)
})

it('is one person from the start, also when started twice at once', { tags: 'long' }, async () => {
  const oracle = await startScriptedOracle(echo)
  oracles.push(oracle)
  const results = await Promise.all([1, 2, 3].map(() => run(['chat', '--url', oracle.url, '--once', 'x'])))
  expect(results.map(it => it.code)).toEqual([0, 0, 0])
  const issuers = oracle.requests.filter(it => it.path === '/chat').map(it => it.issuer)
  expect(new Set(issuers).size).toBe(1)
  expect(await readdir(join(home, '.config/sibyl'))).toEqual(['key.json'])
})

it('sends one message per line of a pipe, without color', async () => {
  const { code, stdout } = await run(['chat', '--url', await serve(echo)], 'one\ntwo')
  expect(stdout).toContain('you     one\noracle  You said one.\n')
  expect(stdout).toContain('you     two\noracle  You said two.\n')
  expect(stdout).not.toContain('\u001b')
  expect(code).toBe(0)
})

it('prints only JSON on stdout', async () => {
  const { stdout } = await run(['chat', '--json', '--once', 'x'], '', { SIBYL_URL: await serve(weather) })
  const types = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).type)
  expect(types.at(0)).toBe('start')
  expect(types.at(-1)).toBe('finish')
})

it.each([
  [1, 'the turn fails', ['--once', 'x'], {}],
  [2, 'it is not called as it should be', ['--nonsense'], {}],
  [2, 'nothing is said', [], {}],
  [3, 'a variable is not usable', ['--once', 'x'], { SIBYL_URL: 'nonsense' }],
  [3, 'the key has no place', ['--once', 'x'], { SIBYL_HOME: '/dev/null/x' }],
])('exits with %i when %s', async (expected, _, argv, env) => {
  const failing = await serve(() => [{ type: 'error', errorText: 'No.', code: 'model_failed' }])
  const { code, stderr, stdout } = await run(['chat', ...argv], '', { SIBYL_URL: failing, ...env })
  expect(code).toBe(expected)
  if (expected === 1) expect(stdout).toContain('error   No. (model_failed)')
  else expect(stderr).toMatch(/^(Created .*\n)?(sibyl|error): /)
  expect(stderr).not.toContain('    at ')
})

it('explains how to get an oracle if none responds, and exits with 4', async () => {
  const port = await reservePort()
  const { code, stderr } = await run(['chat', '--url', `http://127.0.0.1:${port}`, '--once', 'x'])
  expect(stderr).toContain(`sibyl: No oracle responds at http://127.0.0.1:${port} (ECONNREFUSED).\n       Start one`)
  expect(code).toBe(4)
})

it('reports that something else responds', { tags: 'long' }, async () => {
  const server = createServer((_, response) => response.end('<html>\u001b[2J')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { code, stderr } = await run(['chat', '--url', `http://127.0.0.1:${port}`, '--once', 'x'])
  server.close()
  expect(stderr).toContain('This is not an oracle')
  expect(code).toBe(4)
})

it('stops the turn at SIGINT and exits with 130', async () => {
  const oracle = await startScriptedOracle(endless)
  oracles.push(oracle)
  const { child, result, until } = start(['chat', '--url', oracle.url, '--once', 'x'])
  await until('One two')
  child.kill('SIGINT')
  const { code, stdout } = await result
  expect(code).toBe(130)
  expect(stdout).toContain('Stopped.')
  expect(oracle.requests.at(-1)?.path).toMatch(/\/stop$/)
})

it('exits with 130 at SIGINT between messages', { tags: 'long' }, async () => {
  const { child, result, until } = start(['chat', '--url', await serve(echo)])
  child.stdin.write('one\n')
  await until('offline model')
  child.kill('SIGINT')
  expect((await result).code).toBe(130)
})

it('ends quietly when its reader is gone', async () => {
  const { child, result } = start(['chat', '--url', await serve(echo)])
  child.stdout.destroy()
  child.stdin.end('one\ntwo\n')
  const { code, stderr } = await result
  expect(code).toBe(0)
  expect(stderr).not.toContain('EPIPE')
})

it('completes its work also when its reader is gone', { tags: 'long' }, async () => {
  const devnet = start(['devnet', '--port', '0'])
  onTestFinished(() => void devnet.child.kill('SIGKILL'))
  await devnet.until('API key')
  const { entity } = JSON.parse((await run(['create-entity', '--type=Stove', '--property=serial=1', '--json'])).stdout)
  const update = ['update-entity', entity.did, '--set=serial=2']
  const { child, result } = start(update)
  child.stdin.end()
  child.stdout.destroy()
  expect(await result).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse((await run([...update, '--json'])).stdout)).toMatchObject({ changes: [], entity: { version: 2 } })
  devnet.child.kill('SIGTERM')
  await devnet.result
})

it.runIf(process.getuid?.() === 0)('reports what is missing to a user without a home folder', async () => {
  const child = spawn(process.execPath, [bundledSibyl, 'keys', 'show'], {
    env: {},
    cwd: '/',
    uid: 54_321,
    gid: 54_321,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [errors, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  expect(errors).toMatch(/^sibyl: You have no home folder on this computer\.\n {7}Set SIBYL_HOME/)
  expect(code).toBe(3)
})

it('reports that its working folder was removed', { tags: 'long' }, async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"'
  const argv = [process.execPath, bundledSibyl, 'new', 'x', '--yes', '--no-register']
  const child = spawn('sh', ['-c', script, ...argv], {
    cwd: home,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, HOME: home },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    errors += text
  })
  const [code] = await once(child, 'close')
  expect(errors).toContain('sibyl: The current folder no longer exists.\n')
  expect(code).toBe(3)
})

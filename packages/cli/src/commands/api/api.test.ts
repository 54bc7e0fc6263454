import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { definePlugin, route, sseResponse } from '@sibyl/plugin'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { run } from '../../main.ts'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const operatorToken = 'operator-token-of-the-tests-01'
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

/** A plugin with a route that returns its input, one of bytes, one of events and one that fails without a problem. */
const echo = (onEvent: (release: () => void) => void) =>
  definePlugin({
    name: 'echo',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Echo', summary: 'Returns its input.', whenToUse: ['a test'] },
    setup: () => ({
      routes: [
        route.post(
          '/echo',
          {
            auth: { ucan: 'echo/write' },
            summary: 'Return the input',
            body: z.record(z.string(), z.unknown()),
            ok: { 200: { description: 'The input', schema: z.object({ body: z.unknown(), tag: z.string() }) } },
          },
          async c => c.json({ body: c.req.valid('json'), tag: c.req.header('x-tag') ?? '' }, 200),
        ),
        route.get(
          '/echo/bytes',
          { auth: 'public', summary: 'Return bytes', ok: { 200: { description: 'Bytes' } } },
          async c => c.body(bytes, 200, { 'content-type': 'application/octet-stream' }),
        ),
        route.get(
          '/echo/events',
          { auth: 'public', summary: 'Return events', ok: { 200: { description: 'Events' } } },
          async c => {
            const events = async function* () {
              yield 'data: first\n\n'
              await new Promise<void>(onEvent)
              yield 'data: second\n\n'
            }
            return sseResponse(c, events(), () => {})
          },
        ),
        route.get(
          '/echo/failure',
          { auth: 'public', summary: 'Fail', ok: { 200: { description: 'Nothing' } } },
          async c => c.text('out of order\u001b[31m', 503),
        ),
      ],
    }),
  })

const boot = async (onEvent: (release: () => void) => void = release => release(), env = {}) => {
  const oracle = await testApp({ plugins: [echo(onEvent)], env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env } })
  onTestFinished(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const home = await mkdtemp(join(tmpdir(), 'sibyl-api-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return { home, env: { SIBYL_HOME: home, SIBYL_URL: `http://127.0.0.1:${port}` } }
}

type Booted = Awaited<ReturnType<typeof boot>>

/** Starts `sibyl api` as a process. */
const start = ({ home, env }: Booted, ...args: string[]) =>
  spawn(process.execPath, [bundledSibyl, 'api', ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, ...inherited(), ...env },
  })

/** Runs `sibyl api` in this process. */
const sibyl = async ({ home, env }: Booted, args: readonly string[], { stdin = '', isTTY = false, more = {} } = {}) => {
  const terminal = new FakeTerminal({ ...env, ...more }, isTTY, 80, home)
  terminal.stdin.end(stdin)
  const code = await run(['api', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors.replace(/^Created your key.*\n/, '') }
}

test('a process signs a request with the key of the user, and prints the response', async () => {
  const booted = await boot()
  const created = start(booted, 'POST', '/api-keys', '-f', 'name=shop', '-F', 'days=30')
  const { key, did } = JSON.parse(await text(created.stdout))
  expect(key).toMatch(/^sibyl_key_/)
  const [status, record] = (await text(start(booted, 'get', '/api-keys', '--include').stdout)).split('\n\n')
  expect(status).toMatch(/^HTTP\/1\.1 200 OK\n(.*\n)*content-type: application\/json/)
  expect(JSON.parse(record ?? '')).toMatchObject({ keys: [{ name: 'shop', did }] })
})

test('a process prints events as they arrive, and bytes unchanged', async () => {
  let release = () => {}
  const booted = await boot(resolve => {
    release = resolve
  })
  const events = start(booted, 'GET', '/echo/events').stdout.setEncoding('utf8')[Symbol.asyncIterator]()
  expect((await events.next()).value).toBe('data: first\n\n')
  release()
  expect((await events.next()).value).toBe('data: second\n\n')
  expect(Uint8Array.from(await buffer(start(booted, 'GET', '/echo/bytes').stdout))).toEqual(bytes)
})

test('sends fields with types, files and standard input', async () => {
  const booted = await boot()
  await writeFile(join(booted.home, 'note.txt'), 'a note')
  const fields = [
    '-f',
    'text=1=2',
    '-F',
    'flag=true',
    '-F',
    'count=2.5',
    '-F',
    'none=null',
    '-F',
    'pin=0971',
    '-F',
    'word=@note.txt',
  ]
  const sent = await sibyl(booted, ['POST', '/echo', ...fields, '-H', 'X-Tag: red', '-F', 'typed=@-'], { stdin: 'in' })
  expect({ ...sent, text: JSON.parse(sent.text) }).toEqual({
    code: 0,
    text: {
      body: { text: '1=2', flag: true, count: 2.5, none: null, pin: '0971', word: 'a note', typed: 'in' },
      tag: 'red',
    },
    errors: '',
  })
  const whole = await sibyl(booted, ['POST', '/echo', '--input', '-'], { stdin: '{"a":[1]}' })
  expect(JSON.parse(whole.text)).toMatchObject({ body: { a: [1] } })
  const read = await sibyl(booted, ['GET', '/sessions?limit=2', '-f', 'q=a b'], { isTTY: true })
  expect(read).toMatchObject({ code: 0, text: '{\n  "sessions": []\n}\n' })
})

test('acts as the operator with the operator token', async () => {
  const booted = await boot()
  const more = { ORACLE_OPERATOR_TOKEN: operatorToken }
  const status = await sibyl(booted, ['GET', '/operator/status', '--operator'], { more })
  expect(status).toMatchObject({ code: 0, errors: '' })
  expect(await sibyl(booted, ['GET', '/operator/status', '--operator'])).toMatchObject({ code: 3 })
})

test('a controller calls the routes of operators with their key, and other users learn how to get access', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-controller-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const { key } = await openDeveloperKey(home)
  const booted = await boot(undefined, { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: key.did })
  const more = { SIBYL_HOME: home }
  expect(await sibyl(booted, ['GET', '/operator/status'], { more })).toMatchObject({ code: 0 })
  const rejected = await sibyl(booted, ['GET', '/sessions'])
  expect(rejected).toMatchObject({ code: 1, errors: expect.stringContaining('ask a controller to run') })
  expect(JSON.parse(rejected.text)).toMatchObject({ code: 'ucan_untrusted_root' })
})

test('prints the body of an error, and exits with 1', async () => {
  const booted = await boot()
  const missing = await sibyl(booted, ['DELETE', '/sessions/none'])
  expect(missing).toMatchObject({ code: 1, errors: expect.stringContaining('(session_not_found)') })
  expect(JSON.parse(missing.text)).toMatchObject({ code: 'session_not_found' })
  const failed = await sibyl(booted, ['GET', '/echo/failure'], { isTTY: true })
  expect(failed).toEqual({ code: 1, text: 'out of order[31m', errors: 'sibyl: The oracle answered 503.\n' })
  expect((await sibyl(booted, ['GET', '/me'])).errors).toContain('a bearer, an access token or an API key')
})

test.each([
  [['GET', 'sessions'], 2, 'Expected a path that starts with a slash'],
  [['GET', 'https://example.org/sessions'], 2, 'Expected a path that starts with a slash'],
  [['TRACE', '/sessions'], 2, 'Expected a method'],
  [['GET', '/sessions', '--input', '-'], 2, 'A GET has no body.'],
  [['POST', '/echo', '-f', 'name'], 2, 'Expected a name and a value'],
  [['POST', '/echo', '-f', 'a=1', '--input', '-'], 2, 'cannot be used with'],
  [['POST', '/echo', '--input', 'nowhere.json'], 2, 'nowhere.json cannot be read (ENOENT)'],
  [['GET', '/sessions', '-H', 'Authorization: Bearer x'], 2, 'other than authorization'],
  [['GET', '/sessions', '--url', 'http://127.0.0.1:1'], 4, 'No oracle responds at http://127.0.0.1:1'],
] as const)('%j fails with %i', async (args, code, words) => {
  const booted = await boot()
  expect(await sibyl(booted, args)).toMatchObject({ code, text: '', errors: expect.stringContaining(words) })
})

import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const token = 'operator-token-of-the-tests-01'

/** Boots a real oracle with a person who has chatted with it. */
const boot = async () => {
  const { app, actor, chat } = await testApp({ plugins: [], env: { ORACLE_OPERATOR_TOKEN: token } })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  await chat('good morning', { session: 's1' })
  const sessions = async () => (await (await actor.request('/sessions')).json()).sessions.length as number
  return { url: `http://127.0.0.1:${port}`, did: actor.did, sessions }
}

const terminalOf = (url: string, isTTY: boolean, env = {}) =>
  new FakeTerminal({ SIBYL_URL: url, ORACLE_OPERATOR_TOKEN: token, ...env }, isTTY)

const sibyl = async (url: string, args: readonly string[], { stdin = '', env = {} } = {}) => {
  const terminal = terminalOf(url, false, env)
  terminal.stdin.end(stdin)
  const code = await run(['people', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

test('export prints the stored data of a person', async () => {
  const { url, did } = await boot()
  const { code, text } = await sibyl(url, ['export', '-'], { stdin: `${did}\n` })
  expect(code).toBe(0)
  expect(JSON.parse(text)).toMatchObject({
    sessions: [{ session: 's1', messages: [{ text: 'good morning' }, {}] }],
    core: { tokens: [{ tokens: expect.any(Number) }] },
  })
  expect(JSON.parse((await sibyl(url, ['export', '+260971234567', '--json'])).text)).toEqual({ sessions: [] })
})

test('erase asks first, and erases with yes', async () => {
  const { url, did, sessions } = await boot()
  const terminal = terminalOf(url, true)
  const ended = run(['people', 'erase', did], terminal.io)
  await terminal.until('Type erase')
  terminal.type('\u0003')
  expect(await ended).toBe(130)
  expect(terminal.errors).toContain('Nothing was changed.')
  expect(await sibyl(url, ['erase', did])).toMatchObject({ code: 2, errors: expect.stringContaining('Give --yes.') })
  expect(await sessions()).toBe(1)
  const again = terminalOf(url, true)
  const erased = run(['people', 'erase', did], again.io)
  await again.until('Type erase')
  again.type('erase\r')
  expect(await erased).toBe(0)
  expect(await sessions()).toBe(0)
  expect(await sibyl(url, ['erase', did, '--yes', '--json'])).toMatchObject({ code: 0, text: '{"erased":true}\n' })
})

test('hold keeps a person from erasure until release', async () => {
  const { url, did, sessions } = await boot()
  expect(await sibyl(url, ['hold', did])).toMatchObject({ code: 2, errors: expect.stringContaining('Give --reason.') })
  const held = await sibyl(url, ['hold', did, '--reason', 'Case 12'])
  expect(held).toMatchObject({ code: 0, text: expect.stringMatching(/^Held since \d{4}-.*: Case 12\n$/) })
  expect(await sibyl(url, ['erase', did, '--yes'])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('must keep'),
  })
  expect(await sessions()).toBe(1)
  expect((await sibyl(url, ['release', did, '--json'])).text).toBe('{"released":true}\n')
  expect((await sibyl(url, ['erase', did, '--yes'])).code).toBe(0)
  expect(await sessions()).toBe(0)
})

test.each([
  [['export', 'mutale'], {}, 2, 'neither a DID nor a phone number'],
  [['export', 'did:key:z6Mk'], { ORACLE_OPERATOR_TOKEN: '' }, 3, 'ORACLE_OPERATOR_TOKEN is not set'],
  [['erase', 'did:key:z6Mk', '--yes'], { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' }, 1, 'operator'],
  [['export', 'did:key:z6Mk'], { SIBYL_URL: 'http://127.0.0.1:1' }, 4, '127.0.0.1:1'],
] as const)('%j with %j fails with %i', async (args, env, code, words) => {
  const { url } = await boot()
  const failed = await sibyl(url, args, { env })
  expect(failed.code).toBe(code)
  expect(failed.errors).toContain(words)
  expect(failed.errors).not.toContain(token)
})

import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledAdapters } from '@sibyl/bundle'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const token = 'operator-token-of-the-tests-01'

const boot = async (env: Record<string, string> = {}) => {
  const { app } = await testApp({
    plugins: [],
    adapters: bundledAdapters(),
    env: { ORACLE_OPERATOR_TOKEN: token, ORACLE_ADAPTERS: 'none', ...env },
  })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  const home = await mkdtemp(join(tmpdir(), 'sibyl-sign-in-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const sibyl = async (args: readonly string[], given: Record<string, string> = {}) => {
    const io = { SIBYL_HOME: home, SIBYL_URL: url, ORACLE_OPERATOR_TOKEN: token, ...given }
    const terminal = new FakeTerminal(io, false)
    const code = await run(['sign-in', ...args], terminal.io)
    return { code, text: terminal.text, errors: terminal.errors }
  }
  return Object.assign(sibyl, { url, home })
}

/** Registers an application, and signs in to it with a code, as a browser does. */
const signIn = async (url: string, code: string): Promise<void> => {
  const redirectUri = 'http://127.0.0.1:7777/callback'
  const post = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', cookie }
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }
  const client = await post('/oauth/register', { client_name: 'Pocket', redirect_uris: [redirectUri] })
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    scope: 'chat/*',
  })
  const begun = await fetch(`${url}/oauth/authorize?${query}`, { redirect: 'manual' })
  const cookie = begun.headers
    .getSetCookie()
    .map(one => one.split(';')[0])
    .join('; ')
  const page = new URL(begun.headers.get('location') ?? '', url).pathname
  expect(await post(`${page}/code`, { code, scopes: ['chat/*'] }, cookie)).toMatchObject({
    location: expect.any(String),
  })
}

test('code prints a one-time code alone; a name stands for one user', async () => {
  const sibyl = await boot()
  const { code, text, errors } = await sibyl(['code', 'Mutale'])
  expect([code, text]).toEqual([0, expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}\n$/)])
  const did = /did:key:\w+/.exec(errors)?.[0] ?? ''
  const again = JSON.parse((await sibyl(['code', 'Mutale', '--scope', 'chat/send', '--json'])).text)
  expect(again).toMatchObject({ did, scopes: ['chat/send'] })
  expect(JSON.parse((await sibyl(['code', did, '--json'])).text).did).toBe(did)
})

test('list shows the applications that act for the user, and end ends one', async () => {
  const sibyl = await boot()
  expect(await sibyl(['list'])).toMatchObject({
    code: 0,
    text: '',
    errors: expect.stringContaining('There are no sign-ins.'),
  })
  const { key } = await openDeveloperKey(sibyl.home)
  const { code } = JSON.parse((await sibyl(['code', key.did, '--json'])).text)
  await signIn(sibyl.url, code)
  const listed = await sibyl(['list'])
  expect(listed.text).toContain(' http://127.0.0.1:7777/callback\n')
  expect(listed.text).toContain('  name     Pocket (not verified)')
  expect(listed.text).toContain('  scopes   chat/*')
  const id = listed.text.split(' ')[0]!
  // An ID that begins with a dash would be an option.
  expect(id).toMatch(/^signin_/)
  expect(JSON.parse((await sibyl(['list', '--json'])).text).signIns).toMatchObject([{ id, clientName: 'Pocket' }])
  expect(await sibyl(['end', id])).toMatchObject({ code: 0, errors: 'Ended.\n' })
  expect(await sibyl(['end', id])).toMatchObject({ code: 2, errors: expect.stringContaining('no sign-in') })
  expect((await sibyl(['list'])).text).toBe('')
})

test('the operator ends the sign-in of any user', async () => {
  const sibyl = await boot()
  const { key } = await openDeveloperKey(sibyl.home)
  const { code } = JSON.parse((await sibyl(['code', key.did, '--json'])).text)
  await signIn(sibyl.url, code)
  const { signIns } = JSON.parse((await sibyl(['list', '--operator', '--json'])).text)
  expect(signIns).toMatchObject([{ did: key.did, clientName: 'Pocket' }])
  expect((await sibyl(['end', signIns[0].id, '--operator'])).code).toBe(0)
  expect((await sibyl(['list'])).text).toBe('')
})

test.each([
  [['list'], { OAUTH: 'off' }, {}, 3, 'does not use OAuth'],
  [['end', 'x', '--operator'], {}, {}, 2, 'no sign-in'],
  [['code', 'Mutale'], { OAUTH: 'off' }, {}, 3, 'does not use OAuth'],
  [['code', 'Mutale', '--minutes', '61'], {}, {}, 2, 'whole minutes from 1 to 60'],
  [['code', 'Mutale'], {}, { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' }, 1, 'operator'],
  [['code', 'Mutale'], {}, { ORACLE_OPERATOR_TOKEN: '' }, 3, 'ORACLE_OPERATOR_TOKEN is not set'],
] as const)('%j with %j fails', async (args, env, given, code, words) => {
  const failed = await (await boot(env))(args, given)
  expect(failed.code).toBe(code)
  expect(failed.errors).toContain(words)
})

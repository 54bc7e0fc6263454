import { bundledAdapters } from '@sibyl/bundle'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
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
  return async (args: readonly string[], given: Record<string, string> = {}) => {
    const io = { SIBYL_URL: `http://127.0.0.1:${port}`, ORACLE_OPERATOR_TOKEN: token, ...given }
    const terminal = new FakeTerminal(io, false)
    const code = await run(['sign-in', ...args], terminal.io)
    return { code, text: terminal.text, errors: terminal.errors }
  }
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

test.each([
  [['code', 'Mutale'], { OAUTH: 'off' }, {}, 3, 'does not use OAuth'],
  [['code', 'Mutale', '--minutes', '61'], {}, {}, 2, 'whole minutes from 1 to 60'],
  [['code', 'Mutale'], {}, { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' }, 1, 'operator'],
  [['code', 'Mutale'], {}, { ORACLE_OPERATOR_TOKEN: '' }, 3, 'ORACLE_OPERATOR_TOKEN is not set'],
] as const)('%j with %j fails', async (args, env, given, code, words) => {
  const failed = await (await boot(env))(args, given)
  expect(failed.code).toBe(code)
  expect(failed.errors).toContain(words)
})

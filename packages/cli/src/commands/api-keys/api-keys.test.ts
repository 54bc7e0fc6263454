import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const token = 'operator-token-of-the-tests-01'

const boot = async () => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-api-keys-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const { app } = await testApp({ plugins: [], env: { ORACLE_OPERATOR_TOKEN: token } })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  return {
    async sibyl(args: readonly string[], env: Record<string, string> = {}) {
      const terminal = new FakeTerminal(
        { SIBYL_HOME: home, SIBYL_URL: url, ORACLE_OPERATOR_TOKEN: token, ...env },
        false,
      )
      const code = await run(['api-keys', ...args], terminal.io)
      return { code, text: terminal.text, errors: terminal.errors }
    },
    status: async (key: string, path = '/sessions') =>
      (await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })).status,
  }
}

test('create prints the secret alone, list shows the key without it, and revoke ends it', async () => {
  const { sibyl, status } = await boot()
  expect(await sibyl(['list'])).toMatchObject({ code: 0, text: '' })
  const { code, text, errors } = await sibyl(['create', 'shop', '--scope', 'session/read', '--days', '7'])
  expect(code).toBe(0)
  expect(text).toMatch(/^sibyl_key_[\w-]{43}\n$/)
  expect(errors).toContain('session/read')
  expect(await status(text.trim())).toBe(200)
  expect(await status(text.trim(), '/delegation')).toBe(403)
  const listed = await sibyl(['list'])
  expect(listed.text).toContain('shop')
  expect(listed.text).not.toContain(text.trim())
  const id = listed.text.split(' ')[0] ?? ''
  // An ID that begins with a dash would be an option.
  expect(id).toMatch(/^key_/)
  expect(await sibyl(['revoke', id])).toEqual({ code: 0, text: '', errors: 'Revoked.\n' })
  expect(await status(text.trim())).toBe(401)
  expect(await sibyl(['revoke', id])).toMatchObject({ code: 2, errors: expect.stringContaining('no API key') })
})

test('the operator creates keys with a DID of their own, and revokes those of all', async () => {
  const { sibyl, status } = await boot()
  const own = JSON.parse((await sibyl(['create', 'mine', '--json'])).text)
  const made = JSON.parse((await sibyl(['create', 'shop', '--operator', '--json'])).text)
  expect(made.did).not.toBe(own.did)
  expect(made.scopes).toEqual(['chat/*', 'session/*'])
  const { keys } = JSON.parse((await sibyl(['list', '--operator', '--json'])).text)
  expect(keys.map(({ name }: { name: string }) => name).toSorted()).toEqual(['mine', 'shop'])
  expect((await sibyl(['revoke', own.id, '--operator'])).code).toBe(0)
  expect([await status(own.key), await status(made.key)]).toEqual([401, 200])
})

test.each([
  [['create', 'shop', '--days', '366'], 2, 'whole days from 1 to 365'],
  [['create', 'shop', '--scope', 'chat'], 2, 'an ability such as chat/send'],
  [['create', 'shop', '--did', 'did:key:z6Mk'], 2, '--did is only for the operator'],
  [['revoke', 'unknown'], 2, 'no API key'],
])('%j fails with %i', async (args, code, words) => {
  const { sibyl } = await boot()
  const failed = await sibyl(args)
  expect(failed.code).toBe(code)
  expect(failed.errors).toContain(words)
})

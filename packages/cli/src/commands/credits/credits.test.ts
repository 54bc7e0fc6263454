import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { readStream, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const token = 'operator-token-of-the-tests-01'

/** Boots a real oracle with the credits plugin, unless it is omitted. */
const boot = async (names: readonly string[] = ['credits'], env: Record<string, string> = {}) => {
  const plugins = bundledPlugins().filter(({ name }) => names.includes(name))
  const { app, actor } = await testApp({ plugins, env: { ORACLE_OPERATOR_TOKEN: token, ...env } })
  onTestFinished(() => app.close())
  const { port } = await app.listen({ host: '127.0.0.1', port: 0 })
  const balance = async () => (await (await actor.request('/credits')).json()).balance as string
  const chat = async () => readStream(await actor.request('/chat', { json: { message: 'hello' } }))
  return { url: `http://127.0.0.1:${port}`, did: actor.did, balance, chat }
}

const sibyl = async (url: string, args: readonly string[], env = {}) => {
  const terminal = new FakeTerminal({ SIBYL_URL: url, ORACLE_OPERATOR_TOKEN: token, ...env }, false)
  terminal.stdin.end()
  const code = await run(['credits', ...args], terminal.io)
  return { code, text: terminal.text, errors: terminal.errors }
}

test('grant adds credits and takes them back, once per ID', async () => {
  const { url, did, balance } = await boot(['credits'], { CREDITS_DEFAULT_GRANT: '0' })
  expect(await sibyl(url, ['grant', did, '100'])).toMatchObject({
    code: 0,
    text: `Granted 100 credits to ${did} (Granted by the operator).\n`,
  })
  for (const _ of [1, 2]) await sibyl(url, ['grant', did, '2.5', '--reason', 'Invoice 42', '--id', 'invoice-42'])
  expect(await balance()).toBe('102.5')
  const taken = await sibyl(url, ['grant', did, '--json', '--', '-1'])
  expect(JSON.parse(taken.text)).toMatchObject({ did, amount: '-1', reason: 'Granted by the operator' })
  expect(await balance()).toBe('101.5')
})

test('usage lists the credits of each user by day', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sibyl credits ')), 'prices.json')
  onTestFinished(() => rmSync(join(file, '..'), { recursive: true }))
  writeFileSync(file, '{"turn":"0.5"}')
  const { url, did, chat } = await boot(['credits'], { CREDITS_PRICE_FILE: file })
  expect(await sibyl(url, ['usage'])).toMatchObject({ code: 0, text: '', errors: 'No credits were used.\n' })
  await chat()
  const usage = () => sibyl(url, ['usage', '--did', did])
  await expect.poll(async () => (await usage()).text).toMatch(/^\d{4}-\d\d-\d\d +0\.5 credits +1 turns {2}did:key:/)
  const { text } = await sibyl(url, ['usage', '--json'])
  expect(JSON.parse(text).days).toMatchObject([{ did, turns: 1, credits: '0.5' }])
  expect(await sibyl(url, ['usage', '--from', 'monday'])).toMatchObject({ code: 2 })
})

test('the footer of a chat shows the cost of the turn if the credits plugin is on', async () => {
  const home = mkdtempSync(join(tmpdir(), 'sibyl credits '))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const file = join(home, 'prices.json')
  writeFileSync(file, '{"turn":"0.5"}')
  const chat = async (url: string) => {
    const terminal = new FakeTerminal({ SIBYL_URL: url, SIBYL_HOME: home }, false)
    expect(await run(['chat', '--once', 'hello'], terminal.io)).toBe(0)
    return terminal.text.trimEnd().split('\n').at(-1)
  }
  const priced = await boot(['credits'], { CREDITS_DEFAULT_GRANT: '3', CREDITS_PRICE_FILE: file })
  expect(await chat(priced.url)).toMatch(/^ {8}offline model · .* · 0\.5 credits$/)
  expect(await chat((await boot([])).url)).not.toContain('credit')
})

test.each([
  [['grant', 'mutale', '5'], {}, 2, 'not a DID'],
  [['grant', 'did:key:z6Mk', 'many'], {}, 2, 'not an amount'],
  [['grant', 'did:key:z6Mk', '0'], {}, 2, 'not an amount'],
  [['grant', 'did:key:z6Mk', '5'], { ORACLE_OPERATOR_TOKEN: '' }, 3, 'ORACLE_OPERATOR_TOKEN is not set'],
  [['grant', 'did:key:z6Mk', '5'], { ORACLE_OPERATOR_TOKEN: 'wrong-token-of-the-tests' }, 1, 'operator'],
] as const)('%j with %j fails with %i', async (args, env, code, words) => {
  const { url } = await boot()
  const failed = await sibyl(url, args, env)
  expect(failed.code).toBe(code)
  expect(failed.errors).toContain(words)
  expect(failed.errors).not.toContain(token)
})

test('an oracle without the plugin is reported as such', async () => {
  const { url } = await boot([])
  expect(await sibyl(url, ['grant', 'did:key:z6Mk', '5'])).toMatchObject({
    code: 3,
    errors: expect.stringContaining('This oracle does not use credits.'),
  })
})

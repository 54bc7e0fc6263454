import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningKey, mintDelegation } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const boot = async (env: Record<string, string> = {}) => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-token-'))
  cleanups.push(() => rm(home, { recursive: true, force: true }))
  const oracle = await testApp({ plugins: [], env })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${port}`
  return {
    home,
    url,
    did: oracle.app.identity.did ?? '',
    async sibyl(args: readonly string[], { stdin, isTTY = false }: { stdin?: string; isTTY?: boolean } = {}) {
      const terminal = new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: url }, isTTY)
      if (stdin !== undefined) terminal.stdin.end(stdin)
      const code = await run(['token', ...args], terminal.io)
      return { code, text: terminal.text, errors: terminal.errors }
    },
    status: async (token: string, path = '/sessions', method = 'GET') =>
      (await fetch(url + path, { method, headers: { authorization: `Bearer ${token}` } })).status,
  }
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

describe('sibyl token', () => {
  it('prints only an invocation, for chat and sessions and five minutes', async () => {
    const { sibyl, status, did } = await boot()
    const { code, text, errors } = await sibyl([])
    expect(code).toBe(0)
    expect(text).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect(errors).toMatch(/^Created your key in .*\n$/)
    const { att, exp, nbf, aud } = claimsOf(text)
    expect(att).toEqual(['chat/*', 'session/*'].map(can => ({ with: `oracle:${did}`, can })))
    expect([aud, exp - nbf]).toEqual([did, 330])
    expect(await status(text.trim())).toBe(200)
    expect((await sibyl([])).errors).toBe('')
  })

  it('accepts abilities and a lifetime', async () => {
    const { sibyl, status } = await boot()
    const { text } = await sibyl(['--ability', 'session/read', '--ability', 'chat/send', '--lifetime', '30'])
    expect(claimsOf(text).att.map(({ can }: { can: string }) => can)).toEqual(['session/read', 'chat/send'])
    expect(claimsOf(text).exp - claimsOf(text).nbf).toBe(60)
    expect(await status((await sibyl(['--ability', 'chat/send'])).text.trim())).toBe(403)
  })

  it('--bearer exchanges it for a token for many requests', async () => {
    const { sibyl, status } = await boot()
    const { code, text } = await sibyl(['--bearer', '--ability', 'session/*', '--lifetime', '60'])
    expect([code, text]).toEqual([0, expect.stringMatching(/^sibyl_[\w-]{43}\n$/)])
    for (let time = 0; time < 3; time += 1) expect(await status(text.trim())).toBe(200)
    expect(await status(text.trim(), '/chat/x/stream')).toBe(403)
  })

  it('explains the use of the token on a terminal', async () => {
    const { sibyl } = await boot({ ORACLE_NAME: 'Delphi' })
    const invocation = await sibyl([], { isTTY: true })
    expect(invocation.errors).toContain(
      'Valid for 300 s and one request, which a GET may repeat: chat/* session/* at Delphi.',
    )
    const bearer = await sibyl(['--bearer'], { isTTY: true })
    expect(bearer.errors).toMatch(/Valid until \S+ for any number of requests: chat\/\* session\/\* at Delphi\./)
  })

  it('--json describes it, and what prevents its creation', async () => {
    const { sibyl, status, did } = await boot()
    const invocation = JSON.parse((await sibyl(['--json', '--ability', 'session/read'])).text)
    const facts = { oracle: did, abilities: ['session/read'], expiresAt: expect.stringMatching(/^20.*Z$/) }
    expect(invocation).toEqual({ ...facts, token: expect.any(String), kind: 'invocation' })
    expect(await status(invocation.token)).toBe(200)
    const bearer = JSON.parse((await sibyl(['--json', '--bearer', '--ability', 'session/read'])).text)
    expect(bearer).toEqual({ ...facts, token: expect.stringContaining('sibyl_'), kind: 'bearer' })
    expect(JSON.parse((await sibyl(['revoke', '--json'])).text)).toEqual({ revoked: 'bearers', count: 1 })
    const { code, text, errors } = await sibyl(['--json', '--url', 'http://127.0.0.1:1'])
    expect([code, JSON.parse(text).error.code]).toEqual([4, 'network_failed'])
    expect(errors).toBe(`sibyl: ${JSON.parse(text).error.message}\n`)
  })

  it('shows a rejection as a sentence', async () => {
    const { sibyl } = await boot({ ORACLE_ACCESS: 'delegated' })
    const { code, text, errors } = await sibyl(['--bearer'])
    expect([code, text]).toEqual([1, ''])
    expect(errors).toContain('(ucan_untrusted_root)')
    const anonymous = new FakeTerminal({ SIBYL_HOME: await mkdtemp(join(tmpdir(), 'sibyl-token-')) }, false)
    cleanups.push(() => rm(anonymous.io.env.SIBYL_HOME ?? '', { recursive: true, force: true }))
    expect(await run(['token', '--url', 'http://127.0.0.1:1'], anonymous.io)).toBe(4)
    expect(anonymous.errors).toContain('No oracle responds')
    expect(anonymous.text).toBe('')
  })

  it.each([
    [['--ability', 'chat send'], 'Expected an ability such as chat/send'],
    [['--ability', 'chat'], 'Expected an ability such as chat/send'],
    [['--lifetime', '0'], 'Expected whole seconds from 1 to 900.'],
    [['--lifetime', '901'], 'Expected whole seconds from 1 to 900.'],
    [['--lifetime', '1e2'], 'Expected whole seconds from 1 to 900.'],
    [['--url', 'nowhere'], '--url is not the address of an oracle.'],
    [['revoke', '--url', 'nowhere'], '--url is not the address of an oracle.'],
    [['--url', 'nowhere', 'revoke'], '--url is not the address of an oracle.'],
    [['renew'], "'sibyl token' has no such command"],
    [['revoke', 'sibyl_secret-secret-secret'], 'A token is not accepted as an argument'],
  ])('sibyl token %j is a usage error', async (args, words) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: '/nowhere/at/all' }, false)
    expect(await run(['token', ...args], terminal.io)).toBe(2)
    expect(terminal.errors).toContain(words)
    expect(terminal.errors).not.toContain('sibyl_secret')
    expect(terminal.text).toBe('')
  })
})

describe('sibyl token revoke', () => {
  it('revokes all bearers of the user', async () => {
    const { sibyl, status } = await boot()
    const tokens = [(await sibyl(['--bearer'])).text.trim(), (await sibyl(['--bearer'])).text.trim()]
    expect(await sibyl(['revoke'])).toEqual({ code: 0, text: '', errors: 'Revoked 2 of your bearers.\n' })
    for (const token of tokens) expect(await status(token)).toBe(401)
  })

  it('revokes the one read from a pipe', async () => {
    const { sibyl, status } = await boot()
    const [one, two] = [(await sibyl(['--bearer'])).text, (await sibyl(['--bearer'])).text]
    expect(await sibyl(['revoke', '-'], { stdin: one })).toEqual({ code: 0, text: '', errors: 'Revoked.\n' })
    expect([await status(one.trim()), await status(two.trim())]).toEqual([401, 200])
    const again = await sibyl(['revoke', '-'], { stdin: one })
    expect([again.code, again.text]).toEqual([1, ''])
    expect(again.errors).toContain('(bearer_invalid)')
  })

  it('revokes a delegation of the user, and none of others', async () => {
    const { sibyl, home, did } = await boot()
    await sibyl([])
    const { key } = await openDeveloperKey(home)
    const grant = { audience: createSigningKey().did, resource: `oracle:${did}`, abilities: ['*'] }
    const own = await sibyl(['revoke', '-'], { stdin: await mintDelegation({ key, ...grant }) })
    expect(own).toMatchObject({
      code: 0,
      errors: expect.stringMatching(/^Revoked, with every token that depends on it/),
    })
    const foreign = await sibyl(['revoke', '-'], { stdin: await mintDelegation({ key: createSigningKey(), ...grant }) })
    expect(foreign).toMatchObject({ code: 1, errors: expect.stringContaining('(revocation_invalid)') })
  })

  it('requires exactly one token on stdin', async () => {
    const { sibyl } = await boot()
    for (const stdin of ['', 'two words', 'x'.repeat(40_000)]) {
      expect(await sibyl(['revoke', '-'], { stdin })).toMatchObject({
        code: 2,
        errors: expect.stringContaining('The input is not a token.'),
      })
    }
  })
})

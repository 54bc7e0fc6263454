import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMnemonic, createSigningKey, type MintRequest, mintDelegation } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { run } from '../../main.ts'
import { FakeTerminal } from '../chat/terminal.test.helper.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const serve = async (env: Record<string, string>) => {
  const oracle = await testApp({ plugins: [], env: { ORACLE_NAME: 'Delphi', ...env } })
  cleanups.push(() => oracle.app.close())
  const { port } = await oracle.app.listen({ host: '127.0.0.1', port: 0 })
  return { url: `http://127.0.0.1:${port}`, did: oracle.app.identity.did ?? '', close: () => oracle.app.close() }
}

const person = async (url: string) => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-person-'))
  cleanups.push(() => rm(home, { recursive: true, force: true }))
  const { key } = await openDeveloperKey(home)
  const sibyl = async (args: readonly string[], { stdin = '', isTTY = false } = {}) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: home, SIBYL_URL: url }, isTTY)
    if (isTTY) terminal.type(stdin)
    else terminal.stdin.end(stdin)
    const code = await run(args, terminal.io)
    return { code, text: terminal.text, errors: terminal.errors }
  }
  return { home, key, sibyl, token: (args: readonly string[], input = {}) => sibyl(['token', ...args], input) }
}

const boot = async () => {
  const controller = createSigningKey()
  const oracle = await serve({ ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: controller.did })
  const bob = await person(oracle.url)
  const grant = (request: Partial<MintRequest> = {}) =>
    mintDelegation({
      key: controller,
      audience: bob.key.did,
      resource: `oracle:${oracle.did}`,
      abilities: ['chat/*', 'session/*'],
      ...request,
    } as MintRequest)
  return { controller, oracle, bob, grant }
}

const stored = (home: string) => readFile(join(home, 'delegations.json'), 'utf8').catch(() => undefined)

describe('sibyl token accept', () => {
  it('stores nothing that does not authorize the user, and prints why', async () => {
    const { bob, grant, oracle } = await boot()
    const good = await grant()
    const stranger = createSigningKey()
    const past = () => Date.now() - 3_600_000
    const refusals: [string, string][] = [
      [
        await grant({ audience: stranger.did }),
        'The delegation is for another DID, not for yours. (ucan_wrong_audience)',
      ],
      [await grant({ lifetimeSeconds: 60, now: past }), 'The delegation has expired. (ucan_expired)'],
      [await grant({ key: stranger }), 'Its issuer is not a controller of this oracle. (ucan_untrusted_root)'],
      [
        await grant({ resource: 'oracle:did:key:z6MkX' }),
        `The delegation is for oracle:did:key:z6MkX, and this is oracle:${oracle.did}.`,
      ],
      [good.slice(0, -21), '(ucan_malformed)'],
      [good.replace(/\.[^.]+$/, signature => `.${'A'.repeat(signature.length - 1)}`), '(ucan_bad_signature)'],
    ]
    for (const [stdin, words] of refusals) {
      const { code, text, errors } = await bob.token(['accept'], { stdin })
      expect([code, text]).toEqual([1, ''])
      expect(errors).toContain(words)
    }
    expect(await bob.token(['accept'], { stdin: 'two words' })).toMatchObject({ code: 2 })
    const missing = await bob.token(['accept', join(bob.home, 'nothing')])
    expect(missing).toMatchObject({ code: 2, errors: expect.stringContaining('cannot be read (ENOENT).') })
    expect(await stored(bob.home)).toBeUndefined()
    expect(await bob.token(['accept'], { stdin: good })).toMatchObject({ code: 0 })
  })

  it('reads a pasted token, up to the end of its line', async () => {
    const { bob, grant } = await boot()
    const { code, errors } = await bob.token(['accept'], { stdin: `${await grant()}\n`, isTTY: true })
    expect(errors).toMatch(/^Paste the delegation, then press Enter:\nYou have chat\/\* session\/\* at Delphi until /)
    expect(code).toBe(0)
  })

  it('is unnecessary with open access, which ignores stored delegations', async () => {
    const mnemonic = createMnemonic(12).reveal()
    const ada = createSigningKey()
    const closed = await serve({ ORACLE_MNEMONIC: mnemonic, ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: ada.did })
    const bob = await person(closed.url)
    const resource = `oracle:${closed.did}`
    const stdin = await mintDelegation({ key: ada, audience: bob.key.did, resource, abilities: ['*'] })
    expect((await bob.token(['accept'], { stdin })).code).toBe(0)
    const open = await serve({ ORACLE_MNEMONIC: mnemonic, ORACLE_ACCESS: 'open' })
    expect(open.did).toBe(closed.did)
    const { text } = await bob.token(['--bearer', '--url', open.url])
    const bearer = { authorization: `Bearer ${text.trim()}` }
    await bob.sibyl(['chat', '--once', 'hello', '--session', 'of-bob', '--url', open.url])
    expect((await (await fetch(`${open.url}/sessions`, { headers: bearer })).json()).sessions).toHaveLength(1)
    for (const args of [['accept'], ['grant', ada.did]]) {
      const { code, errors } = await bob.token([...args, '--url', open.url], { stdin })
      expect([code, errors]).toEqual([1, expect.stringContaining('This oracle is open to all callers')])
    }
  })

  it('never loses a damaged file', async () => {
    const { bob, grant } = await boot()
    await writeFile(join(bob.home, 'delegations.json'), '[{"oracle":')
    for (const args of [['accept'], ['list'], ['drop', 'did:key:z6MkX'], []]) {
      const { code, errors } = await bob.token(args, { stdin: await grant() })
      expect([code, errors]).toEqual([3, expect.stringContaining('is damaged')])
    }
    expect(await stored(bob.home)).toBe('[{"oracle":')
  })
})

describe('a stored delegation', () => {
  it('limits sibyl token to its abilities', async () => {
    const { bob, grant } = await boot()
    await bob.token(['accept'], { stdin: await grant({ abilities: ['session/read', 'weather/now'] } as never) })
    const { text } = await bob.token([])
    const { att } = JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
    expect(att.map(({ can }: { can: string }) => can)).toEqual(['session/read'])
    for (const args of [
      ['token', '--ability', 'chat/send'],
      ['token', '--bearer'],
      ['chat', '--once', 'hello'],
    ]) {
      const { code, errors } = await bob.sibyl(args)
      expect([code, errors]).toEqual([1, expect.stringContaining('allows only session/read weather/now')])
    }
  })

  it('is reported as expired', async () => {
    const { bob, grant, controller } = await boot()
    await bob.token(['accept'], { stdin: await grant() })
    const ended = (await stored(bob.home))?.replace(/"expiresAt": "[^"]+"/, '"expiresAt": "2020-01-01T00:00:00Z"')
    await writeFile(join(bob.home, 'delegations.json'), ended ?? '')
    const { errors } = await bob.sibyl(['chat', '--once', 'hello'])
    expect(errors).toContain(`Your delegation from ${controller.did} expired at 2020-01-01T00:00:00Z`)
    expect((await bob.token(['list'])).text).toContain('2020-01-01T00:00:00Z (ended)')
  })

  it('belongs to the key that it authorizes: another key has none', async () => {
    const { bob, grant } = await boot()
    await bob.token(['accept'], { stdin: await grant() })
    await rm(join(bob.home, 'key.json'))
    const { errors } = await bob.sibyl(['chat', '--once', 'hello'])
    expect(errors).toContain('This oracle requires a delegation')
  })
})

describe('--json', () => {
  it('prints one object for every command about access', async () => {
    const { bob, grant, oracle, controller } = await boot()
    const json = async (args: readonly string[], input = {}) => JSON.parse((await bob.token(args, input)).text)
    const facts = { oracle: oracle.did, issuer: controller.did, abilities: ['chat/*', 'session/*'] }
    const accepted = await json(['accept', '--json'], { stdin: await grant() })
    expect(accepted).toEqual({ ...facts, url: oracle.url, expiresAt: expect.any(String) })
    const { delegations } = await json(['list', '--json'])
    expect(delegations).toEqual([{ ...accepted, audience: bob.key.did, current: true }])
    expect(await json(['whoami', '--json'])).toEqual({ did: bob.key.did, path: join(bob.home, 'key.json') })
    const carol = createSigningKey().did
    const granted = await json(['grant', carol, '--json'])
    expect(granted).toMatchObject({ audience: carol, oracle: oracle.did, abilities: facts.abilities })
    expect(granted.delegation).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await json(['revoke', '-', '--json'], { stdin: granted.delegation })).toMatchObject({ revoked: 'token' })
    expect(await json(['drop', oracle.url, '--json'])).toEqual({ dropped: 1 })
    expect(await json(['drop', oracle.url, '--json'])).toMatchObject({ error: { code: 'usage_invalid' } })
  })
})

describe('sibyl token grant', () => {
  it('is for controllers, and explains how to become one', async () => {
    const { bob } = await boot()
    const { code, text, errors } = await bob.token(['grant', createSigningKey().did])
    expect([code, text]).toEqual([1, ''])
    expect(errors).toContain('You cannot grant access')
    expect(errors).toContain(`add your DID to ORACLE_CONTROLLERS: ${bob.key.did}\n`)
  })

  it('an ability that is nearly one of the oracle is refused with its name, and an unknown one is granted', async () => {
    const { bob, grant } = await boot()
    await bob.token(['accept'], { stdin: await grant({ abilities: ['*'] } as never) })
    const carol = createSigningKey().did
    const refused = await bob.token(['grant', carol, '--ability', 'session/read', '--ability', 'chat/sned'])
    expect([refused.code, refused.text]).toEqual([2, ''])
    expect(refused.errors).toContain('No route of this oracle needs the ability chat/sned.')
    expect(refused.errors).toContain('Did you mean chat/send?')
    expect((await bob.token(['grant', carol, '--ability', 'stoves/repair'])).code).toBe(0)
  })

  it('records the grant with the name of the user, who loses access when it is revoked from the list', async () => {
    const home = await person('')
    const operatorToken = 'operator-token-of-the-tests-01'
    const { url } = await serve({
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: home.key.did,
      ORACLE_OPERATOR_TOKEN: operatorToken,
    })
    const bob = await person(url)
    const asController = (...args: string[]) => home.token([...args, '--url', url])
    const granted = await asController('grant', bob.key.did, '--name', 'Bob')
    expect(granted.errors).toContain('To revoke it: sibyl token grants list')
    await bob.token(['accept'], { stdin: granted.text })
    const { text } = await asController('grants', 'list')
    const [, hash = ''] = /^(\S+) Bob\n/.exec(text) ?? []
    expect(text).toContain(`  lets in  ${bob.key.did}\n  from     ${home.key.did}\n`)
    expect((await bob.token(['grants', 'list', '--json'])).text).toContain(hash)
    const terminal = new FakeTerminal({ SIBYL_URL: url, ORACLE_OPERATOR_TOKEN: operatorToken }, false)
    expect(await run(['token', 'grants', 'list', '--operator', '--json'], terminal.io)).toBe(0)
    expect(JSON.parse(terminal.text).grants).toMatchObject([{ hash, name: 'Bob' }])

    expect(await bob.token(['grants', 'revoke', hash])).toMatchObject({ code: 2 })
    expect(await asController('grants', 'revoke', hash)).toMatchObject({ code: 0 })
    expect((await bob.sibyl(['chat', '--once', 'hello'])).errors).toContain('was revoked (ucan_revoked)')
    expect(await asController('grants', 'list')).toMatchObject({ text: '', errors: 'There are no recorded grants.\n' })
  })

  it('delegates a delegation with no more abilities or lifetime', async () => {
    const { bob, grant, oracle } = await boot()
    const carol = await person(oracle.url)
    await bob.token(['accept'], { stdin: await grant({ lifetimeSeconds: 86_400 }) })
    const more = await bob.token(['grant', carol.key.did, '--ability', '*'])
    expect(more).toMatchObject({ code: 1, text: '', errors: expect.stringContaining('allows only chat/*') })
    const { text, errors } = await bob.token(['grant', carol.key.did, '--days', '90'])
    const [, until = ''] = /do chat\/\* session\/\* at Delphi until (\S+)\.$/m.exec(errors) ?? []
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now() + 86_400_000)
    const accepted = await carol.token(['accept'], { stdin: text })
    expect(accepted).toMatchObject({ code: 0, errors: expect.stringContaining(`until ${until}.`) })
    expect((await carol.sibyl(['chat', '--once', 'hello'])).code).toBe(0)
  })

  it.each([
    [['grant'], "Missing required argument 'did'"],
    [['grant', 'did:web:example.org'], 'Expected a DID that starts with did:key:z6Mk.'],
    [['grant', createSigningKey().did, '--days', '91'], 'Expected whole days from 1 to 90.'],
    [['grant', createSigningKey().did, '--days', '0'], 'Expected whole days from 1 to 90.'],
    [['grant', createSigningKey().did, '--ability', 'chat'], 'Expected an ability such as chat/send'],
    [['grant', createSigningKey().did, '--bearer'], 'Unknown option'],
  ])('sibyl token %j is a usage error', async (args, words) => {
    const terminal = new FakeTerminal({ SIBYL_HOME: '/nowhere/at/all' }, false)
    expect(await run(['token', ...args], terminal.io)).toBe(2)
    expect(terminal.errors).toContain(words)
    expect(terminal.text).toBe('')
  })
})

it('sibyl token whoami prints the DID only', async () => {
  const { bob } = await boot()
  expect(await bob.token(['whoami'])).toEqual({ code: 0, text: `${bob.key.did}\n`, errors: '' })
})

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { reservePort } from '@sibyl/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { KeptLogins } from '../../home/kept-logins.ts'
import { putKey } from '../../keystore/put-key.test.helper.ts'
import { makeProject, openDevnet, person } from '../../registry/registry-project.test.helper.ts'
import { keepSigningPort } from '../../signing/listen.ts'
import { Phone } from '../../signing/phone.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

const user = (env: Record<string, string> = {}) =>
  person({ REGISTRY_URL: devnet.url, SIBYL_SIGNING_HOST: '127.0.0.1', ...env })

/** Runs `sibyl login --qr`, and returns the link for the phone. */
const loginByPhone = async (someone: ReturnType<typeof person>, args: readonly string[] = [], options = {}) => {
  await keepSigningPort(someone.home, await reservePort())
  const { terminal, ended } = someone.start(['login', '--qr', ...args], options)
  const link = () => terminal.errors.match(/^http:\S+#\S+$/m)?.[0]
  await expect.poll(link).toBeDefined()
  return { terminal, ended, phone: () => new Phone(new URL(link() ?? '')) }
}

describe('sibyl login', () => {
  test('a phone authorizes this computer to register entities for it', async () => {
    const someone = user()
    const { terminal, ended, phone } = await loginByPhone(someone)
    const signing = phone()
    expect(await signing.sign()).toBe('signed')
    expect(await ended).toBe(0)
    expect(terminal.text.split('\n')).toEqual([
      `Signed in  at the registry at ${devnet.url}`,
      `as         ${signing.key.did}`,
      expect.stringMatching(/^until {6}\d{4}-\d\d-\d\dT/),
      'ends with  sibyl logout',
      '',
    ])
    const made = await someone.json(['create-entity', '--type', 'CookStove'])
    expect(made).toMatchObject({ code: 0, entity: { controller: signing.key.did } })
    expect((await stat(join(someone.home, 'logins.json'))).mode & 0o777).toBe(0o600)
  })

  test('prints one object for scripts, without the token', async () => {
    const someone = user()
    const { did } = (await openDeveloperKey(someone.home)).key
    const { terminal, ended, phone } = await loginByPhone(someone, ['--json', '--hours', '1'])
    const signing = phone()
    await signing.sign()
    expect(await ended).toBe(0)
    const facts = JSON.parse(terminal.text)
    expect(facts).toMatchObject({
      controller: signing.key.did,
      method: 'qr',
      audience: did,
      abilities: ['entities/*', 'auth/impersonate'],
    })
    expect(facts).not.toHaveProperty('delegation')
    expect(Date.parse(facts.expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
  })

  test('in a project the phone shows the name of the oracle; a refusal stores nothing', async () => {
    const someone = user()
    const { folder } = await makeProject({ name: 'Well Watcher' }, { REGISTRY_URL: devnet.url })
    const { terminal, ended, phone } = await loginByPhone(someone, [], { cwd: folder })
    const refusing = phone()
    expect((await refusing.open()).about).toBe('Well Watcher')
    await refusing.computer.refuse()
    expect(await ended).toBe(1)
    expect(terminal.errors).toContain('sibyl: The phone refused to sign.')
    expect(await new KeptLogins(someone.home).list()).toEqual([])
  })

  test('only the named controller may sign', async () => {
    const wanted = createSigningKey()
    const { ended, phone, terminal } = await loginByPhone(user(), ['--controller', wanted.did])
    const other = phone()
    await other.computer.claim()
    expect(await other.computer.nameKey(other.key.did)).toBe('wrong-device')
    expect(await ended).toBe(1)
    expect(terminal.errors).toContain('has to sign')
  })

  test('a key of the keystore signs instead of a phone', async () => {
    const someone = user({ SIBYL_PASSPHRASE: 'correct horse battery' })
    const { did } = await putKey(someone.home, 'work', 'correct horse battery')
    const login = await someone.json(['login', '--key', 'work'])
    expect(login).toMatchObject({ code: 0, controller: did, method: 'key', keyName: 'work' })
    const made = await someone.json(['create-entity', '--type', 'CookStove'])
    expect(made).toMatchObject({ code: 0, entity: { controller: did } })
    const other = createSigningKey().did
    const refused = await someone.json(['login', '--key', 'work', '--controller', other])
    expect(refused).toMatchObject({ code: 1, error: { code: 'signing_wrong_device' } })
    expect(await someone.json(['login', '--key', 'none'])).toMatchObject({ code: 3, error: { code: 'key_missing' } })
  })

  test.each([
    [[], 'A QR code requires a terminal.'],
    [['--key', 'work'], 'The passphrase is missing: --passphrase-file <file> (or SIBYL_PASSPHRASE)'],
    [['--key', 'work', '--qr'], '--key signs without a phone.'],
    [['--qr', '--controller', 'did:web:example.org'], '--controller is not a did:key of an Ed25519 key.'],
    [['--qr', '--hours', '13'], 'Expected whole hours from 1 to 12.'],
    [['--qr', '--signing-host', 'http://x'], 'The host for signing is not an address of this computer.'],
    [['--qr', '--signing-url', 'http://x'], 'The URL for signing is not an https origin.'],
  ])('sibyl login %j is a usage error', async (args, words) => {
    const { code, errors, text } = await user().sibyl(['login', ...args])
    expect([code, text]).toEqual([2, ''])
    expect(errors).toContain(words)
  })

  test('a chain requires the signature of an account', async () => {
    const { code, errors } = await person({ NETWORK: 'testnet' }).sibyl(['login', '--qr'])
    expect(code).toBe(2)
    expect(errors).toContain('On testnet the chain requires the signature of an account')
  })

  test('without a registry no signature is requested', async () => {
    const { code, errors } = await person({ REGISTRY_URL: 'http://127.0.0.1:1' }).sibyl(['login', '--qr'])
    expect(code).toBe(4)
    expect(errors).not.toContain('#')
  })
})

describe('sibyl whoami and sibyl logout', () => {
  const signedIn = async (count: number) => {
    const someone = user()
    const { key } = await openDeveloperKey(someone.home)
    const dids = Array.from({ length: count }, () => createSigningKey().did)
    for (const [index, controller] of dids.entries()) {
      await new KeptLogins(someone.home).keep({
        registry: createSigningKey().did,
        url: devnet.url,
        title: `the registry at ${devnet.url}`,
        controller,
        method: 'key',
        keyName: `key-${index}`,
        audience: key.did,
        abilities: ['entities/*', 'auth/impersonate'],
        delegation: 'header.payload.signature',
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
      })
    }
    return { someone, dids }
  }

  test('the DID of this computer, its logins, and the oracle of the folder', async () => {
    const { someone, dids } = await signedIn(1)
    const { key, path } = await openDeveloperKey(someone.home)
    const project = await makeProject({ entityDid: 'did:web:localhost%3A4100:entities:abc' })
    const shown = await someone.sibyl(['whoami'], { cwd: project.folder, columns: 300 })
    expect([shown.code, shown.text.split('\n')]).toEqual([
      0,
      [
        `You         ${key.did}`,
        `key         ${path}`,
        `login       at the registry at ${devnet.url}, by the key key-0`,
        `as          ${dids[0]}`,
        expect.stringMatching(/^until {7}\d{4}-\d\d-\d\dT/),
        'oracle      Field Oracle',
        `its DID     ${project.did}`,
        'its entity  did:web:localhost%3A4100:entities:abc',
        '',
      ],
    ])
    const facts = await someone.json(['whoami'], { cwd: project.folder })
    expect(facts).toMatchObject({
      code: 0,
      did: key.did,
      logins: [{ controller: dids[0], current: true }],
      oracle: { did: project.did },
    })
    expect(JSON.stringify(facts)).not.toContain('header.payload')
  })

  test('no logins at first', async () => {
    const someone = user()
    expect((await someone.sibyl(['whoami'])).text).toContain('login  none; sign in with your phone: sibyl login')
    expect(await someone.sibyl(['logout'])).toEqual({ code: 0, text: '', errors: 'You are not signed in.\n' })
    expect(await someone.json(['logout'])).toEqual({ code: 0, dropped: [] })
  })

  test('a login is removed by its controller, its registry, alone or with all', async () => {
    const { someone, dids } = await signedIn(2)
    expect(await someone.sibyl(['logout'])).toMatchObject({ code: 2, errors: expect.stringContaining('2 logins') })
    expect(await someone.sibyl(['logout', 'did:key:z6MkNobody'])).toMatchObject({ code: 2 })
    expect(await someone.sibyl(['logout', '--all', dids[0]!])).toMatchObject({ code: 2 })
    const dropped = await someone.sibyl(['logout', dids[0]!])
    expect(dropped).toEqual({
      code: 0,
      text: '',
      errors: `Signed out at the registry at ${devnet.url}, as ${dids[0]}.\n`,
    })
    expect(await someone.json(['logout', `${devnet.url}/`])).toMatchObject({
      code: 0,
      dropped: [{ controller: dids[1] }],
    })
    expect(await new KeptLogins(someone.home).list()).toEqual([])
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigningKey, mintDelegation } from '@sibyl/identity'
import { HttpRegistry } from '@sibyl/plugin-entities/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { KeptLogins } from '../../home/kept-logins.ts'
import { makeProject, openDevnet, person } from '../../registry/registry-project.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

const user = () => person({ REGISTRY_URL: devnet.url })

const stoveOf = async ({ json }: ReturnType<typeof person>, cwd?: string) => {
  const parts = [
    '--property',
    'serial=A-17',
    '--property',
    'fuel=wood',
    '--property=place={"lat":1,"lon":2}',
    '--property=age=null',
  ]
  const services = ['--service', 'api=Api=https://example.org', '--service', 'old=Old=https://example.org/old']
  const { entity } = await json(['create-entity', '--type=CookStove', ...parts, ...services], cwd ? { cwd } : {})
  return entity
}

test('shows the change, and applies it', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  const changes = [
    '--set',
    'serial=A-18',
    '--set',
    'place={"lat":3}',
    '--set',
    'fuel=null',
    '--unset',
    '#old',
    '--set',
    'age=null',
  ]
  const { code, text, errors } = await me.sibyl([
    'update-entity',
    did,
    ...changes,
    '--service',
    'api=Api=https://example.com',
  ])
  expect([code, errors, text.split('\n')]).toEqual([
    0,
    '',
    [
      did,
      '',
      'serial  A-17                     → A-18',
      'fuel    wood                     → nothing',
      'place   {"lat":1,"lon":2}        → {"lat":3,"lon":2}',
      'age     null                     → nothing',
      '#api    https://example.org      → https://example.com',
      '#old    https://example.org/old  → nothing',
      '',
      'Changed, version 2.',
      '',
    ],
  ])
  expect(await me.json(['update-entity', did, '--set', 'serial=A-18'])).toMatchObject({ code: 0, changes: [] })
  const again = await me.sibyl(['update-entity', did, '--set', 'serial=A-18'])
  expect(again.text).toBe('The entity already has these values; nothing was changed.\n')
})

test('in 40 columns names and values have lines of their own', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  const call = me.start(['update-entity', did, '--set', 'name=A stove with a long name'], { isTTY: true, columns: 40 })
  expect(await call.ended).toBe(0)
  expect(call.terminal.text).toContain('name\n  nothing\n→ A stove with a long name\n')
})

test('a patch can come from a file, and a dry run prints the request', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  writeFileSync(
    join(me.home, 'patch.json'),
    JSON.stringify({ properties: { serial: 'C', fuel: null }, services: null }),
  )
  const args = ['update-entity', did, '--file', 'patch.json', '--set', 'serial=D', '--dry-run']
  const { request } = await me.json(args)
  expect(request).toEqual({
    method: 'PATCH',
    url: `${devnet.url}/v1/entities/${encodeURIComponent(did)}`,
    headers: {
      'content-type': 'application/json',
      'if-match': '"1"',
      authorization: 'Bearer <an invocation for this request>',
    },
    body: { properties: { serial: 'D', fuel: null }, services: null },
  })
  const { entity } = await me.json(args.slice(0, -1))
  expect(entity).toMatchObject({ version: 2, properties: { serial: 'D' }, services: [] })
})

test("only the controller can change it: the oracle of a project, a login, or the user's key", async () => {
  const me = user()
  const project = await makeProject()
  const { did } = await stoveOf(me, project.folder)
  const change = ['update-entity', did, '--set', 'serial=Z']
  expect(await me.json(change)).toMatchObject({
    code: 3,
    error: {
      code: 'not_signed_in',
      message: `You are not signed in as the controller ${project.did} at the registry at ${devnet.url}.`,
      remedy: 'Sign in with its phone or key: sibyl login',
    },
  })
  expect(await me.json(change, { cwd: project.folder })).toMatchObject({ code: 0, entity: { version: 2 } })

  const phone = createSigningKey()
  const { key } = await openDeveloperKey(me.home)
  const resource = `oracle:${devnet.did}`
  const logIn = async (expiresAt: number, abilities = ['entities/*', 'auth/impersonate']) => {
    const delegation = await mintDelegation({ key: phone, audience: key.did, resource, abilities })
    const facts = {
      registry: devnet.did,
      url: devnet.url,
      title: 'Devnet',
      controller: phone.did,
      method: 'qr',
    } as const
    const end = new Date(expiresAt).toISOString()
    await new KeptLogins(me.home).keep({
      ...facts,
      audience: key.did,
      abilities,
      delegation,
      expiresAt: end,
    })
  }
  await logIn(Date.now() + 60_000, ['entities/*'])
  expect(await me.json(change)).toMatchObject({ code: 3, error: { code: 'not_signed_in' } })
  expect((await me.json(['create-entity', '--type', 'CookStove'])).error).toMatchObject({
    code: 'not_signed_in',
    message: `Your login at Devnet does not allow this computer to act as ${phone.did}: an earlier version created it.`,
    remedy: 'Sign in again with its phone or key: sibyl login',
  })
  expect((await me.sibyl(['whoami'], { columns: 300 })).text).toContain(
    'from an earlier version; sign in again: sibyl login',
  )
  await logIn(Date.now() + 60_000)
  const own = await stoveOf(me)
  expect(own.controller).toBe(phone.did)
  const ownChange = ['update-entity', own.did, '--set', 'serial=Y']
  expect(await me.json(ownChange)).toMatchObject({ code: 0, entity: { version: 2 } })
  await logIn(Date.now() - 1_000)
  const { error } = await me.json([...ownChange, '--set', 'serial=X'])
  expect(error).toMatchObject({ code: 'not_signed_in', message: expect.stringContaining(' expired at ') })
})

test('irreversible changes ask first, or require --yes', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  const other = createSigningKey().did
  const reported = [
    [['--deactivate'], '--deactivate cannot be undone'],
    [['--controller', other], '--controller transfers the entity'],
    [['--file', '-'], 'The patch transfers the entity to another controller'],
  ] as const
  for (const [args, words] of reported) {
    const stdin = JSON.stringify({ controller: other })
    expect(await me.json(['update-entity', did, ...args], { stdin })).toMatchObject({
      code: 2,
      error: { message: `${words}, and there is no terminal for a confirmation.` },
    })
  }
  const asked = me.start(['update-entity', did, '--deactivate'], { isTTY: true })
  await asked.terminal.until('Deactivate it permanently?')
  asked.terminal.type('n')
  expect(await asked.ended).toBe(1)
  expect(asked.terminal.text).toMatch(/Nothing was changed\.\n$/)
  const meant = me.start(['update-entity', did, '--deactivate'], { isTTY: true })
  await meant.terminal.until('Deactivate it permanently?')
  meant.terminal.type('y')
  expect(await meant.ended).toBe(0)
  expect(meant.terminal.text).toContain('status  active  → deactivated\n')
  expect(meant.terminal.text).toMatch(/Deactivated, version 2\.\n$/)
  expect((await me.sibyl(['update-entity', did, '--deactivate', '--yes'])).text).toContain('already has these values')
  expect(await me.json(['update-entity', did, '--set', 'a=b'])).toMatchObject({
    code: 1,
    error: { code: 'registry_refused' },
  })
})

test('an entity is transferred by an offer that the other party accepts', async () => {
  const [me, other] = [user(), user()]
  const { did } = await stoveOf(me)
  const { did: otherDid } = (await openDeveloperKey(other.home)).key
  const handOver = ['update-entity', did, '--controller', otherDid, '--yes']
  const offered = await me.sibyl(handOver)
  expect([offered.code, offered.text]).toEqual([
    0,
    expect.stringContaining(
      `It is offered to ${otherDid}, who accepts with: sibyl update-entity ${did} --controller ${otherDid}\n`,
    ),
  ])
  expect((await me.sibyl(handOver)).text).toContain('already has these values')
  expect(await me.json(['update-entity', did, '--set', 'a=b'])).toMatchObject({ code: 0, entity: { version: 3 } })
  expect(await other.json(handOver)).toMatchObject({ code: 0, entity: { controller: otherDid, version: 4 } })
  expect(await me.json(['update-entity', did, '--set', 'a=c'])).toMatchObject({ error: { code: 'not_signed_in' } })
  expect(await other.json(['update-entity', did, '--set', 'a=d'])).toMatchObject({ code: 0, entity: { version: 5 } })
})

test('a concurrent change of another caller is not lost', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  const asked = me.start(['update-entity', did, '--deactivate'], { isTTY: true })
  await asked.terminal.until('Deactivate it permanently?')
  const { key } = await openDeveloperKey(me.home)
  const registry = new HttpRegistry({ url: devnet.url, signer: key })
  await registry.update(did, { properties: { serial: 'other' } }, '"1"')
  asked.terminal.type('y')
  expect(await asked.ended).toBe(1)
  expect(asked.terminal.errors).toBe(
    'sibyl: Another controller changed the entity since it was read; your change was not applied.\n' +
      '       Run the command again: it shows the current entity.\n',
  )
})

test('reports a wrong call in a sentence', async () => {
  const me = user()
  const { did } = await stoveOf(me)
  const wrong: [readonly string[], number, string][] = [
    [['nobody', '--set', 'a=b'], 2, 'Pass the DID of the entity'],
    [[did], 2, 'No change was given.'],
    [[did, '--deactivate', '--set', 'a=b'], 2, '--deactivate cannot be combined with other changes.'],
    [[did, '--set', 'a'], 2, 'Expected name=value.'],
    [[did.replace(/\w{26}$/, `01${'z'.repeat(24)}`), '--set', 'a=b'], 1, 'has no entity'],
    [[did, '--controller', 'me', '--yes'], 2, '/controller  is not a DID.'],
  ]
  for (const [args, code, words] of wrong) {
    const called = await me.sibyl(['update-entity', ...args])
    expect([called.code, called.text, called.errors]).toEqual([code, '', expect.stringContaining(words)])
  }
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSigningKey } from '@sibyl/identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readKeys } from '../../devnet/devnet-keys.ts'
import { openDeveloperKey } from '../../home/developer-key.ts'
import { makeProject, openDevnet, person, temporaryFolder } from '../../registry/registry-project.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

const user = () => person({ REGISTRY_URL: devnet.url })

test("creates an entity from options, and registers it under the user's key", async () => {
  const { sibyl, json, home } = user()
  const { key } = await openDeveloperKey(home)
  const parts = [
    '--property',
    'serial=A-17',
    '--property',
    'watts=800',
    '--property',
    'zip="07"',
    '--property=fuel=null',
  ]
  const service = ['--service', 'readings=Telemetry=https://example.org/?a=b']
  const made = await json(['create-entity', '--type', 'CookStove', ...parts, ...service])
  expect(made).toMatchObject({
    code: 0,
    etag: '"1"',
    registry: { network: 'devnet', url: devnet.url },
    entity: {
      type: 'CookStove',
      controller: key.did,
      properties: { serial: 'A-17', watts: 800, zip: '07', fuel: null },
      services: [{ id: '#readings', type: 'Telemetry', endpoint: 'https://example.org/?a=b' }],
    },
  })
  const { did } = made.entity
  const { code, text } = await sibyl(['create-entity', '--type=Part', '--relationship', `partOf=${did}`])
  expect([code, text.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(/^Registered {2}did:web:localhost%3A\d+:entities:\w+$/),
      'type        Part, of the Physical Twins',
      `controller  ${key.did} (you)`,
      `registry    the registry at ${devnet.url}`,
      '',
    ],
  ])
})

test('in a project the oracle signs, and options override the file', async () => {
  const { json } = user()
  const project = await makeProject()
  const stove = { type: 'Part', properties: { serial: 'B-1', fuel: 'wood' }, services: [] }
  writeFileSync(join(project.folder, 'stove.json'), `\uFEFF${JSON.stringify(stove)}`)
  const args = ['create-entity', '--file', 'stove.json', '--type', 'CookStove', '--property', 'serial=B-2']
  const { entity } = await json(args, { cwd: project.folder })
  expect(entity).toMatchObject({
    type: 'CookStove',
    controller: project.did,
    properties: { serial: 'B-2', fuel: 'wood' },
  })
  const piped = await json(['create-entity', '--file', '-'], { stdin: JSON.stringify(stove), cwd: project.folder })
  expect(piped.entity).toMatchObject({ type: 'Part', controller: project.did })
})

test('registers at the running oracle of a project, unless another registry is set', async () => {
  const { json, sibyl } = person()
  const ORACLE_MNEMONIC = (await readKeys(devnet.folder))?.keys.mnemonic ?? ''
  const PORT = new URL(devnet.url).port
  const { folder } = await makeProject({}, { ORACLE_MNEMONIC, PORT })
  const made = await json(['create-entity', '--type=CookStove'], { cwd: folder })
  expect(made).toMatchObject({ registry: { url: devnet.url }, entity: { controller: `did:web:localhost%3A${PORT}` } })
  const changed = await sibyl(['update-entity', made.entity.did, '--set=watts=800'], { cwd: folder })
  expect(changed).toMatchObject({ code: 0, text: expect.stringContaining('Changed, version 2.') })

  const other = await makeProject({}, { ORACLE_MNEMONIC, PORT, REGISTRY_URL: 'http://127.0.0.1:1' })
  const failed = await json(['create-entity', '--type=CookStove'], { cwd: other.folder })
  expect(failed.error.message).toContain('http://127.0.0.1:1')
})

test('another DID gets an offer, and controls nothing before accepting', async () => {
  const { sibyl, home } = user()
  const { did } = createSigningKey()
  const { text } = await sibyl(['create-entity', '--type', 'CookStove', '--controller', did])
  const { key } = await openDeveloperKey(home)
  expect(text).toContain(`controller  ${key.did} (you)\noffered to  ${did}, who has not accepted yet\n`)
})

test('one idempotency key creates one entity', async () => {
  const { json } = user()
  const args = ['create-entity', '--type', 'CookStove', '--idempotency-key', 'stove 1']
  const first = await json(args)
  expect(await json(args)).toEqual(first)
  const other = await json([...args, '--property', 'serial=C'])
  expect(other).toMatchObject({ code: 1, error: { code: 'registry_refused' } })
})

test('a dry run prints the request, and sends nothing', async () => {
  const { sibyl, json } = person({ REGISTRY_URL: 'http://127.0.0.1:1' })
  const project = await makeProject()
  const args = ['create-entity', '--type', 'CookStove', '--idempotency-key=k', '--dry-run']
  const request = {
    method: 'POST',
    url: 'http://127.0.0.1:1/v1/entities',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'k',
      authorization: 'Bearer <an invocation for this request>',
    },
    body: { type: 'CookStove', controller: project.did },
  }
  const { code, text, errors } = await sibyl(args, { cwd: project.folder })
  expect([code, JSON.parse(text), errors]).toEqual([
    0,
    request,
    'Nothing was changed. Request to the registry at http://127.0.0.1:1:\n',
  ])
  expect(await json(args, { cwd: project.folder })).toEqual({ code: 0, dryRun: true, request })
})

test('prints every error of the registry on a line, with its JSON Pointer', async () => {
  const { sibyl, json } = user()
  const rules = { serial: { type: 'string', required: true }, watts: 'number' }
  const { entity } = await json([
    'create-entity',
    '--type=Protocol',
    `--property=serial=${JSON.stringify(rules.serial)}`,
    '--property=watts=number',
  ])
  const args = ['create-entity', '--type', 'CookStove', '--protocol', entity.did, '--property', 'watts=many']
  const { code, text, errors } = await sibyl(args)
  expect([code, text]).toEqual([1, ''])
  expect(errors.split('\n')).toEqual([
    `sibyl: The registry at ${devnet.url} rejects the input:`,
    expect.stringMatching(/^ {9}\/properties\/(watts|serial) {2}.+\.$/),
    expect.stringMatching(/^ {9}\/properties\/(watts|serial) {2}.+\.$/),
    '       Fix each value, and run the command again.',
    '',
  ])
  const { error } = await json(args)
  expect(error.faults.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    '/properties/serial',
    '/properties/watts',
  ])
})

test('reports input that every registry rejects before any request', async () => {
  const { sibyl, json } = person({ REGISTRY_URL: 'http://127.0.0.1:1' })
  const folder = temporaryFolder()
  const write = (text: string) => {
    const path = join(folder, `${text.length}.json`)
    writeFileSync(path, text)
    return path
  }
  const { error } = await json([
    'create-entity',
    '--type=Cook Stove',
    '--service',
    'a b=T=nowhere',
    '--relationship=9=x',
  ])
  expect(error).toMatchObject({ code: 'usage_invalid' })
  expect(error.faults.map(({ path }: { path: string }) => path)).toEqual([
    '/type',
    '/services/0/id',
    '/services/0/endpoint',
    '/relationships/9',
  ])
  const wrong: [readonly string[], string][] = [
    [[], '--type of the entity is missing'],
    [['--type=A', '--property', '=x'], 'Expected name=value'],
    [['--type=A', '--service', 'api=OracleApi'], 'Expected id=type=url'],
    [['--type=A', '--network', 'moon'], 'Allowed choices are devnet, testnet, mainnet'],
    [['--type=A', '--registry-url', 'http://me:secret@example.org'], '--registry-url is not the address of a registry'],
    [['--type=A', '--idempotency-key', 'a\r\nx-b: c'], 'Expected 1 to 255 ASCII characters'],
    [['--type=A', '--idempotency-key', 'ü'], 'Expected 1 to 255 ASCII characters'],
    [['--type=A', '--idempotency-key', ''], 'Expected 1 to 255 ASCII characters'],
    [['--file', join(folder, 'nothing.json')], 'cannot be read (ENOENT)'],
    [['--file', folder], 'cannot be read (EISDIR)'],
    [['--file', write('[1]')], 'does not contain a JSON object'],
    [
      ['--file', write(`{"type":"A","claim":${'['.repeat(80_000)}${']'.repeat(80_000)}}`)],
      'does not contain a JSON object',
    ],
    [['--file', write(' '.repeat(200_001))], 'has more than 200000 bytes'],
    [['--file', write('{"type":"A","colour":"red"}')], '/colour  The member is unknown.'],
  ]
  for (const [args, words] of wrong) {
    const { code, text, errors } = await sibyl(['create-entity', ...args])
    expect([args.length, code, text, errors]).toEqual([args.length, 2, '', expect.stringContaining(words)])
    expect(errors).not.toContain('secret')
  }
})

test('registers the oracle of a project where it boots, and its project stores the entity', async () => {
  const { json, sibyl } = user()
  const project = await makeProject({ price: '0.10 IXO', prompt: 'Be brief.' }, { PORT: '3210' })
  const at = { cwd: project.folder }
  const { text } = await sibyl(['create-entity', '--oracle', '--dry-run'], at)
  expect(text).toContain('http://localhost:3210/.well-known/oracle.json')
  const made = await json(['create-entity', '--oracle'], at)
  expect(made).toMatchObject({
    code: 0,
    entity: {
      type: 'Oracle',
      controller: project.did,
      alsoKnownAs: [project.did],
      properties: { name: 'Field Oracle', price: '0.10 IXO', model: 'offline', did: project.did },
      services: expect.arrayContaining([{ id: '#api', type: 'OracleApi', endpoint: 'http://localhost:3210' }]),
    },
  })
  const config = JSON.parse(readFileSync(join(project.folder, 'oracle.config.json'), 'utf8'))
  expect(config).toMatchObject({ prompt: 'Be brief.', entityDid: made.entity.did })
  const again = await json(['create-entity', '--oracle'], at)
  expect(again).toMatchObject({ code: 2, error: { message: expect.stringContaining(made.entity.did) } })
})

test.each([
  [['--oracle', '--type', 'Oracle'], 2, '--oracle conflicts with --type and --file'],
  [['--oracle'], 3, 'There is no oracle here'],
])('%j outside of a project exits with %i', async (args, code, message) => {
  const { json } = user()
  const failed = await json(['create-entity', ...args])
  expect(failed).toMatchObject({ code, error: { message: expect.stringContaining(message) } })
})

test('an oracle without a mnemonic has no entity', async () => {
  const { json } = user()
  const { folder } = await makeProject({}, { ORACLE_MNEMONIC: '' })
  const failed = await json(['create-entity', '--oracle'], { cwd: folder })
  expect(failed).toMatchObject({ code: 3, error: { message: expect.stringContaining('ORACLE_MNEMONIC is not set') } })
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { controllerFor } from '../../registry/controller-for.ts'
import { openRegistry } from '../../registry/open-registry.ts'
import { openRegistryNode } from '../../registry/open-registry-node.ts'
import { registerOracle } from '../../registry/oracle-entity.ts'
import { makeProject, openDevnet, person } from '../../registry/registry-project.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

const profile = { name: 'Field Oracle', description: 'Knows stoves.', price: 'free', model: 'offline' }

/** Creates a registered oracle's project, and the oracle itself once it runs. */
const registered = async () => {
  const me = person({ REGISTRY_URL: devnet.url })
  const project = await makeProject()
  const { io } = me.start(['--version'], { cwd: project.folder }).terminal
  const node = await openRegistryNode('devnet', io)
  const setting = (name: string) => (name === 'ORACLE_MNEMONIC' ? project.words.reveal() : undefined)
  const home = { folder: project.folder, config: {}, envFile: {}, setting }
  const opened = await openRegistry(node, await controllerFor(undefined, node, home, io))
  const facts = { profile, apiUrl: 'http://localhost:4000/', oracleDid: project.did }
  const { entity } = await registerOracle({ opened, ...facts, idempotencyKey: 'one' })
  project.configure({ entityDid: entity.did })
  const call = (...args: string[]) => me.sibyl(['update-oracle-api-url', ...args], { cwd: project.folder })
  const json = (...args: string[]) => me.json(['update-oracle-api-url', ...args], { cwd: project.folder })
  const services = async () => (await opened.registry.get(entity.did))?.entity.services
  return { me, project, entity, call, json, services, opened }
}

const serveOracle = async (mnemonic: string) => {
  const { app } = await testApp({ plugins: [], env: { ORACLE_NAME: 'Field Oracle', ORACLE_MNEMONIC: mnemonic } })
  onTestFinished(() => app.close())
  return (await app.listen({ host: '127.0.0.1', port: 0 })).port
}

const servicesAt = (url: string) => [
  { id: '#api', type: 'OracleApi', endpoint: url },
  { id: '#identity', type: 'OracleIdentity', endpoint: `${url}/.well-known/oracle.json` },
  { id: '#openapi', type: 'OpenApi', endpoint: `${url}/openapi.json` },
  { id: '#health', type: 'OracleHealth', endpoint: `${url}/health` },
]

test('updates the address in the registry once this oracle responds there', async () => {
  const { project, entity, call, json, services } = await registered()
  expect(entity).toMatchObject({
    type: 'Oracle',
    domainClass: 'Oracle Twins',
    controller: project.did,
    properties: { ...profile, did: project.did },
    alsoKnownAs: [project.did],
    services: servicesAt('http://localhost:4000'),
  })
  const port = await serveOracle(project.words.reveal())
  const { code, text, errors } = await call('--port', String(port))
  const rest = ['.well-known/oracle.json', 'openapi.json', 'health']
  const line = (name: string, path: string) =>
    `${name.padEnd(9)}  ${`http://localhost:4000${path}`.padEnd(45)}  → http://localhost:${port}${path}`
  expect([code, errors, text.split('\n')]).toEqual([
    0,
    '',
    [
      line('#api', ''),
      ...['#identity', '#openapi', '#health'].map((name, index) => line(name, `/${rest[index]}`)),
      '',
      `The registry now lists the oracle at http://localhost:${port}.`,
      '',
    ],
  ])
  expect(await services()).toEqual(servicesAt(`http://localhost:${port}`))
  const again = await call(`http://localhost:${port}/`)
  expect(again).toMatchObject({
    code: 0,
    text: `The registry already lists the oracle at http://localhost:${port}; nothing was changed.\n`,
  })
  expect(await json('--port', String(port))).toMatchObject({ code: 0, changed: false })
})

test('changes nothing if no oracle, another one, or something else responds', async () => {
  const { call, json, services } = await registered()
  const stranger = await serveOracle('test test test test test test test test test test test junk')
  const other = createServer((_, response) => response.end('{"name":1}')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const wrong: [string, string][] = [
    ['http://127.0.0.1:1', 'No oracle responds at http://127.0.0.1:1 ('],
    [`http://127.0.0.1:${stranger}`, 'Another oracle responds at '],
    [`http://127.0.0.1:${(other.address() as AddressInfo).port}`, 'is not an oracle (no description of an oracle)'],
  ]
  for (const [url, words] of wrong) {
    const { code, errors } = await call(url)
    expect([code, errors]).toEqual([4, expect.stringContaining(words)])
    expect(await json(url)).toMatchObject({ code: 4, error: { code: 'api_url_refused' } })
  }
  expect(await services()).toEqual(servicesAt('http://localhost:4000'))
  expect(await json('https://oracle.example.org/field', '--no-check')).toMatchObject({
    code: 0,
    before: 'http://localhost:4000',
    after: 'https://oracle.example.org/field',
    changed: true,
  })
  expect(await services()).toEqual(servicesAt('https://oracle.example.org/field'))
})

test('keeps services elsewhere, and a dry run changes nothing', async () => {
  const { me, project, entity, json, services } = await registered()
  const { did } = entity
  const notes = [
    '--service',
    'notes=Notes=http://localhost:40001/notes',
    '--service',
    'health=Health=http://localhost:4000?x',
  ]
  await me.sibyl(['update-entity', did, ...notes], { cwd: project.folder })
  const before = await services()
  const { request } = await json('--port', '5000', '--dry-run')
  expect(request).toMatchObject({ method: 'PATCH', headers: { 'if-match': '"2"' } })
  expect(await services()).toEqual(before)
  await json('--port', '5000', '--no-check')
  expect((await services())?.map(({ endpoint }) => endpoint)).toEqual([
    'http://localhost:5000',
    'http://localhost:5000/.well-known/oracle.json',
    'http://localhost:5000/openapi.json',
    'http://localhost:5000?x',
    'http://localhost:40001/notes',
  ])
})

test('without a URL it is where the project boots', async () => {
  const { me, project, entity, json } = await registered()
  expect(await json('--no-check')).toMatchObject({ after: 'http://localhost:3000' })
  const settled = await makeProject(
    { entityDid: entity.did },
    { ORACLE_MNEMONIC: project.words.reveal(), PORT: '3100' },
  )
  const at = { cwd: settled.folder }
  expect(await me.json(['update-oracle-api-url', '--no-check'], at)).toMatchObject({ after: 'http://localhost:3100' })
  const elsewhere = person({ REGISTRY_URL: devnet.url, PUBLIC_URL: 'https://field.example.org' })
  const reported = await elsewhere.json(['update-oracle-api-url', '--no-check'], at)
  expect(reported).toMatchObject({ after: 'https://field.example.org' })
})

test('asks for missing facts in a sentence', async () => {
  const me = person({ REGISTRY_URL: devnet.url })
  const { folder } = await makeProject()
  const wrong: [readonly string[], string, string | undefined][] = [
    [[], 'Outside of a project the new url is required.', undefined],
    [['http://localhost:1'], 'There is no project in this folder.', undefined],
    [['http://localhost:1'], 'This project has no entity of its oracle.', folder],
    [['http://localhost:1', '--port', '1'], 'conflicts with --port', folder],
    [['ftp://localhost'], 'is not the address of an oracle', folder],
    [['--port', '0'], 'Expected a number from 1 to 65535.', folder],
    [['http://localhost:1', '--entity', 'me'], 'is not a DID', folder],
  ]
  for (const [args, words, cwd] of wrong) {
    const { code, text, errors } = await me.sibyl(['update-oracle-api-url', ...args], cwd ? { cwd } : {})
    expect([code, text, errors]).toEqual([2, '', expect.stringContaining(words)])
  }
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { bundledPlugins } from '@sibyl/bundle'
import { createMnemonic, createSigningKey, mintDelegation } from '@sibyl/identity'
import { testApp } from '@sibyl/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDeveloperKey } from '../home/developer-key.ts'
import { KeptDelegations } from '../home/kept-delegations.ts'
import { bundledSibyl } from '../process/bundled-sibyl.test.helper.ts'
import { openDevnet, person, temporaryFolder } from './registry-project.test.helper.ts'

let devnet: Awaited<ReturnType<typeof openDevnet>>
beforeAll(async () => {
  devnet = await openDevnet()
})
afterAll(() => devnet.remove())

/** Runs `sibyl` as a process. */
const sibyl = (args: readonly string[], env: Readonly<Record<string, string>>) => {
  const { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [bundledSibyl, ...args], {
    cwd: temporaryFolder(),
    env: { PATH, NODE_OPTIONS, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output = Promise.all([buffer(child.stdout), buffer(child.stderr)])
  const ended = once(child, 'close').then(async ([code, signal]) => {
    const [stdout, stderr] = (await output).map(String)
    return { code: code ?? signal, stdout: stdout ?? '', stderr: stderr ?? '' }
  })
  return { child, ended }
}

/** Starts a proxy that forwards requests to the devnet, and drops the responses to writes. */
const silentProxy = async () => {
  const written = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const { authorization = '', 'idempotency-key': key = '' } = headers
    const answer = await fetch(devnet.url + url, {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': String(key) } : {}),
      },
      ...(method === 'POST' ? { body: await buffer(request) } : {}),
    })
    const body = await answer.text()
    if (method === 'POST') written.resolve()
    else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, written: written.promise }
}

const oracles = async (name: string) => {
  const headers = { authorization: `Bearer ${devnet.keys.apiKey}` }
  const answer = await fetch(`${devnet.url}/v1/entities?type=Oracle`, { headers })
  const { entities } = (await answer.json()) as { entities: { did: string; properties: { name?: string } }[] }
  return entities.filter(({ properties }) => properties.name === name)
}

test('killed between the request and its response, the same key returns the same entity', async () => {
  const env = { SIBYL_MNEMONIC: createMnemonic(12).reveal() }
  const args = ['create-entity', '--type=Oracle', '--property=name=Killed', '--idempotency-key=one']
  const proxy = await silentProxy()
  const first = sibyl(args, { ...env, SIBYL_HOME: temporaryFolder(), REGISTRY_URL: proxy.url })
  await proxy.written
  first.child.kill('SIGKILL')
  expect((await first.ended).code).toBe('SIGKILL')
  const [made] = await oracles('Killed')
  const { code, entity } = await person({ ...env, REGISTRY_URL: devnet.url }).json(args)
  expect([code, entity.did]).toEqual([0, made?.did])
  expect(await oracles('Killed')).toHaveLength(1)
})

test('two concurrent processes start one devnet, and both register', { tags: 'long' }, async () => {
  const env = { SIBYL_HOME: temporaryFolder() }
  const ends = await Promise.all(
    ['one', 'two'].map(
      name => sibyl(['create-entity', '--type', 'Part', `--property=name=${name}`, '--json'], env).ended,
    ),
  )
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  const hosts = ends.map(({ stdout }) => JSON.parse(stdout).entity.did.split(':entities:')[0])
  expect(hosts[0]).toBe(hosts[1])
})

test('Ctrl-C ends a devnet that was started for the command', async () => {
  const me = person()
  const { entity } = await me.json(['create-entity', '--type', 'CookStove'])
  const asked = me.start(['update-entity', entity.did, '--deactivate'], { isTTY: true })
  await asked.terminal.until('Deactivate it permanently?')
  asked.terminal.interrupt()
  expect(await asked.ended).toBe(130)
  expect(await me.json(['update-entity', entity.did, '--set', 'a=b'])).toMatchObject({ entity: { version: 2 } })
})

test('reports an invalid mnemonic and invalid settings without their values', async () => {
  const call = async (env: Record<string, string>) => {
    const { code, errors } = await person({ REGISTRY_URL: devnet.url, ...env }).sibyl(['create-entity', '--type=A'])
    return [code, errors.split('\n')[0]]
  }
  const [code, words] = await call({
    SIBYL_MNEMONIC: 'legal winner thank year wave sausage worth useful legal winner thank secret',
  })
  expect([code, words]).toEqual([3, expect.stringContaining('SIBYL_MNEMONIC is not a mnemonic.')])
  expect(words).not.toContain('sausage')
  expect(await call({ NETWORK: 'moon' })).toEqual([3, 'sibyl: NETWORK has an unknown value.'])
  expect(await call({ REGISTRY_URL: 'ftp://a:b@c' })).toEqual([
    3,
    'sibyl: REGISTRY_URL is not the address of a registry.',
  ])
  expect(await call({ NETWORK: 'testnet' })).toEqual([
    3,
    'sibyl: The testnet is a chain, and its RPC address is not set.',
  ])
})

test('with delegated access, a delegation of the operator is accepted', async () => {
  const operator = createSigningKey()
  const env = { ORACLE_ACCESS: 'delegated', ORACLE_CONTROLLERS: operator.did }
  const { app } = await testApp({ plugins: bundledPlugins().filter(({ name }) => name === 'entities'), env })
  onTestFinished(() => app.close())
  const { url } = await app.listen({ host: '127.0.0.1', port: 0 })
  const me = person({ REGISTRY_URL: url })
  const { key } = await openDeveloperKey(me.home)
  const args = ['create-entity', '--type', 'CookStove']
  expect(await me.json(args)).toMatchObject({
    code: 1,
    error: { code: 'access_refused', message: expect.stringContaining('(ucan_untrusted_root)') },
  })
  const oracle = app.identity.did ?? ''
  const abilities = ['entities/*']
  const token = await mintDelegation({ key: operator, audience: key.did, resource: `oracle:${oracle}`, abilities })
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  const facts = { oracle, url, audience: key.did, issuer: operator.did, abilities, expiresAt, token }
  await new KeptDelegations(me.home).keep(facts)
  const { entity } = await me.json(args)
  expect(entity.controller).toBe(key.did)
  expect(await me.json(['update-entity', entity.did, '--set', 'a=1'])).toMatchObject({ entity: { version: 2 } })
})

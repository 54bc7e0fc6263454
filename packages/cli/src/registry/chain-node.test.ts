import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMnemonic, createSigningKey } from '@sibyl/identity'
import { type ChainNodeProcess, startChainNode } from '@sibyl/registry-ixo/testing/chain-node'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { installCommand } from './chain-node.ts'
import { makeProject, person, temporaryFolder } from './registry-project.test.helper.ts'

let node: ChainNodeProcess
beforeAll(async () => {
  node = await startChainNode()
})
afterAll(() => node.stop())

const oracle = async () => {
  const project = await makeProject({ network: 'testnet' }, { CHAIN_RPC_URL: `${node.url}/an-api-key` })
  const me = person()
  const json = (...args: string[]) => me.json(args, { cwd: project.folder })
  return { me, project, json }
}

test('on a chain it is registered, read and changed with the mnemonic of the project', async () => {
  const { me, project, json } = await oracle()
  const creation = ['create-entity', '--type=Oracle', '--property=name=Tides', '--idempotency-key=one']
  const service = ['--service', 'api=OracleApi=http://localhost:4000']
  const { request } = await json(...creation, ...service, '--dry-run')
  expect(request).toMatchObject({ chainId: 'pandora-8', signer: expect.stringMatching(/^ixo1/) })
  expect(JSON.stringify(request)).toContain('MsgCreateEntity')
  expect((await node.send({ do: 'report' })).transactions).toEqual([])

  const { error } = await json(...creation, ...service)
  expect(error).toMatchObject({
    code: 'account_unfunded',
    message: expect.stringContaining(`${request.signer} on pandora-8`),
  })
  await node.send({ do: 'fund', address: request.signer, amount: '1000000' })
  const { entity, registry } = await json(...creation, ...service)
  expect(registry).toEqual({ network: 'testnet', url: node.url })
  expect(entity).toMatchObject({ type: 'Oracle', controller: project.did, properties: { name: 'Tides' } })
  expect(entity.did).toMatch(/^did:ixo:entity:/)
  expect((await json(...creation, ...service)).entity.did).toBe(entity.did)
  expect((await node.send({ do: 'report' })).entities).toHaveLength(1)
  // The key belonged to the user, who may use it again.
  expect(readdirSync(join(me.home, 'chain-journal'))).toHaveLength(1)

  project.configure({ network: 'testnet', entityDid: entity.did })
  const moved = await json('update-oracle-api-url', '--port', '3000', '--no-check')
  expect(moved).toMatchObject({ before: 'http://localhost:4000', after: 'http://localhost:3000', changed: true })
  const { request: dropping } = await json('update-entity', entity.did, '--deactivate', '--dry-run')
  expect(JSON.stringify(dropping)).toContain('/ixo.')
  const changed = await json('update-entity', entity.did, '--set', 'name=Tides and winds')
  expect(changed.entity.properties).toEqual({ name: 'Tides and winds' })

  const other = ['update-entity', entity.did, '--controller', createSigningKey().did]
  const handing = me.start(other, { cwd: project.folder, isTTY: true })
  await handing.terminal.until('Set another controller?')
  await handing.terminal.until('On testnet your account still owns it')
  handing.terminal.type('y')
  expect(await handing.ended, handing.terminal.errors).toBe(0)
  expect(await json('update-entity', entity.did, '--set', 'name=Mine still')).toMatchObject({ code: 0 })
})

test('after an interruption it shows the command that continues, and registers once', async () => {
  const { me, project, json } = await oracle()
  const creation = ['create-entity', '--type', 'CookStove', '--property', 'name=A stove']
  const { error } = await json(...creation)
  await node.send({ do: 'fund', address: /\bixo1\w+/.exec(error.message)?.[0] ?? '', amount: '1000000' })
  const before = (await node.send({ do: 'report' })).entities.length
  await node.send({ do: 'fail', faults: [{ method: 'tx', kind: 'silence' }] })
  const broken = me.start(creation, { cwd: project.folder })
  const silent = async (): Promise<void> => {
    const { requests } = await node.send({ do: 'report' })
    if (requests.at(-1)?.method !== 'tx') await silent()
  }
  await silent()
  broken.terminal.interrupt()
  expect(await broken.ended).toBe(130)
  const [report, command = ''] = broken.terminal.errors.split('\n')
  expect(report).toBe('sibyl: Interrupted; the entity may already be registered.')
  const [, key = ''] = /^ {7}To continue without registering twice: sibyl (.+)$/.exec(command) ?? []
  expect(key).toMatch(/^create-entity --type=CookStove --property='name=A stove' --idempotency-key=[-\w]{36}$/)
  const again = await json(...creation, ...key.split(' ').slice(-1))
  expect(again, JSON.stringify(again)).toMatchObject({ code: 0 })
  expect((await node.send({ do: 'report' })).entities).toHaveLength(before + 1)
})

test('discards a temporary key once the entity exists', async () => {
  const { me, json } = await oracle()
  const { error } = await json('create-entity', '--type=A')
  await node.send({ do: 'fund', address: /\bixo1\w+/.exec(error.message)?.[0] ?? '', amount: '1000000' })
  expect(await json('create-entity', '--type=A')).toMatchObject({ code: 0 })
  expect(readdirSync(join(me.home, 'chain-journal'))).toEqual([])
})

test('Ctrl-C ends the requests to the chain', async () => {
  const gone = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    response.once('close', () => gone.resolve())
    request.resume().once('end', () => asked.resolve())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const me = person({ SIBYL_MNEMONIC: createMnemonic(12).reveal(), CHAIN_RPC_URL: rpcUrl })
  const call = me.start(['create-entity', '--type=A', '--network=testnet'])
  await asked.promise
  call.terminal.interrupt()
  expect(await call.ended).toBe(130)
  await gone.promise
})

test('a project has its own package for the chain', async () => {
  const { project, json } = await oracle()
  const folder = join(project.folder, 'node_modules/@sibyl/registry-ixo')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"@sibyl/registry-ixo","type":"module","exports":"./index.js"}')
  const code = "Object.assign(new Error('That of the project.'), { code: 'chain_fee_too_high' })"
  writeFileSync(join(folder, 'index.js'), `export const openIxoRegistry = async () => { throw ${code} }`)
  expect(await json('create-entity', '--type=A')).toMatchObject({ error: { message: 'That of the project.' } })
})

test('if the package is missing, the command that installs it is printed', async () => {
  const folder = temporaryFolder()
  const own = join(folder, 'node_modules/@sibyl/cli/dist/registry')
  const wanted = /@sibyl\/registry-ixo@\d+\.\d+\.\d+$/
  expect(await installCommand(folder)).toMatch(/^npm install @/)
  expect(await installCommand(undefined, own)).toMatch(/^npm install --global @/)
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'pnpm-lock.yaml'), '')
  expect(await installCommand(undefined, own)).toBe(`cd ${folder} && ${await installCommand(folder)}`)
  expect(await installCommand(folder)).toMatch(/^pnpm add @/)
  expect(await installCommand(folder)).toMatch(wanted)
  expect(await installCommand(undefined, '/home/me/.npm/_npx/1a/node_modules/@sibyl/cli/dist')).toMatch(
    /^npx --package /,
  )
})

test('another key cannot sign there, and no login can', async () => {
  const { me } = await oracle()
  const flags = ['create-entity', '--type=A', '--network=testnet', '--rpc-url', node.url]
  expect(await me.json(flags)).toMatchObject({ code: 3, error: { code: 'not_signed_in' } })
  const { error } = await person({ SIBYL_MNEMONIC: createMnemonic(24).reveal() }).json(flags)
  expect(error).toMatchObject({
    code: 'account_unfunded',
    message: expect.stringMatching(/The account ixo1\w+ on pandora-8/),
  })
})

test('reports properties without a place on the chain with their path, and rejects a node of another network', async () => {
  const { json } = await oracle()
  const names = ['--file', '-']
  const stdin = JSON.stringify({ type: 'Oracle', alsoKnownAs: ['did:key:z6MkA', 'did:key:z6MkB'] })
  const me = person({ SIBYL_MNEMONIC: createMnemonic(12).reveal(), CHAIN_RPC_URL: node.url })
  expect(await me.json(['create-entity', '--network=testnet', ...names], { stdin })).toMatchObject({
    code: 1,
    error: { code: 'registry_refused', faults: [{ path: expect.stringMatching(/^\/alsoKnownAs/) }] },
  })
  expect(await json('create-entity', '--type=A', '--network=mainnet')).toMatchObject({
    code: 4,
    error: {
      code: 'registry_unavailable',
      message: expect.stringContaining('belongs to pandora-8, not to the mainnet'),
    },
  })
  expect(await json('create-entity', '--type=A', '--rpc-url=http://127.0.0.1:1')).toMatchObject({
    code: 4,
    error: { code: 'registry_unavailable' },
  })
})

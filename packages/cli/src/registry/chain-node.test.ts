import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createMnemonic } from '@sibyl/identity'
import { type ChainNodeProcess, startChainNode } from '@sibyl/registry-ixo/testing/chain-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProject, person } from './registry-desk.test.helper.ts'

let node: ChainNodeProcess
beforeAll(async () => {
  node = await startChainNode()
})
afterAll(() => node.stop())

const oracle = async () => {
  const project = await makeProject({ network: 'testnet' }, { CHAIN_RPC_URL: node.url })
  const me = person()
  const json = (...args: string[]) => me.json(args, { cwd: project.folder })
  return { me, project, json }
}

test('on a chain it is registered, read and changed by the words of the project', async () => {
  const { me, project, json } = await oracle()
  const creation = ['create-entity', '--type=Oracle', '--property=name=Tides', '--idempotency-key=one']
  const service = ['--service', 'api=OracleApi=http://localhost:4000']
  const { request } = await json(...creation, ...service, '--dry-run')
  expect(request).toMatchObject({ chainId: 'pandora-8', signer: expect.stringMatching(/^ixo1/) })
  expect(JSON.stringify(request)).toContain('MsgCreateEntity')
  expect((await node.tell({ do: 'report' })).transactions).toEqual([])

  const { error } = await json(...creation, ...service)
  expect(error).toMatchObject({
    code: 'registry_refused',
    message: expect.stringContaining(`${request.signer} on pandora-8`),
  })
  await node.tell({ do: 'fund', address: request.signer, amount: '1000000' })
  const { entity } = await json(...creation, ...service)
  expect(entity).toMatchObject({ type: 'Oracle', controller: project.did, properties: { name: 'Tides' } })
  expect(entity.did).toMatch(/^did:ixo:entity:/)
  expect((await json(...creation, ...service)).entity.did).toBe(entity.did)
  expect((await node.tell({ do: 'report' })).entities).toHaveLength(1)
  expect(readdirSync(join(me.home, 'chain-journal'))).toHaveLength(1)

  project.configure({ network: 'testnet', entityDid: entity.did })
  const moved = await json('update-oracle-api-url', '--port', '3000', '--no-check')
  expect(moved).toMatchObject({ before: 'http://localhost:4000', after: 'http://localhost:3000', changed: true })
  const { request: dropping } = await json('update-entity', entity.did, '--deactivate', '--dry-run')
  expect(JSON.stringify(dropping)).toContain('/ixo.')
  const changed = await json('update-entity', entity.did, '--set', 'name=Tides and winds')
  expect(changed.entity.properties).toEqual({ name: 'Tides and winds' })
}, 60_000)

test('another cannot sign there, and no login can', async () => {
  const { me } = await oracle()
  const flags = ['create-entity', '--type=A', '--network=testnet', '--rpc-url', node.url]
  expect(await me.json(flags)).toMatchObject({ code: 3, error: { code: 'not_signed_in' } })
  const { error } = await person({ SIBYL_MNEMONIC: createMnemonic(24).reveal() }).json(flags)
  expect(error).toMatchObject({
    code: 'registry_refused',
    message: expect.stringMatching(/The account ixo1\w+ on pandora-8/),
  })
})

test('what the chain has no place for is told with its place, and a node of another network is refused', async () => {
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
      message: expect.stringContaining('is one of pandora-8, which is not the mainnet'),
    },
  })
  expect(await json('create-entity', '--type=A', '--rpc-url=http://127.0.0.1:1')).toMatchObject({
    code: 4,
    error: { code: 'registry_unavailable' },
  })
})

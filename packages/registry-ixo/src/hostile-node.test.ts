import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NodeFailure } from './testing/chain-node.test.helper.ts'
import { address, startTestChain } from './testing/open-registry.test.helper.ts'
import { encode } from './testing/wire.test.helper.ts'

let chain: Awaited<ReturnType<typeof startTestChain>>
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.node.stop())

const paths = {
  account: '/cosmos.auth.v1beta1.Query/Account',
  simulate: '/cosmos.tx.v1beta1.Service/Simulate',
  document: '/ixo.iid.v1beta1.Query/IidDocument',
  entity: '/ixo.entity.v1beta1.Query/Entity',
}
const did = `did:ixo:entity:${'0'.repeat(32)}`

/** Gives up on nothing but entities: on a busy computer everything else may take longer than a test's time limit. */
const patientFetch: typeof fetch = (input, init) => {
  const asksForEntity = String(init?.body).includes(paths.entity)
  return fetch(input, asksForEntity ? init : { ...init, signal: null })
}

const value = (bytes: Uint8Array): string =>
  JSON.stringify({ response: { code: 0, value: Buffer.from(bytes).toString('base64') } })

test.each<[string, Partial<NodeFailure>, string]>([
  ['no answer', { kind: 'silence' }, 'chain_unreachable'],
  ['a cut connection', { kind: 'cut' }, 'chain_unreachable'],
  ['half an answer', { kind: 'half' }, 'chain_unreachable'],
  ['a proxy without a node', { kind: 'status' }, 'chain_unreachable'],
  ['another address', { kind: 'redirect' }, 'chain_unreachable'],
  ['a page', { kind: 'text', text: '<html>' }, 'chain_answer_invalid'],
  ['no JSON-RPC', { kind: 'text', text: '"hello"' }, 'chain_answer_invalid'],
  ['3 MB', { kind: 'huge' }, 'chain_answer_invalid'],
  ['an error', { kind: 'error', text: 'no' }, 'chain_answer_invalid'],
  ['another result', { kind: 'result', text: '{"response":{"code":"x"}}' }, 'chain_answer_invalid'],
  ['bytes that are nothing', { kind: 'result', text: value(Buffer.from('ffffff', 'hex')) }, 'chain_answer_invalid'],
  [
    'an entity that is another',
    { kind: 'result', text: value(entityBytes('did:ixo:entity:1')) },
    'chain_answer_invalid',
  ],
  ['an entity without times', { kind: 'result', text: value(entityBytes(did)) }, 'chain_answer_invalid'],
  ['a refusal', { kind: 'result', text: '{"response":{"code":5,"log":"no"}}' }, 'chain_answer_invalid'],
])('reports %s in place of an entity', async (_, violation, code) => {
  const registry = await chain.fresh(violation.kind === 'silence' ? { requestTimeoutMs: 100, fetch: patientFetch } : {})
  await chain.fail({ method: 'abci_query', path: paths.entity, kind: 'cut', ...violation })
  const error = await registry.get(did).catch(reason => reason)
  expect(error).toMatchObject({ code })
  expect(error.message).toContain(new URL(chain.node.url).host)
})

function entityBytes(id: string): Buffer {
  return encode([
    [1, encode([[1, id]])],
    [2, encode([[2, id]])],
  ])
}

test('properties that do not fit their proof are not taken for the entity', async () => {
  const registry = await chain.fresh()
  const { entity } = await registry.create({ type: 'Oracle', properties: { price: 'free' } })
  const resource = {
    1: 'EntityProperties',
    2: '{id}#properties',
    5: `data:application/json;base64,${Buffer.from('{"price":"100"}').toString('base64')}`,
    6: 'sha256-AAAA',
  }
  await chain.node.send({ do: 'edit', did: entity.did, members: { resources: [resource] } })
  await expect(registry.get(entity.did)).rejects.toMatchObject({ code: 'chain_answer_invalid' })
})

test('only a node of the expected chain, that is up with it, is opened', async () => {
  await chain.node.send({ do: 'reset', chainId: 'ixo-5' })
  await expect(chain.open({ chainId: 'pandora-8' })).rejects.toMatchObject({
    code: 'chain_mismatch',
    message: expect.stringMatching(/ixo-5.*pandora-8/),
  })
  expect((await chain.open({ chainId: 'ixo-5' })).chainId).toBe('ixo-5')
  await chain.node.send({ do: 'reset', catchingUp: true })
  await expect(chain.open()).rejects.toMatchObject({ code: 'chain_unreachable' })
  await expect(chain.open({ rpcUrl: 'http://127.0.0.1:9/a-key' })).rejects.toMatchObject({
    code: 'chain_unreachable',
    message: expect.not.stringContaining('a-key'),
  })
})

test.each([
  { rpcUrl: 'localhost:26657' },
  { rpcUrl: 'ws://localhost:26657' },
  { rpcUrl: 'https://me:secret@rpc.example' },
  { gasPrice: '0.025' },
  { gasPrice: '-1uixo' },
])('%o cannot be meant', async options => {
  const error = await chain.open(options).catch(reason => reason)
  expect(error).toBeInstanceOf(TypeError)
  expect(error.message).not.toContain('secret')
})

test('an account without funds, or with too little, gets its address', async () => {
  await chain.node.send({ do: 'reset' })
  const registry = await chain.open()
  const reported = { code: 'chain_account_unfunded', address, message: expect.stringContaining(address) }
  await expect(registry.create({ type: 'Oracle' })).rejects.toMatchObject(reported)
  await chain.node.send({ do: 'fund', address, amount: '100' })
  await expect(registry.create({ type: 'Oracle' })).rejects.toMatchObject(reported)
  expect((await chain.report()).requests.map(({ method }) => method)).not.toContain('broadcast_tx_sync')
})

test('a node cannot make the account pay more than was allowed', async () => {
  const registry = await chain.fresh()
  const gas = value(encode([[1, encode([[2, 1_000_000_000]])]]))
  await chain.fail({ method: 'abci_query', path: paths.simulate, kind: 'result', text: gas })
  await expect(registry.create({ type: 'Oracle' })).rejects.toMatchObject({ code: 'chain_fee_too_high' })
  expect((await chain.report()).transactions).toEqual([])
})

test.each<[string, Parameters<typeof chain.open>[0], object]>([
  ['before it is sent', { relayerNode: 'did:ixo:entity:unknown' }, { codespace: 'sdk', chainCode: 22 }],
  ['when it is sent', { gasPrice: '0.001uixo' }, { codespace: 'sdk', chainCode: 13 }],
])('the chain refuses a transaction %s, in its own words', async (_, options, refusal) => {
  const registry = await chain.fresh(options)
  const error = await registry.create({ type: 'Oracle' }).catch(reason => reason)
  expect(error).toMatchObject({ code: 'chain_transaction_refused', ...refusal })
  expect((await chain.report()).entities).toEqual([])
})

test('texts of a node are sanitized and truncated before they are shown', async () => {
  const registry = await chain.fresh()
  const log = `\u001b[2J\u202egone\r\n${'x'.repeat(5_000)}`
  const refusal = JSON.stringify({ response: { code: 7, codespace: 'sdk', log } })
  await chain.fail({ method: 'abci_query', path: paths.simulate, kind: 'result', text: refusal })
  const error = await registry.create({ type: 'Oracle' }).catch(reason => reason)
  expect(error.log).toMatch(/^\[2Jgone x+…$/)
  expect(error.message.length).toBeLessThan(500)
})

test('an entity that lists others as its controllers is not ours', async () => {
  const registry = await chain.fresh()
  const { entity } = await registry.create({ type: 'Oracle' })
  await chain.node.send({ do: 'edit', did: entity.did, members: { controllers: ['did:web:thief.example'] } })
  const now = await registry.get(entity.did)
  expect(now?.entity.controller).toBe('did:web:thief.example')
  await expect(registry.deactivate(entity.did, now?.etag ?? '')).rejects.toMatchObject({ code: 'not_controller' })
})

test('a call ends when its caller gives up, with the reason of the caller', async () => {
  const giveUp = new AbortController()
  const registry = await chain.fresh({ signal: giveUp.signal })
  await chain.fail({ method: 'abci_query', kind: 'silence', times: 9 })
  const reason = new Error('Ctrl-C')
  const asked = registry.create({ type: 'Oracle' })
  giveUp.abort(reason)
  await expect(asked).rejects.toBe(reason)
  await expect(registry.get(did)).rejects.toBe(reason)
})

test('a call has its time', async () => {
  const registry = await chain.fresh({ timeLimitMs: 100, fetch: patientFetch })
  await chain.fail({ method: 'abci_query', kind: 'silence', times: 9 })
  await expect(registry.get(did)).rejects.toMatchObject({
    code: 'chain_unreachable',
    message: expect.stringContaining('100 ms'),
  })
})

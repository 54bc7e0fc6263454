/** @module-tag long */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { NodeFailure } from './testing/chain-node.test.helper.ts'
import { address, mnemonicOf, startTestChain, words } from './testing/open-registry.test.helper.ts'
import type { Journal } from './transactions/journal.ts'

let chain: Awaited<ReturnType<typeof startTestChain>>
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.node.stop())

/** A journal in files, as a process after this one would find it. */
const fileJournal = () => {
  const folder = mkdtempSync(join(tmpdir(), 'sibyl-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pathOf = (key: string) => join(folder, Buffer.from(key).toString('hex'))
  const journal: Journal = {
    async read(key) {
      try {
        return readFileSync(pathOf(key), 'utf8')
      } catch {
        return undefined
      }
    },
    async write(key, text) {
      writeFileSync(pathOf(key), text)
    },
  }
  return journal
}

const entityPath = '/ixo.entity.v1beta1.Query/Entity'
const accountPath = '/cosmos.auth.v1beta1.Query/Account'
const simulatePath = '/cosmos.tx.v1beta1.Service/Simulate'

test.each<[string, NodeFailure[]]>([
  ['the answer to the sending is lost', [{ method: 'broadcast_tx_sync', kind: 'lose' }]],
  ['the sending is cut off', [{ method: 'broadcast_tx_sync', kind: 'cut', times: 2 }]],
  ['the answer to the sending breaks off', [{ method: 'broadcast_tx_sync', kind: 'half' }]],
  ['the answer to the sending is nonsense', [{ method: 'broadcast_tx_sync', kind: 'text', text: '<html>' }]],
  ['a proxy answers in place of the node', [{ method: 'broadcast_tx_sync', kind: 'status' }]],
  ['every look for it fails for a while', [{ method: 'tx', kind: 'cut', times: 3 }]],
  ['a look for it answers another one', [{ method: 'tx', kind: 'result', text: otherTransaction() }]],
])('%s: one entity', async (_, failures) => {
  const registry = await chain.fresh()
  await chain.fail(...failures)
  const { entity } = await registry.create({ type: 'Oracle' })
  const { entities, transactions } = await chain.report()
  expect(entities.map(({ id }) => id)).toEqual([entity.did])
  expect(transactions).toHaveLength(2)
})

function otherTransaction(): string {
  return JSON.stringify({ hash: 'CD'.repeat(32), height: '7', tx_result: { code: 0, data: '' } })
}

/** Opens a registry whose process ends, so to say, when it has asked the node for the third time what `method` asks. */
const openAndEndAt = (method: string, journal: Journal) => {
  const end = new AbortController()
  let times = 0
  return chain.open({
    journal,
    signal: end.signal,
    fetch(input, init) {
      if (String(init?.body).includes(`"method":"${method}"`)) times += 1
      if (times === 3) end.abort(new Error('ended'))
      return fetch(input, init)
    },
  })
}

/** The hash of what the journal has under a key. */
const hashIn = async (journal: Journal, key: string): Promise<string> =>
  JSON.parse((await journal.read(key)) ?? '{}').hash

test('a later process continues with what an earlier one sent: nothing is registered twice', async () => {
  const journal = fileJournal()
  await (await chain.fresh()).create({ type: 'CookStove' })
  const creation = { type: 'Oracle', properties: { name: 'Tides', price: 'free' } }
  await chain.fail({ method: 'tx', kind: 'cut', times: 1_000 })
  const earlier = await openAndEndAt('tx', journal)
  await expect(earlier.create(creation, { idempotencyKey: 'k 1' })).rejects.toThrow('ended')
  await chain.node.send({ do: 'heal' })
  const later = await chain.open({ journal })
  const reordered = { properties: { price: 'free', name: 'Tides' }, type: 'Oracle' }
  const made = await later.create(reordered, { idempotencyKey: 'k 1' })
  expect(await later.create(creation, { idempotencyKey: 'k 1' })).toEqual(made)
  const { entities, transactions } = await chain.report()
  expect(entities.map(({ type }) => type)).toEqual(['CookStove', 'oracle'])
  expect(transactions.at(-1)?.hash).toBe(await hashIn(journal, 'k 1'))
})

test('sends again unchanged what never reached a node', async () => {
  const journal = fileJournal()
  await (await chain.fresh()).create({ type: 'CookStove' })
  await chain.fail({ method: 'broadcast_tx_sync', kind: 'cut', times: 1_000 })
  const earlier = await openAndEndAt('broadcast_tx_sync', journal)
  const order = [{ type: 'Oracle' }, { idempotencyKey: 'k 2' }] as const
  await expect(earlier.create(...order)).rejects.toThrow('ended')
  const hash = await hashIn(journal, 'k 2')
  expect((await chain.report()).entities).toHaveLength(1)
  await chain.node.send({ do: 'heal' })
  await (await chain.open({ journal })).create(...order)
  expect((await chain.report()).transactions.at(-1)?.hash).toBe(hash)
})

test('another is signed once it is proven that the first can never be in a block', async () => {
  const journal = fileJournal()
  await (await chain.fresh()).create({ type: 'CookStove' })
  await chain.fail({ method: 'broadcast_tx_sync', kind: 'cut', times: 1_000 })
  const earlier = await openAndEndAt('broadcast_tx_sync', journal)
  const order = [{ type: 'Oracle' }, { idempotencyKey: 'k 3' }] as const
  await expect(earlier.create(...order)).rejects.toThrow('ended')
  const hash = await hashIn(journal, 'k 3')
  await chain.node.send({ do: 'heal' })
  await chain.node.send({ do: 'spend', address })
  await (await chain.open({ journal })).create(...order)
  const { entities, transactions } = await chain.report()
  expect(entities.map(({ type }) => type)).toEqual(['CookStove', 'oracle'])
  expect(transactions.map(one => one.hash)).not.toContain(hash)
  expect(transactions.at(-1)?.sequence).toBe(3)
})

test('an index that is behind proves nothing: no other is signed', async () => {
  const journal = fileJournal()
  const registry = await chain.fresh({ journal })
  const order = [{ type: 'Oracle' }, { idempotencyKey: 'k 4' }] as const
  const made = await registry.create(...order)
  await chain.node.send({ do: 'restart' })
  const late = await openAndEndAt('tx_search', journal)
  const behind = { kind: 'error', text: 'tx not found', times: 1_000 } as const
  await chain.fail({ method: 'tx', ...behind })
  await chain.fail({ method: 'tx_search', kind: 'result', text: '{"txs":[]}', times: 1_000 })
  await expect(late.create(...order)).rejects.toThrow('ended')
  await chain.node.send({ do: 'heal' })
  expect(await (await chain.open({ journal })).create(...order)).toEqual(made)
  expect((await chain.report()).entities).toHaveLength(1)
})

test('another wallet with the same words comes in between: the next place in the sequence is taken', async () => {
  const registry = await chain.fresh()
  await registry.create({ type: 'CookStove' })
  const account = (await accountAnswer()).toString('base64')
  await chain.node.send({ do: 'spend', address })
  const stale = JSON.stringify({ response: { code: 0, value: account } })
  await chain.fail({ method: 'abci_query', path: accountPath, kind: 'result', text: stale })
  await registry.create({ type: 'Oracle' })
  expect((await chain.report()).transactions.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3])
})

/** What the node says of the account now, as bytes. */
const accountAnswer = async (): Promise<Buffer> => {
  const data = Buffer.from(`0a2a${Buffer.from(address).toString('hex')}`, 'hex').toString('hex')
  const response = await fetch(chain.node.url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'abci_query', params: { path: accountPath, data } }),
  })
  return Buffer.from((await response.json()).result.response.value, 'base64')
}

test('so it is with changes', async () => {
  const registry = await chain.fresh()
  const { entity, etag } = await registry.create({ type: 'CookStove' })
  const account = (await accountAnswer()).toString('base64')
  await chain.node.send({ do: 'spend', address })
  const stale = JSON.stringify({ response: { code: 0, value: account } })
  await chain.fail({ method: 'abci_query', path: accountPath, kind: 'result', text: stale })
  expect((await registry.update(entity.did, { properties: { a: 1 } }, etag)).entity.properties).toEqual({ a: 1 })
})

test('reports a transaction that failed in its block; a retry creates another', async () => {
  const registry = await chain.fresh()
  await registry.create({ type: 'CookStove' })
  const tooLittle = JSON.stringify({ response: { code: 0, value: Buffer.from([10, 2, 16, 100]).toString('base64') } })
  await chain.fail({ method: 'abci_query', path: simulatePath, kind: 'result', text: tooLittle })
  const order = [{ type: 'Oracle' }, { idempotencyKey: 'k 5' }] as const
  await expect(registry.create(...order)).rejects.toMatchObject({
    code: 'chain_transaction_refused',
    chainCode: 11,
    codespace: 'sdk',
    message: expect.stringMatching(/in a block .*out of gas/),
  })
  expect((await chain.report()).entities).toHaveLength(1)
  await registry.create(...order)
  expect((await chain.report()).entities).toHaveLength(2)
})

test('reports one that is in no block in time by its hash; it may be retried', async () => {
  const patient = await chain.fresh()
  await patient.create({ type: 'CookStove' })
  await chain.fail({ method: 'tx', kind: 'error', text: 'transaction indexing is disabled', times: 1_000 })
  const order = [{ type: 'Oracle' }, { idempotencyKey: 'k 6' }] as const
  const journal = fileJournal()
  let pressed = patient
  let error = { message: '', hash: '' }
  // In more and more time, until that is enough on this computer, as busy as it is now, to send one and to look for it.
  for (let timeLimitMs = 500; !error.message.includes('indexing is disabled'); timeLimitMs *= 2) {
    pressed = await chain.open({ timeLimitMs, journal })
    error = await pressed.create(...order).catch(reason => reason)
  }
  expect(error).toMatchObject({ code: 'chain_transaction_pending', hash: expect.stringMatching(/^[0-9A-F]{64}$/) })
  expect(error.message).toMatch(/indexing is disabled.*same idempotency key/)
  await chain.node.send({ do: 'heal' })
  await pressed.create(...order)
  const { entities, transactions } = await chain.report()
  expect([entities.length, transactions.at(-1)?.hash]).toEqual([2, error.hash])
})

test('a key is good for one creation, one account and one chain', async () => {
  const journal = fileJournal()
  const registry = await chain.fresh({ journal })
  await registry.create({ type: 'Oracle' }, { idempotencyKey: 'k' })
  const reused = { code: 'idempotency_key_reused' }
  await expect(registry.create({ type: 'CookStove' }, { idempotencyKey: 'k' })).rejects.toMatchObject(reused)
  const other = await chain.open({ journal, mnemonic: mnemonicOf(`${'zoo '.repeat(11)}wrong`) })
  await expect(other.create({ type: 'Oracle' }, { idempotencyKey: 'k' })).rejects.toMatchObject(reused)
  await journal.write('k', '{"version":1,"sequence":"none"}')
  await expect(registry.create({ type: 'Oracle' }, { idempotencyKey: 'k' })).rejects.toMatchObject({
    code: 'chain_journal_invalid',
  })
  expect((await chain.report()).entities).toHaveLength(1)
})

test('the words are in no journal, no request, no error and no print', async () => {
  const asked: string[] = []
  const journal = fileJournal()
  const written: string[] = []
  const registry = await chain.fresh({
    journal: {
      read: journal.read,
      write(key, text) {
        written.push(text)
        return journal.write(key, text)
      },
    },
    fetch(input, init) {
      asked.push(String(input), String(init?.body))
      return fetch(input, init)
    },
  })
  await registry.create({ type: 'Oracle' }, { idempotencyKey: 'k' })
  const error = await registry.create({ type: 'CookStove' }, { idempotencyKey: 'k' }).catch(reason => reason)
  const printed = inspect({ registry, error }, { depth: 12, showHidden: true })
  expect(written).toHaveLength(1)
  expect(asked.filter(text => text.startsWith('http')).every(url => url === `${chain.node.url}/`)).toBe(true)
  for (const text of [...written, ...asked, printed, JSON.stringify(registry)]) expect(text).not.toContain('abandon')
  expect(words).toContain('abandon')
})

test('an entity that the node shows late is waited for', async () => {
  const registry = await chain.fresh()
  const notYet = { response: { code: 22, codespace: 'sdk', log: 'not found' } }
  await chain.fail({ method: 'abci_query', path: entityPath, kind: 'result', text: JSON.stringify(notYet), times: 3 })
  expect((await registry.create({ type: 'Oracle' })).entity.type).toBe('Oracle')
})

import { createMnemonic, createSigningKey } from '@sibyl/identity'
import type { TurnRequest } from '@sibyl/plugin'
import type { Turns } from '@sibyl/plugin/host'
import { sharePostgres } from '@sibyl/storage/testing'
import {
  delegatedActor,
  fromAddress,
  readStream,
  type ScriptedStep,
  scriptedModel,
  streamReader,
  testActor,
  testApp,
} from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import type { OracleApp } from '../boot/oracle-app.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { till } from '../testing/till.ts'

const noon = Date.UTC(2026, 10, 21, 12)

const uses = (inputTokens: number): ScriptedStep => ['fine', { usage: { inputTokens, outputTokens: 10 } }]

const send = (text: string, session = text) => ({
  json: { id: session, message: { id: text, role: 'user', parts: [{ type: 'text', text }] } },
})

const oracleWith = async (steps: readonly ScriptedStep[], env: Record<string, string> = {}) => {
  const clock = { time: noon, now: () => clock.time }
  const turns = Promise.withResolvers<Turns>()
  const channel = samplePlugin('channel', {
    setup: host => {
      turns.resolve(host.turns)
      return {}
    },
  })
  const plugins = [channel, officePlugin(till().parts)]
  const oracle = await testApp({ plugins, model: scriptedModel(steps), env, clock })
  return {
    ...oracle,
    clock,
    turns: await turns.promise,
    send: async (text: string, session?: string) => {
      const answer = await oracle.actor.request('/chat', send(text, session))
      await answer.clone().text()
      return answer
    },
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

test('a DID that used its tokens is rejected until midnight UTC, and accepted afterwards', async () => {
  await using oracle = await oracleWith([uses(990), uses(1), uses(1)], { TOKEN_BUDGET_DID_PER_DAY: '1000' })
  expect((await oracle.send('one')).status).toBe(200)
  const refused = await oracle.send('two')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe(String(12 * 3600))
  const problem = await refused.json()
  expect(problem).toMatchObject({ code: 'token_budget_used' })
  expect(problem.detail).toContain('00:00 UTC')
  const stranger = testActor(oracle.app, oracle.clock.now)
  expect((await stranger.request('/chat', send('three'))).status).toBe(200)
  oracle.clock.time += 12 * 3_600_000
  expect((await oracle.send('two')).status).toBe(200)
})

test('the oracle has a budget across all callers', async () => {
  await using oracle = await oracleWith([uses(600), uses(600), uses(1)], { TOKEN_BUDGET_ORACLE_PER_DAY: '1000' })
  await oracle.send('one')
  const other = testActor(oracle.app, oracle.clock.now)
  await readStream(await other.request('/chat', send('two')))
  const refused = await testActor(oracle.app, oracle.clock.now).request('/chat', send('three'))
  expect(refused.status).toBe(429)
  expect((await refused.json()).detail).toMatch(/^This oracle's daily token budget/)
})

describe('the tokens of a chain of delegations', () => {
  test('count for the holder that the root granted to, so that a fresh key resets nothing', async () => {
    const controller = createSigningKey()
    const env = {
      TOKEN_BUDGET_DID_PER_DAY: '1000',
      ORACLE_ACCESS: 'delegated',
      ORACLE_CONTROLLERS: controller.did,
    }
    await using oracle = await oracleWith([uses(990), uses(1)], env)
    const holder = await delegatedActor(oracle.app, { key: controller }, { now: oracle.clock.now })
    const [one, two] = [
      await delegatedActor(oracle.app, holder, { now: oracle.clock.now }),
      await delegatedActor(oracle.app, holder, { now: oracle.clock.now }),
    ]
    await readStream(await one.request('/chat', send('one')))
    expect((await two.request('/chat', send('two'))).status).toBe(429)
    expect((await holder.request('/chat', send('three'))).status).toBe(429)
    expect(await (await two.request('/usage')).json()).toMatchObject({ tokens: 1000 })
    const other = await delegatedActor(oracle.app, { key: controller }, { now: oracle.clock.now })
    expect((await other.request('/chat', send('four'))).status).toBe(200)
  })
})

describe("the oracle's budget with ORACLE_ACCESS=open", () => {
  const fresh = (oracle: { app: OracleApp; clock: { now(): number } }, address: string) =>
    testActor(fromAddress(oracle.app, address), oracle.clock.now)

  test('is shared by address, however many DIDs it creates, also after a restart', async () => {
    using folder = temporaryFolder()
    const env = {
      TOKEN_BUDGET_ORACLE_PER_DAY: '4000',
      ORACLE_MNEMONIC: createMnemonic(12).reveal(),
      DATABASE_URL: folder.databaseUrl,
    }
    const before = await oracleWith([uses(600), uses(600)], env)
    for (const text of ['one', 'two']) await readStream(await fresh(before, '203.0.113.7').request('/chat', send(text)))
    const refused = await fresh(before, '203.0.113.7').request('/chat', send('three'))
    expect(refused.status).toBe(429)
    const { code, detail } = await refused.json()
    expect([code, detail]).toEqual(['token_budget_used', expect.stringMatching(/^Your address's share .*LIMIT_SHARE/)])
    await before.app.close()
    await using after = await oracleWith([uses(1)], env)
    expect((await fresh(after, '203.0.113.7').request('/chat', send('four'))).status).toBe(429)
    expect((await fresh(after, '203.0.113.8').request('/chat', send('five'))).status).toBe(200)
  })

  test('gives an IPv6 network one share, and its site two', async () => {
    await using oracle = await oracleWith(Array(9).fill(uses(600)), { TOKEN_BUDGET_ORACLE_PER_DAY: '4000' })
    const spend = async (address: string) => {
      const answer = await fresh(oracle, address).request('/chat', send('hi'))
      await answer.text()
      return answer.status
    }
    const inFirst = ['2001:db8:1:1::7', '2001:db8:1:1::8', '2001:db8:1:1::9']
    const inOthers = ['2001:db8:1:2::7', '2001:db8:1:2::8', '2001:db8:1:3::7', '2001:db8:2:1::7']
    const statuses: number[] = []
    for (const address of [...inFirst, ...inOthers]) statuses.push(await spend(address))
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429, 200])
  })

  test('reserves a part for API keys and controllers', async () => {
    const key = createSigningKey()
    const env = {
      TOKEN_BUDGET_ORACLE_PER_DAY: '1000',
      LIMIT_SHARE_PERCENT: '100',
      TURN_MAX_TOKENS: '1000',
      ORACLE_CONTROLLERS: key.did,
      ORACLE_API_KEYS: `shop:${'k'.repeat(32)}`,
    }
    await using oracle = await oracleWith([uses(900), uses(10), uses(10)], env)
    await readStream(await fresh(oracle, '203.0.113.7').request('/chat', send('one')))
    expect((await fresh(oracle, '203.0.113.8').request('/chat', send('two'))).status).toBe(429)
    const controller = testActor(fromAddress(oracle.app, '203.0.113.8'), oracle.clock.now, key)
    await readStream(await controller.request('/chat', send('three')))
    const { json } = send('four')
    const shop = await oracle.app.request('/chat', {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${'k'.repeat(32)}` },
    })
    expect(shop.status).toBe(200)
    await shop.text()
  })
})

test('0 means unlimited', async () => {
  const env = { TOKEN_BUDGET_DID_PER_DAY: '0', TOKEN_BUDGET_ORACLE_PER_DAY: '0' }
  await using oracle = await oracleWith([uses(9e11), uses(9e11), uses(1)], env)
  for (const text of ['one', 'two', 'three']) expect((await oracle.send(text)).status).toBe(200)
  expect(await (await oracle.actor.request('/usage')).json()).not.toHaveProperty('budget')
})

test('of 100 concurrent turns only as many run as the budget allows; the others may retry soon', async () => {
  const gate = Promise.withResolvers<void>()
  const steps = Array.from({ length: 100 }, (): ScriptedStep => [{ wait: gate.promise }, 'fine'])
  const env = { TOKEN_BUDGET_DID_PER_DAY: '10000', TURN_MAX_TOKENS: '1000' }
  await using oracle = await oracleWith(steps, env)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => oracle.actor.request('/chat', send(`m${index}`))),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(90)
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  gate.resolve()
  await Promise.all(answers.filter(({ status }) => status === 200).map(readStream))
  expect((await oracle.send('after')).status).toBe(200)
})

test('an answered message is answered again, whatever remains', async () => {
  await using oracle = await oracleWith([uses(2000)], { TOKEN_BUDGET_DID_PER_DAY: '1000' })
  await oracle.send('one', 's1')
  expect((await oracle.send('two', 's1')).status).toBe(429)
  const again = await readStream(await oracle.actor.request('/chat', send('one', 's1')))
  expect(again.text).toBe('fine')
})

test('a turn of a plugin counts and is rejected in the same way', async () => {
  await using oracle = await oracleWith([uses(2000)], { TOKEN_BUDGET_DID_PER_DAY: '1000' })
  const request: TurnRequest = {
    actor: { did: 'did:key:z6Mkphone', via: 'ussd', scopes: ['chat/send'] },
    session: 's1',
    text: 'hi',
    channel: 'ussd',
    whenBusy: 'queue',
    approvals: 'deny',
  }
  const first = await oracle.turns.run(request)
  if ('refused' in first) throw new Error('refused')
  await first.finished
  expect(await oracle.turns.run(request)).toMatchObject({ refused: { status: 429, code: 'token_budget_used' } })
})

test('a decision is stored while the budget is used up, and applied afterwards', async () => {
  const ask: ScriptedStep = [{ tool: 'pay', input: { amount: 5 } }, { usage: { inputTokens: 2000, outputTokens: 1 } }]
  await using oracle = await oracleWith([ask, uses(1)], { TOKEN_BUDGET_DID_PER_DAY: '1000' })
  const { events } = await readStream(await oracle.actor.request('/chat', send('pay', 's1')))
  const { approvalId } = events.find(({ type }) => type === 'tool-approval-request') as unknown as {
    approvalId: string
  }
  const decide = () => oracle.actor.request(`/chat/s1/approvals/${approvalId}`, { json: { decision: 'once' } })
  expect((await decide()).status).toBe(429)
  oracle.clock.time += 86_400_000
  expect((await readStream(await decide())).last?.type).toBe('finish')
})

test('GET /usage returns the use of the caller today', async () => {
  await using oracle = await oracleWith([uses(490), uses(1)], { TOKEN_BUDGET_DID_PER_DAY: '1000' })
  await oracle.send('one')
  const usage = async () => (await oracle.actor.request('/usage')).json()
  expect(await usage()).toEqual({
    day: '2026-11-21',
    resetsAt: '2026-11-22T00:00:00.000Z',
    tokens: 500,
    budget: 1000,
  })
  oracle.clock.time += 86_400_000
  expect(await usage()).toMatchObject({ day: '2026-11-22', tokens: 0 })
})

test('usage survives a restart, including that of a turn that continues', async () => {
  using folder = temporaryFolder()
  const env = { DATABASE_URL: folder.databaseUrl, TOKEN_BUDGET_DID_PER_DAY: '1000' }
  const step: ScriptedStep = [{ tool: 'look' }, { usage: { inputTokens: 700, outputTokens: 1 } }]
  const before = await oracleWith([step, [{ wait: new Promise(() => {}) }]], env)
  const reader = await streamReader(before.actor.request('/chat', send('one')))
  await reader.until('finish-step')
  await before.app.close()
  const after = await oracleWith([], env)
  const actor = testActor(after.app, after.clock.now, before.actor.key)
  await expect.poll(async () => (await (await actor.request('/usage')).json()).tokens).toBe(701)
  await after.app.close()
})

const postgres = await sharePostgres()
afterAll(() => postgres?.stop())

describe.skipIf(postgres === undefined)('two processes on one PostgreSQL', () => {
  test('share usage and reservations', async () => {
    const env = {
      DATABASE_URL: (await postgres?.createDatabase()) ?? '',
      TOKEN_BUDGET_DID_PER_DAY: '2500',
      TURN_MAX_TOKENS: '1000',
    }
    const gate = Promise.withResolvers<void>()
    const slow: ScriptedStep = [{ wait: gate.promise }, 'x', { usage: { inputTokens: 1200, outputTokens: 0 } }]
    await using one = await oracleWith([slow, slow], env)
    await using two = await oracleWith([slow, uses(200), uses(1)], env)
    const there = testActor(two.app, two.clock.now, one.actor.key)
    const running = await Promise.all([one.actor.request('/chat', send('a')), one.actor.request('/chat', send('b'))])
    const third = await there.request('/chat', send('c'))
    expect((await there.request('/chat', send('d'))).headers.get('retry-after')).toBe('5')
    gate.resolve()
    await Promise.all([...running, third].map(readStream))
    two.clock.time += 2_001
    expect(await (await there.request('/usage')).json()).toMatchObject({ tokens: 3600 })
    expect((await there.request('/chat', send('e'))).headers.get('retry-after')).toBe(String(12 * 3600 - 2))
  })
})

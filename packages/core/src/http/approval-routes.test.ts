import { createSigningKey, mintDelegation, mintInvocation } from '@sibyl/identity'
import type { Host } from '@sibyl/plugin'
import { fakeClock, sharePostgres } from '@sibyl/storage/testing'
import { readStream, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { afterAll, expect, test } from 'vitest'
import { codeOf, decide, pay } from '../testing/approval-questions.ts'
import { officePlugin } from '../testing/office-plugin.ts'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { till } from '../testing/till.ts'

const postgres = await sharePostgres()

afterAll(() => postgres?.stop())

const operatorToken = 'operator-token-of-the-tests-01'
const operator = { headers: { authorization: `Bearer ${operatorToken}` } }

const open = async (steps: Parameters<typeof scriptedModel>[0], env: Readonly<Record<string, string>> = {}) => {
  const { parts, payments } = till()
  const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
  const oracle = await testApp({
    plugins: [officePlugin(parts)],
    model: scriptedModel(steps),
    clock,
    env: { ORACLE_OPERATOR_TOKEN: operatorToken, ...env },
  })
  const inbox = async (path = '/approvals', actor = oracle.actor) => (await actor.request(path)).json()
  return { ...oracle, payments, clock, inbox, [Symbol.asyncDispose]: () => oracle[Symbol.asyncDispose]() }
}

test('the inbox has the pending approvals of all sessions of the caller, and an answered one leaves it', async () => {
  await using oracle = await open([pay(5), pay(6), 'paid'])
  const { app, chat, clock, inbox, payments } = oracle
  await chat('pay five', { session: 's1' })
  clock.jump(60_000)
  await chat('pay six', { session: 's2' })
  const list = await inbox()
  expect(list).toEqual({
    approvals: [
      expect.objectContaining({ sessionId: 's2', sessionTitle: 'pay six', input: { amount: 6 } }),
      {
        id: expect.any(String),
        kind: 'approval',
        sessionId: 's1',
        sessionTitle: 'pay five',
        channel: 'chat',
        turnId: expect.any(String),
        toolCallId: 'pay-5',
        tool: 'pay',
        input: { amount: 5 },
        question: 'Pay 5 €\n\namount: 5',
        mayApprove: true,
        askedAt: '2026-11-23T10:00:00.000Z',
      },
    ],
  })
  expect(
    await inbox(
      '/approvals',
      testActor(app, () => clock.now()),
    ),
  ).toEqual({ approvals: [] })
  const first = await inbox('/approvals?limit=1')
  expect(first.approvals).toEqual([list.approvals[0]])
  expect(await inbox(`/approvals?limit=1&cursor=${first.next}`)).toEqual({ approvals: [list.approvals[1]] })
  await readStream(await decide(oracle, list.approvals[1].id, { decision: 'once' }))
  expect(payments.map(({ amount }) => amount)).toEqual([5])
  expect((await inbox()).approvals).toEqual([list.approvals[0]])
})

test('the operator gets counts and ages, and no contents', async () => {
  await using oracle = await open([pay(5), pay(6)])
  const { app, chat, clock } = oracle
  const count = async () => (await app.request('/operator/approvals', operator)).json()
  expect(await count()).toEqual({
    pending: 0,
    people: 0,
    ages: { lastHour: 0, lastDay: 0, lastWeek: 0, older: 0 },
    channels: [],
  })
  await chat('pay five', { session: 's1' })
  clock.jump(2 * 86_400_000)
  await chat('pay six', { session: 's2' })
  expect(await count()).toEqual({
    pending: 2,
    people: 1,
    oldestAskedAt: '2026-11-23T10:00:00.000Z',
    ages: { lastHour: 1, lastDay: 0, lastWeek: 1, older: 0 },
    channels: [{ channel: 'chat', pending: 2 }],
  })
})

test('an approval expires with the delegation of its turn', async () => {
  const controller = createSigningKey()
  await using oracle = await open([pay(5)], {
    ORACLE_ACCESS: 'delegated',
    ORACLE_CONTROLLERS: controller.did,
  })
  const { app, clock } = oracle
  const now = () => clock.now()
  const key = createSigningKey()
  const audience = app.identity.did!
  const resource = `oracle:${audience}`
  const abilities = ['chat/*', 'session/*']
  const capabilities = abilities.map(ability => ({ resource, ability }))
  const proof = await mintDelegation({ key: controller, audience: key.did, capabilities, now, lifetimeSeconds: 7200 })
  const request = async (path: string, init: RequestInit = {}) => {
    const token = await mintInvocation({ key, audience, resource, abilities, proofs: [proof], now })
    return app.request(path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  }
  await readStream(await request('/chat', { method: 'POST', body: JSON.stringify({ id: 's1', message: 'pay' }) }))
  const { approvals } = await (await request('/approvals')).json()
  expect(approvals).toMatchObject([{ tool: 'pay', expiresAt: '2026-11-23T12:00:00.000Z' }])
})

/** Creates a channel of its own, whose users have addresses, and its host. */
const pigeons = (addresses: ReadonlyMap<string, string>) => {
  const host = Promise.withResolvers<Host>()
  const plugin = samplePlugin('pigeons', {
    setup(given: Host) {
      host.resolve(given)
      return {
        personalRecords: {
          export: async () => undefined,
          erase: async () => {},
          channels: {
            of: async dids => new Map(dids.flatMap(did => (addresses.has(did) ? [[did, ['ro•••']]] : []))),
            find: async () => [],
          },
        },
      }
    },
  })
  return { plugin, host: host.promise }
}

test.each(['sqlite', ...(postgres ? ['postgres'] : [])])(
  'the operator sees who has to decide in which channel, and the user decides there or here (%s)',
  async engine => {
    const { parts, payments } = till()
    const addresses = new Map<string, string>()
    const { plugin, host } = pigeons(addresses)
    const clock = fakeClock(Date.parse('2026-11-23T10:00:00Z'))
    await using oracle = await testApp({
      plugins: [officePlugin(parts), plugin],
      model: scriptedModel([pay(5), pay(6), pay(7), 'paid', 'paid']),
      clock,
      env: {
        ORACLE_OPERATOR_TOKEN: operatorToken,
        ...(engine === 'postgres' ? { DATABASE_URL: (await postgres?.createDatabase()) ?? '' } : {}),
      },
    })
    const { app, actor, chat } = oracle
    const other = testActor(app, () => clock.now())
    const { turns } = await host
    addresses.set(actor.did, 'roof')
    const asked = await turns.run({
      actor: { did: actor.did, via: 'matrix', scopes: ['chat/*'] },
      session: 'roof',
      text: 'pay five',
      channel: 'matrix',
      approvals: 'ask',
      whenBusy: 'queue',
    })
    if ('refused' in asked) throw new Error(asked.refused.code)
    expect((await asked.finished).outcome).toBe('awaiting-approval')
    clock.jump(60_000)
    await chat('pay six', { session: 's2' })
    clock.jump(60_000)
    await readStream(await other.request('/chat', { json: { id: 's3', message: 'pay seven' } }))

    const read = async (query = '') => (await app.request(`/operator/approvals/pending${query}`, operator)).json()
    const ofMatrix = {
      id: expect.any(String),
      kind: 'approval',
      did: actor.did,
      addresses: [{ plugin: 'pigeons', address: 'ro•••' }],
      channel: 'matrix',
      tool: 'pay',
      askedAt: '2026-11-23T10:00:00.000Z',
    }
    const all = await read()
    expect(all).toEqual({
      approvals: [
        ofMatrix,
        expect.objectContaining({ did: actor.did, channel: 'chat' }),
        expect.objectContaining({ did: other.did, channel: 'chat', addresses: [] }),
      ],
    })
    expect(await read('?channel=matrix')).toEqual({ approvals: [ofMatrix] })
    const first = await read('?limit=2&channel=chat')
    expect(first).toEqual({ approvals: all.approvals.slice(1) })
    const { next } = await read('?limit=1')
    expect(await read(`?limit=1&cursor=${next}`)).toMatchObject({ approvals: [all.approvals[1]] })
    expect(
      await codeOf(await app.request(`/operator/approvals/pending?channel=chat&cursor=${next}`, operator)),
    ).toEqual([400, 'cursor_invalid'])
    expect((await actor.request('/operator/approvals/pending')).status).toBe(403)
    expect(await (await app.request('/operator/approvals', operator)).json()).toMatchObject({
      pending: 3,
      channels: [
        { channel: 'chat', pending: 2 },
        { channel: 'matrix', pending: 1 },
      ],
    })

    const [id] = all.approvals.map((approval: { id: string }) => approval.id)
    const mine = await (await actor.request('/approvals')).json()
    expect(mine.approvals.at(-1)).toMatchObject({ id, channel: 'matrix', sessionId: 'roof', mayApprove: true })
    expect(await codeOf(await decide(oracle, id, { decision: 'once' }, other, 'roof'))).toEqual([
      404,
      'approval_not_found',
    ])
    const asOperator = await app.request(`/chat/roof/approvals/${id}`, {
      ...operator,
      method: 'POST',
      headers: { ...operator.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ decision: 'once' }),
    })
    expect(asOperator.status).toBe(401)
    await readStream(await decide(oracle, id, { decision: 'once' }, actor, 'roof'))
    expect(payments.map(({ amount }) => amount)).toEqual([5])
    expect((await read('?channel=matrix')).approvals).toEqual([])
  },
)

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BootError, definePlugin, defineTool, type Host, type Tool } from '@sibyl/plugin'
import {
  checkPlugin,
  createSigningKey,
  delegatedActor,
  fromAddress,
  readStream,
  type ScriptedStep,
  scriptedModel,
  type TestActor,
  testActor,
  testApp,
  wholeExport,
} from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { credits } from './credits.ts'

const folder = mkdtempSync(join(tmpdir(), 'credits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const operator = { authorization: 'Bearer operator-token-for-tests-only-0123456789' }
const ORACLE_OPERATOR_TOKEN = operator.authorization.slice('Bearer '.length)

const priceFile = (prices: unknown, name = 'prices.json') => {
  const file = join(folder, name)
  writeFileSync(file, typeof prices === 'string' ? prices : JSON.stringify(prices))
  return file
}

const uses = (inputTokens: number, outputTokens = 0): ScriptedStep => ['fine', { usage: { inputTokens, outputTokens } }]

const buy = defineTool({
  description: 'Buys.',
  input: z.object({}),
  effect: 'write',
  approval: 'user',
  execute: async () => 'bought',
}) as Tool

const survey = defineTool({
  description: 'Surveys.',
  input: z.object({}),
  effect: 'read',
  execute: async () => 'seen',
}) as Tool

/** An oracle with credits, and a way to reach its people. */
const oracleWith = async (steps: readonly ScriptedStep[], env: Record<string, string> = {}, price?: string) => {
  const host = Promise.withResolvers<Host>()
  const shop = definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Sells.', whenToUse: ['someone buys'], load: 'always' },
    setup: own => {
      host.resolve(own as Host)
      return { tools: { buy, survey } }
    },
  })
  const clock = { time: Date.parse('2026-11-22T12:00:00Z'), now: () => clock.time }
  const oracle = await testApp({
    plugins: [credits(), shop],
    model: scriptedModel(steps),
    config: price === undefined ? {} : { price },
    env: { ORACLE_OPERATOR_TOKEN, ...env },
    clock,
  })
  const send = (actor: TestActor, text: string) =>
    actor.request('/chat', { json: { id: 's1', message: { id: text, role: 'user', parts: [{ type: 'text', text }] } } })
  return {
    ...oracle,
    clock,
    host: await host.promise,
    send: (text: string, actor = oracle.actor) => send(actor, text),
    spend: async (text: string, actor = oracle.actor) => readStream(await send(actor, text)),
    account: async (actor = oracle.actor) => (await actor.request('/credits')).json(),
    usage: async (query = '', actor = oracle.actor) => (await actor.request(`/credits/usage${query}`)).json(),
    grant: (body: unknown, key?: string, headers: Record<string, string> = operator) =>
      oracle.app.request('/credits/grants', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, ...(key ? { 'idempotency-key': key } : {}) },
        body: JSON.stringify(body),
      }),
    books: async (path: string) => oracle.app.request(path, { headers: operator }),
    [Symbol.asyncDispose]: () => oracle.app.close(),
  }
}

test('turns at once with a priced tool do not cost more than the credit; a call without credit is not run', async () => {
  const CREDITS_PRICE_FILE = priceFile({ turn: '1', tools: { survey: '9' } }, 'survey.json')
  const steps = [
    ...Array<ScriptedStep>(50).fill({ tool: 'survey', input: {} }),
    ...Array<ScriptedStep>(100).fill('fine'),
  ]
  await using oracle = await oracleWith(steps, { CREDITS_PRICE_FILE, CREDITS_DEFAULT_GRANT: '30' })
  const turns = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const answer = await oracle.actor.request('/chat', { json: { id: `s${index}`, message: 'survey' } })
      return answer.status === 200 ? (await readStream(answer)).events : []
    }),
  )
  const errors = turns.flat().flatMap(({ type, errorText }) => (type === 'tool-output-error' ? [errorText] : []))
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors)
    expect(error).toMatch(/^'survey' was not run: Your credit is .* left, and this call needs [\d.]+/)
  await expect.poll(async () => (await oracle.account()).held).toBe('0')
  expect(Number((await oracle.account()).balance)).toBeGreaterThanOrEqual(0)
  const { totals } = await (await oracle.books('/credits/accounts')).json()
  expect(totals).toMatchObject({ sum: '0', held: '0' })
})

test('a priced call that the hold of its turn covers needs no further credit', async () => {
  const CREDITS_PRICE_FILE = priceFile({ turn: '1', hold: '10', tools: { survey: '9' } }, 'covered.json')
  const steps: ScriptedStep[] = [{ tool: 'survey', input: {} }, 'fine']
  await using oracle = await oracleWith(steps, { CREDITS_PRICE_FILE, CREDITS_DEFAULT_GRANT: '10' })
  const { events } = await oracle.spend('survey')
  expect(events.filter(({ type }) => type === 'tool-output-error')).toEqual([])
  await expect.poll(async () => (await oracle.account()).balance).toBe('0')
})

describe('the plugin', () => {
  for (const check of checkPlugin(() => credits())) test(check.name, check.run)
})

test('without a policy turns are metered: no user is rejected, nothing is owed, and users read their usage', async () => {
  await using oracle = await oracleWith([uses(1_500, 500), uses(1_000)])
  await oracle.spend('one')
  await oracle.spend('two')
  await expect
    .poll(() => oracle.account())
    .toMatchObject({
      mode: 'metering',
      balance: '0',
      usedToday: '3',
      turnsToday: 2,
      day: '2026-11-22',
      resetsAt: '2026-11-23T00:00:00.000Z',
    })
  const { charges } = await oracle.usage()
  expect(charges).toHaveLength(2)
  expect(charges[0]).toMatchObject({ model: 'scripted', channel: 'chat', tools: {}, billed: false, outcome: 'done' })
  expect(await (await oracle.books('/credits/accounts')).json()).toMatchObject({
    totals: { oracle: '3', unbilled: '-3', sum: '0' },
    people: [{ did: oracle.actor.did, balance: '0', held: '0' }],
  })
  const other = testActor(oracle.app, oracle.clock.now)
  expect(await oracle.usage('', other)).toEqual({ charges: [] })
  expect(await oracle.account(other)).toMatchObject({ usedToday: '0' })
})

test('the operator lists the usage of each user and day, in pages', async () => {
  await using oracle = await oracleWith([uses(1), uses(1), uses(1), uses(1)], {}, '0.5 credits a turn')
  const [ada, ben] = [oracle.actor, testActor(oracle.app, oracle.clock.now)]
  const daysOf = async (query: string) => {
    const response = await oracle.app.request(`/credits/days${query}`, { headers: operator })
    return (await response.json()) as { readonly days: readonly object[]; readonly next?: string }
  }
  const settled = (turns: number) =>
    expect
      .poll(async () => (await daysOf('')).days.reduce((sum, one) => sum + (one as { turns: number }).turns, 0))
      .toBe(turns)
  for (const [index, actor] of [ada, ada, ben].entries()) {
    await oracle.spend(`turn-${index}`, actor)
    await settled(index + 1)
  }
  const today = new Date(oracle.clock.now()).toISOString().slice(0, 10)
  oracle.clock.time += 86_400_000
  await oracle.spend('turn-4', ada)
  await settled(4)
  const tomorrow = new Date(oracle.clock.now()).toISOString().slice(0, 10)
  const all = [
    { day: tomorrow, did: ada.did, turns: 1, credits: '0.5' },
    { day: today, did: ben.did, turns: 1, credits: '0.5' },
    { day: today, did: ada.did, turns: 2, credits: '1' },
  ]
  expect(await daysOf('')).toEqual({ days: all })
  const first = await daysOf('?limit=2')
  expect(first.days).toEqual(all.slice(0, 2))
  expect(await daysOf(`?limit=2&cursor=${first.next}`)).toEqual({ days: all.slice(2) })
  expect((await daysOf(`?did=${ada.did}&to=${tomorrow}`)).days).toEqual(all.slice(2))
  expect((await oracle.actor.request('/credits/days')).status).not.toBe(200)
})

test('the operator sums the spending by person, day, model and tool, the largest first', async () => {
  const CREDITS_PRICE_FILE = priceFile({ turn: '0.5', tools: { survey: '2' } }, 'spending.json')
  const calls: ScriptedStep = [{ tool: 'survey', id: 'c1' }]
  await using oracle = await oracleWith([uses(10, 3), calls, uses(1), uses(1)], { CREDITS_PRICE_FILE })
  const [ada, ben] = [oracle.actor, testActor(oracle.app, oracle.clock.now)]
  const spending = async (query: string) =>
    (await oracle.app.request(`/credits/spending?${query}`, { headers: operator })).json()
  const settled = (turns: number) =>
    expect
      .poll(async () =>
        (await spending('by=day')).rows.reduce((sum: number, one: { turns: number }) => sum + one.turns, 0),
      )
      .toBe(turns)
  const today = new Date(oracle.clock.now()).toISOString().slice(0, 10)
  await oracle.spend('one', ada)
  await settled(1)
  await oracle.spend('two', ben)
  await settled(2)
  oracle.clock.time += 86_400_000
  await oracle.spend('three', ada)
  await settled(3)
  const tomorrow = new Date(oracle.clock.now()).toISOString().slice(0, 10)
  expect((await spending(`by=person&from=${today}&to=${tomorrow}`)).rows).toMatchObject([
    { name: ben.did, turns: 1, credits: '2.5' },
    { name: ada.did, turns: 1, credits: '0.5', inputTokens: 10, outputTokens: 3 },
  ])
  expect((await spending('by=day')).rows).toMatchObject([
    { name: today, turns: 2, credits: '3' },
    { name: tomorrow, turns: 1, credits: '0.5' },
  ])
  expect(await spending('by=model')).toMatchObject({ rows: [{ turns: 3, credits: '3.5' }], isPartial: false })
  expect((await spending('by=tool')).rows).toMatchObject([{ name: 'survey', turns: 1, credits: '2' }])
  expect((await oracle.actor.request('/credits/spending?by=day')).status).not.toBe(200)
})

test('a user without credit is rejected with 402, learns how to continue, and continues after a grant', async () => {
  await using oracle = await oracleWith(
    [uses(1), uses(1), uses(1)],
    { CREDITS_DEFAULT_GRANT: '1.5' },
    '1 credit a turn',
  )
  const { did } = oracle.actor
  expect(await oracle.account()).toMatchObject({ mode: 'prepaid', balance: '1.5', neededForATurn: '1' })
  expect((await oracle.spend('one')).text).toBe('fine')
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '0.5', held: '0', continue: expect.any(String) })
  const refused = await oracle.send('two')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([402, 'application/problem+json'])
  const problem = await refused.json()
  expect(problem).toMatchObject({ code: 'credits_exhausted', status: 402 })
  expect(problem.detail).toBe(
    `Your credit is not enough: 0.5 credits left, and a turn needs 1. To continue, request a grant from the operator of this oracle. Give them your DID: ${did} (they run: npx sibyl credits grant <DID> <credits>).`,
  )
  const body = { did, amount: '10', reason: 'Paid' }
  expect((await oracle.grant(body, undefined, {})).status).toBe(401)
  const first = await oracle.grant(body, 'invoice 1')
  const again = await oracle.grant(body, 'invoice 1')
  expect([first.status, again.status]).toEqual([201, 200])
  expect(await again.json()).toEqual(await first.json())
  expect((await oracle.grant({ ...body, amount: '11' }, 'invoice 1')).status).toBe(422)
  for (const bad of [
    { ...body, amount: 10 },
    { ...body, amount: '0' },
    { ...body, amount: '1e3' },
    { ...body, amount: '0.0000001' },
    { ...body, amount: '99999999999' },
    { ...body, did: 'ada' },
    { ...body, reason: 'a\0b' },
    { ...body, more: 1 },
  ]) {
    expect((await oracle.grant(bad)).status).toBe(400)
  }
  expect((await oracle.spend('two')).text).toBe('fine')
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '9.5', held: '0' })
  const accountOf = async (whose: string) => (await oracle.books(`/credits/accounts/${whose}`)).json()
  expect(await accountOf(did)).toEqual({ did, balance: '9.5', held: '0', usedToday: '2', turnsToday: 2 })
  const stranger = testActor(oracle.app, oracle.clock.now).did
  expect(await accountOf(stranger)).toMatchObject({ did: stranger, balance: '0', turnsToday: 0 })
  expect((await oracle.actor.request(`/credits/accounts/${did}`)).status).toBe(403)
  expect((await oracle.send('two')).status).toBe(200)
  const { totals } = await (await oracle.books('/credits/accounts')).json()
  expect(totals).toEqual({ issued: '-11.5', unbilled: '0', person: '9.5', held: '0', oracle: '2', sum: '0' })
})

test('tokens, tools and turns have prices; a turn that waits for an approval only pays for its usage', async () => {
  const CREDITS_PRICE_FILE = priceFile({
    turn: '1',
    hold: '2',
    models: {
      scripted: { inputPerMillion: '1000', cachedInputPerMillion: '100', outputPerMillion: '10000' },
      '*': { inputPerMillion: '0', outputPerMillion: '0' },
    },
    tools: { buy: '0.5' },
  })
  const ask: ScriptedStep = [
    { tool: 'buy' },
    { usage: { inputTokens: 1_000, cachedInputTokens: 500, outputTokens: 10 } },
  ]
  const steps: ScriptedStep[] = [ask, uses(100), { error: new Error('down') }]
  await using oracle = await oracleWith(steps, { CREDITS_PRICE_FILE, CREDITS_DEFAULT_GRANT: '100' })
  const { events } = await oracle.spend('buy')
  const { approvalId } = events.find(({ type }) => type === 'tool-approval-request') as unknown as {
    approvalId: string
  }
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '99.35', held: '0' })
  const path = `/chat/s1/approvals/${approvalId}`
  await readStream(await oracle.actor.request(path, { json: { decision: 'once' } }))
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '97.75', held: '0' })
  expect((await oracle.spend('fail')).last?.type).toBe('error')
  await expect.poll(async () => (await oracle.usage()).charges.length).toBe(3)
  expect(await oracle.account()).toMatchObject({ balance: '97.75', held: '0' })
  const { charges } = await oracle.usage()
  const reported = (charges as { outcome: string; credits: string; tools: object }[]).map(one => [
    one.outcome,
    one.credits,
    one.tools,
  ])
  expect(reported).toContainEqual(['awaiting-approval', '0.65', {}])
  expect(reported).toContainEqual(['done', '1.6', { buy: 1 }])
  expect(reported).toContainEqual(['failed', '0', {}])
})

test('a question that is answered on an empty account waits for the grant, and is answered then', async () => {
  const CREDITS_PRICE_FILE = priceFile({ turn: '1', hold: '2', tools: { '*': '1' } })
  const steps: ScriptedStep[] = [[{ tool: 'buy' }], ...Array<ScriptedStep>(3).fill('fine')]
  await using oracle = await oracleWith(steps, { CREDITS_PRICE_FILE, CREDITS_DEFAULT_GRANT: '2' })
  const { events } = await oracle.spend('buy')
  const { approvalId } = events.find(({ type }) => type === 'tool-approval-request') as unknown as {
    approvalId: string
  }
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '2', held: '0' })
  const json = { id: 's2', message: { id: 'm2', role: 'user', parts: [{ type: 'text', text: 'meanwhile' }] } }
  await readStream(await oracle.actor.request('/chat', { json }))
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '1', held: '0' })
  const path = `/chat/s1/approvals/${approvalId}`
  const refused = await oracle.actor.request(path, { json: { decision: 'once' } })
  expect([refused.status, (await refused.json()).code]).toEqual([402, 'credits_exhausted'])
  expect((await oracle.grant({ did: oracle.actor.did, amount: '5', reason: 'Paid' }, 'more')).status).toBe(201)
  const { events: after } = await readStream(await oracle.actor.request(path, { json: { decision: 'once' } }))
  expect(after).toContainEqual(expect.objectContaining({ type: 'tool-output-available', output: 'bought' }))
})

test('the budget of a day rejects with 429 until midnight of UTC, for a turn of a plugin as well', async () => {
  await using oracle = await oracleWith([uses(1_000), uses(1)], { CREDITS_BUDGET_PERSON_PER_DAY: '1' })
  await oracle.spend('one')
  await expect.poll(() => oracle.account()).toMatchObject({ budget: { perDay: '1', left: '0' } })
  const refused = await oracle.send('two')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(12 * 3_600)])
  expect(await refused.json()).toMatchObject({ code: 'credits_budget_used' })
  const sms = await oracle.host.turns.run({
    actor: { did: oracle.actor.did, via: 'ussd', scopes: ['chat/send', 'chat/personal'] },
    session: 's2',
    text: 'hi',
    channel: 'sms',
    whenBusy: 'queue',
    approvals: 'deny',
  })
  expect(sms).toMatchObject({ refused: { status: 429, code: 'credits_budget_used' } })
  oracle.clock.time += 12 * 3_600_000
  expect((await oracle.spend('two')).text).toBe('fine')
})

test('the agent reports balance and usage', async () => {
  const call = (tool: string, input = {}): ScriptedStep => [{ tool, input }]
  const steps = [call('get_balance'), uses(0), call('get_usage', { days: 7 }), uses(0)]
  await using oracle = await oracleWith(steps, { CREDITS_DEFAULT_GRANT: '10' }, '2 credits')
  const output = async (text: string) =>
    (await oracle.spend(text)).events.find(({ type }) => type === 'tool-output-available')?.output
  expect(await output('balance')).toMatchObject({
    balance: '10',
    held: '2',
    summary: 'You have 10 credits, of which 2 is held for this turn; 0 credits used today.',
  })
  await expect.poll(() => oracle.account()).toMatchObject({ balance: '8' })
  expect(await output('usage')).toMatchObject({
    credits: '2',
    turns: 1,
    summary: '2 credits for 1 turn in the last 7 days.',
  })
})

test('the tables defuse formulas, and pages reach all of it', async () => {
  const model = '=HYPERLINK("http://x","y")'
  const oracle = await testApp({
    plugins: [credits()],
    model: scriptedModel([uses(1), uses(1), uses(1)], { modelId: model }),
    env: { ORACLE_OPERATOR_TOKEN, CREDITS_DEFAULT_GRANT: '10' },
  })
  await using _ = oracle
  for (const text of ['a', 'b', 'c']) await oracle.chat(text, { session: text })
  const get = (path: string) => oracle.actor.request(path)
  await expect.poll(async () => (await (await get('/credits/usage')).json()).charges.length).toBe(3)
  const seen: string[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`
    const page = await (await get(`/credits/usage?limit=1${cursor}`)).json()
    seen.push(...page.charges.map(({ turnId }: { turnId: string }) => turnId))
    next = page.next
  }
  expect(new Set(seen).size).toBe(3)
  expect(await (await get('/credits/usage?cursor=x')).json()).toMatchObject({ code: 'cursor_invalid' })
  expect((await get('/credits/usage?from=yesterday')).status).toBe(400)
  const csv = await get('/credits/usage.csv')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await csv.text()).split('\r\n')
  expect(lines).toHaveLength(5)
  expect(lines[1]).toContain(`,"'=HYPERLINK(""http://x"",""y"")",1,0,0,,0.001,true,done`)
  expect((await get('/credits/ledger')).status).toBe(403)
  const books = (query = '') => oracle.app.request(`/credits/ledger${query}`, { headers: operator })
  const ledger = (await (await books()).text()).trimEnd().split('\r\n')
  expect(ledger[0]).toBe('at,transaction,kind,account,did,credits')
  expect(ledger).toHaveLength(1 + 2 + 3 * 2 + 3 * 3)
  expect(ledger.slice(1).reduce((sum, line) => sum + Math.round(Number(line.split(',').at(-1)) * 1e6), 0)).toBe(0)
  expect((await (await books('?to=2020-01-01')).text()).trimEnd().split('\r\n')).toHaveLength(1)
})

test('a user can export their data; after an erasure the ledger stays and no longer names them', async () => {
  await using oracle = await oracleWith([uses(1)], { CREDITS_DEFAULT_GRANT: '10' })
  const { did } = oracle.actor
  await oracle.grant({ did, amount: '5', reason: 'For Ada Lovelace' })
  await oracle.spend('one')
  await expect.poll(async () => (await oracle.usage()).charges.length).toBe(1)
  expect(await wholeExport(oracle.host.people, did)).toMatchObject({
    credits: {
      balance: '14.999',
      grants: [{ credits: '5', reason: 'For Ada Lovelace' }, { credits: '10' }],
      charges: [{ credits: '0.001' }],
    },
  })
  await oracle.host.people.erase(did)
  await oracle.host.people.erase(did)
  const books = await (await oracle.books('/credits/ledger')).text()
  expect(books).not.toContain(did)
  expect(books).toMatch(/,erased:[\da-f-]{36},/)
  expect(await (await oracle.books('/credits/accounts')).json()).toMatchObject({
    totals: { person: '14.999', sum: '0' },
  })
  expect(await wholeExport(oracle.host.people, did)).not.toHaveProperty('credits')
  expect((await oracle.actor.request('/chat', { json: { message: 'again' } })).status, 'no second first grant').toBe(
    402,
  )
})

test('an invalid price file is reported with each problem, its place and the remedy', async () => {
  const problemsOf = async (CREDITS_PRICE_FILE: string) => {
    const error = await testApp({ plugins: [credits()], env: { CREDITS_PRICE_FILE } }).then(
      async oracle => oracle.app.close(),
      (failed: unknown) => failed,
    )
    return error instanceof BootError ? error.problems : []
  }
  const file = priceFile(
    { turn: 1, models: { m: { inputPerMillion: '-1', outputPerMillion: '1.1234567' } }, tools: { a: '0.5' }, more: 1 },
    'bad.json',
  )
  const [problem] = await problemsOf(file)
  expect(problem).toMatchObject({ code: 'price_file_invalid', plugin: 'credits', variable: 'CREDITS_PRICE_FILE' })
  expect(problem?.headline).toContain(file)
  expect(problem?.lines).toEqual([
    'turn: must be a string: write the number in quotes, as "0.5"',
    'models.m.inputPerMillion: must be an amount of credits, such as 100 or 0.5',
    'models.m.outputPerMillion: must have at most 6 decimals and be at most 1000000000',
    'more: is unknown. Use turn, hold, models and tools.',
    `Fix ${file}, or leave CREDITS_PRICE_FILE blank.`,
  ])
  expect((await problemsOf(join(folder, 'none.json')))[0]?.lines[0]).toBe('The file does not exist.')
  expect((await problemsOf(priceFile('{\n "turn": "1",}', 'odd.json')))[0]?.lines[0]).toBe(
    'The file is not valid JSON from line 2, column 14.',
  )
  expect((await problemsOf(folder))[0]?.lines[0]).toBe('The path is a folder.')
})

test('a re-delegation to a fresh key pays from the account of its holder, and each reads its own turns', async () => {
  const controller = createSigningKey()
  const env = {
    CREDITS_DEFAULT_GRANT: '2',
    ORACLE_ACCESS: 'delegated',
    ORACLE_CONTROLLERS: controller.did,
  }
  await using oracle = await oracleWith([uses(1), uses(1), uses(1)], env, '1 credit a turn')
  const { now } = oracle.clock
  const holder = await delegatedActor(oracle.app, { key: controller }, { now })
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => delegatedActor(oracle.app, holder, { now })))
  await oracle.spend('one', one)
  await oracle.spend('two', two)
  await expect.poll(async () => (await oracle.account(holder)).balance).toBe('0')
  const refused = await oracle.send('three', three)
  expect([refused.status, (await refused.json()).detail]).toEqual([402, expect.stringContaining(holder.did)])
  expect(await oracle.account(three)).toMatchObject({ balance: '0', turnsToday: 2 })
  const turnsOf = async (actor?: TestActor) => (await oracle.usage('', actor)).charges.length
  expect([await turnsOf(one), await turnsOf(two), await turnsOf(three), await turnsOf(holder)]).toEqual([1, 1, 0, 2])
  const other = await delegatedActor(oracle.app, { key: controller }, { now })
  expect(await oracle.account(other)).toMatchObject({ balance: '2' })
})

test('with ORACLE_ACCESS=open an address with many DIDs uses its share of the budget of the oracle', async () => {
  const env = { CREDITS_BUDGET_ORACLE_PER_DAY: '8' }
  await using oracle = await oracleWith(Array(9).fill(uses(1)), env, '1 credit a turn')
  const fresh = (address: string) => testActor(fromAddress(oracle.app, address), oracle.clock.now)
  const spend = async (address: string) => {
    const answer = await oracle.send('hi', fresh(address))
    await answer.clone().text()
    return answer.status
  }
  expect([await spend('203.0.113.7'), await spend('203.0.113.7')]).toEqual([200, 200])
  const refusal = async () => {
    const refused = await oracle.send('hi', fresh('203.0.113.7'))
    return `${refused.status} ${(await refused.json()).detail}`
  }
  await expect.poll(refusal).toMatch(/^429 Your address's share of this oracle's budget of 2 credits a day is used up/)
  expect(await spend('203.0.113.8')).toBe(200)
  const [first, second, third] = ['2001:db8:1:1::7', '2001:db8:1:2::7', '2001:db8:1:3::7'] as const
  expect([await spend(first), await spend(first), await spend(second), await spend(second)]).toEqual([
    200, 200, 200, 200,
  ])
  await expect.poll(() => spend(first)).toBe(429)
  expect([await spend(third), await spend('2001:db8:2:1::7')]).toEqual([429, 200])
  oracle.clock.time += 86_400_000
  expect(await spend('203.0.113.7')).toBe(200)
})

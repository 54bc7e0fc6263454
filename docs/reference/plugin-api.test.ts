import { createHmac } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import type { OraclePlugin } from '@sibyl/plugin'
import { weather } from '@sibyl/plugin-weather'
import { startLocalProvider } from '@sibyl/plugin-weather/testing'
import { readStream, scriptedModel, testApp } from '@sibyl/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { ExampleProject } from './testing/example-project.ts'
import { limitViolations } from './testing/limit-violations.ts'
import { missingExports, missingMembers } from './testing/missing-members.ts'

const page = ['plugin-api.md', ...globSync('plugin-api/*.md', { cwd: import.meta.dirname })]
  .map(path => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n')
const providersPage = readFileSync(new URL('ussd-providers.md', import.meta.url), 'utf8')
const project = new ExampleProject(`${page}\n${providersPage}`)
afterAll(() => project[Symbol.dispose]())

/** A plugin of the page. */
const plugin = async (file: string, name = file.replace('.ts', '')): Promise<OraclePlugin> => {
  const { [name]: make } = await project.load<Record<string, () => OraclePlugin>>(file)
  return make!()
}

test('the tests of the pages pass', { tags: 'long' }, async () => {
  const { code, stdout } = await project.runTests()
  expect(code, stdout).toBe(0)
})

test('the limits are those of the sources', () => {
  expect(limitViolations(page)).toEqual([])
})

test.each([
  ['definition/oracle-plugin', ['isAdapter', 'isPartOfCore', 'bundled']],
  ['definition/plugin-manifest', []],
  ['host/host', []],
  ['tools/tool', []],
  ['tools/agent', []],
  ['tools/define-agent', []],
  ['routes/route', ['answerHeaders', 'parsedBody']],
  ['turns/turn', []],
])('every member of %s.ts is named, but %j, which plugins do not use', (file, others) => {
  expect(missingMembers(page, `packages/plugin/src/${file}.ts`)).toEqual(others)
})

test('everything that @sibyl/testing exports is named', () => {
  expect(missingExports(page, 'packages/testing/src/index.ts')).toEqual([])
})

test('every service of the bundled plugins is named', () => {
  const source = new URL('../../packages/protocol/src/', import.meta.url)
  const tokens = readdirSync(source).flatMap(file =>
    [...readFileSync(new URL(file, source), 'utf8').matchAll(/^export const (\w+): ServiceToken</gm)].map(
      ([, name]) => name,
    ),
  )
  expect(tokens.length).toBeGreaterThan(10)
  expect(tokens.filter(name => !page.includes(`| \`${name}\``))).toEqual([])
})

test('dry-days.ts counts days with the service of the weather', async () => {
  const provider = await startLocalProvider()
  await using oracle = await testApp({
    plugins: [weather(), await plugin('dry-days.ts', 'dryDays')],
    env: { WEATHER_BASE_URL: provider.url },
  })
  const { text } = await oracle.chat('Dry days in Berlin')
  await provider.stop()
  expect(text).toMatch(/^\d+ dry days\.$/)
})

test('harbour-guide.ts answers by an agent with a tool', async () => {
  const model = scriptedModel([
    { tool: 'ask_pilot', input: { task: 'How deep is Kilwa?' } },
    { tool: 'read_pilot_book', input: { harbour: 'Kilwa' } },
    'It is 4 m deep.',
    'Kilwa is 4 m deep.',
  ])
  await using oracle = await testApp({ plugins: [await plugin('harbour-guide.ts', 'harbourGuide')], model })
  expect((await oracle.chat('How deep is Kilwa?')).text).toBe('Kilwa is 4 m deep.')
  expect(model.calls.map(({ tools }) => tools)).toContainEqual(['read_pilot_book'])
})

describe('berths.ts', () => {
  test('books a short stay immediately, with its own part', async () => {
    await using oracle = await testApp({ plugins: [await plugin('berths.ts')] })
    const { text, events } = await oracle.chat('Book a berth in Bremen')
    expect(text).toBe('Booked in Bremen, nights: 1.')
    expect(events.find(({ type }) => type === 'data-booking')?.data).toMatchObject({ port: 'Bremen' })
  })

  test('is for callers who may write berths, or their own data', async () => {
    await using oracle = await testApp({ plugins: [await plugin('berths.ts')] })
    const book = async (abilities: readonly string[]) =>
      (await oracle.chat('Book a berth in Bremen', { abilities })).text
    expect(await book(['chat/send'])).toContain('requires the ability berths/write or chat/personal')
    expect(await book(['chat/send', 'berths/write'])).toBe('Booked in Bremen, nights: 1.')
    expect(await book(['chat/*'])).toBe('Booked in Bremen, nights: 1.')
  })

  test('asks before a long one', async () => {
    await using oracle = await testApp({ plugins: [await plugin('berths.ts')] })
    const { events, last } = await oracle.chat('Book a berth in Bremen for 7 nights', { session: 's' })
    const question = events.find(({ type }) => type === 'tool-approval-request')
    expect(question?.reason).toBe('Book a berth in Bremen for 7 nights\n\nport: "Bremen"\nnights: 7')
    expect(last).toMatchObject({ messageMetadata: { outcome: 'awaiting-approval' } })
    const path = `/chat/s/approvals/${String(question?.approvalId)}`
    const { text } = await readStream(await oracle.actor.request(path, { json: { decision: 'once' } }))
    expect(text).toBe('Booked in Bremen, nights: 7.')
  })
})

describe('ferries.ts', () => {
  const ask = async (answer: object) => {
    const oracle = await testApp({ plugins: [await plugin('ferries.ts')] })
    const { events, last } = await oracle.chat('Book a ferry to Dover', { session: 's' })
    expect(last).toMatchObject({ messageMetadata: { outcome: 'awaiting-approval' } })
    const question = events.find(({ type }) => type === 'data-question')?.data as { approvalId: string; text: string }
    expect(question.text).toBe('When do you go to Dover?')
    const reply = await oracle.actor.request(`/chat/s/approvals/${question.approvalId}`, { json: answer })
    const { text } = await readStream(reply)
    await oracle.app.close()
    return text
  }

  test('asks for the day, and books', async () => {
    expect(await ask({ decision: 'once', data: { day: '2026-12-01' } })).toBe('Booked to Dover on 2026-12-01, inside.')
  })

  test('books nothing without an answer', async () => {
    expect(await ask({ decision: 'deny' })).toBe('Not booked.')
    expect(await ask({ decision: 'once', data: { day: 7 } })).toBe('Not booked.')
  })
})

test("notices.ts reads with the operator's token, and marks what it read", async () => {
  const { notices } = await project.load<{
    notices(fetchBoard: (token: string | undefined) => Promise<string>): OraclePlugin
  }>('notices.ts')
  const tokens: unknown[] = []
  const plugins = [notices(async token => `Calm. ${tokens.push(token)}`)]
  await using oracle = await testApp({ plugins, env: { BOARD_TOKEN: 'board-token-1' } })
  const { text, events } = await oracle.chat('What is on the board?')
  expect([text, tokens]).toEqual(['Calm. 1', ['board-token-1']])
  expect(events.findLast(({ type }) => type === 'tool-output-available')?.output).toMatchObject({
    board: { source: 'the board', notice: expect.stringContaining('From outside') },
  })
})

test('harbour.ts authorizes the callers that its routes name', async () => {
  const key = 'key-of-the-gauge-1'
  const env = { HARBOUR_API_KEYS: `gauge:${key}:write:did:key:z6MkGauge`, HARBOUR_WEBHOOK_SECRET: 'hush' }
  await using oracle = await testApp({ plugins: [await plugin('harbour.ts')], env })
  const path = '/harbour/levels/lock'
  const put = (authorization: string) =>
    oracle.app.request(path, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ centimetres: 412 }),
    })
  expect(await (await oracle.app.request(path)).json()).toMatchObject({ status: 404, code: 'gauge_unknown' })
  expect((await put('Bearer nobody')).status).toBe(401)
  expect(await (await put(`Bearer ${key}`)).json()).toEqual({ by: 'did:key:z6MkGauge' })
  expect(await (await put(`Bearer ${await oracle.actor.token(['harbour/write'])}`)).json()).toEqual({
    by: oracle.actor.did,
  })
  expect(await (await oracle.app.request(path)).json()).toEqual({ centimetres: 412 })
  const signature = createHmac('sha256', 'hush').update('open').digest('hex')
  const lock = (given: string) =>
    oracle.app.request('/harbour/lock', { method: 'POST', body: 'open', headers: { 'x-signature': given } })
  expect([(await lock(signature)).status, (await lock('00')).status]).toEqual([204, 401])
})

test('quota.ts rejects users without remaining tokens', async () => {
  const model = scriptedModel(Array.from({ length: 100 }, () => 'Good morning.'))
  await using oracle = await testApp({ plugins: [await plugin('quota.ts')], model, env: { QUOTA_TOKENS: '1' } })
  expect((await oracle.chat('hello', { session: 's' })).text).toBe('Good morning.')
  const ask = async () => {
    const reply = await oracle.actor.request('/chat', { json: { id: 's', message: 'again' } })
    return { status: reply.status, wait: reply.headers.get('retry-after'), body: await reply.text() }
  }
  // The tokens are noted after the answer was sent.
  await expect.poll(ask).toMatchObject({ status: 429, wait: '3600', body: expect.stringContaining('quota_used_up') })
})

test('steady.ts changes what the model is asked', async () => {
  const model = scriptedModel(['fine'])
  const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') }
  await using oracle = await testApp({ plugins: [await plugin('steady.ts')], model, clock })
  await oracle.chat('hello')
  expect(model.calls[0]?.options.temperature).toBe(0)
  expect(JSON.stringify(model.calls[0]?.prompt.at(-1))).toContain('Today is Sat Nov 21 2026.')
})

test('feeds.ts has a capability per feed, once it has been read', async () => {
  const { feeds } = await project.load<{
    feeds(names: readonly string[], fetchFeed: (name: string) => Promise<string>): OraclePlugin
  }>('feeds.ts')
  const reservation = Promise.withResolvers<string>()
  const model = scriptedModel([
    { tool: 'load_capability', input: { names: ['sea-news'] } },
    { tool: 'sea_news_latest' },
    'That is all.',
  ])
  await using oracle = await testApp({ plugins: [feeds(['sea-news'], () => reservation.promise)], model })
  const states = () => oracle.app.capabilities().map(({ name, state }) => [name, state])
  expect(states()).toEqual([
    ['feeds', 'pending'],
    ['sea-news', 'pending'],
  ])
  reservation.resolve('Calm.')
  await oracle.app.ready
  expect(states()).toEqual([
    ['feeds', 'ready'],
    ['sea-news', 'ready'],
  ])
  const { events } = await oracle.chat('What is new at sea?')
  expect(events.filter(({ type }) => type === 'tool-output-available').at(-1)?.output).toEqual({ text: 'Calm.' })
})

test('pilots.ts hands a service from one plugin to the other', async () => {
  const plugins = [await plugin('pilots.ts', 'tugs'), await plugin('pilots.ts', 'pilots')]
  await using oracle = await testApp({ plugins })
  expect(await (await oracle.app.request('/tugs')).text()).toBe('Ada')
})

test('reminders.ts returns in a separate turn', async () => {
  const model = scriptedModel([
    { tool: 'remind', input: { minutes: 0, text: 'row' } },
    'I will.',
    ({ prompt }) => (JSON.stringify(prompt.at(-1)).includes('Remind me now: row') ? 'Row!' : 'What?'),
  ])
  await using oracle = await testApp({ plugins: [await plugin('reminders.ts')], model })
  await oracle.chat('Remind me to row', { session: 's' })
  const textsOf = async () => JSON.stringify((await (await oracle.actor.request('/sessions/s')).json()).messages)
  await expect.poll(textsOf).toContain('Row!')
})

test('goodbyes.ts erases a user who says goodbye, once they have approved it', async () => {
  const model = scriptedModel([{ tool: 'forget_me' }, 'Goodbye.'])
  await using oracle = await testApp({ plugins: [await plugin('goodbyes.ts')], model })
  const { events } = await oracle.chat('Forget me', { session: 's' })
  const approvalId = String(events.find(({ type }) => type === 'tool-approval-request')?.approvalId)
  await oracle.actor.request(`/chat/s/approvals/${approvalId}`, { json: { decision: 'once' } })
  const sessions = async () => (await oracle.actor.request('/sessions')).json()
  await expect.poll(sessions).toEqual({ sessions: [] })
})

test('titles.ts asks the model for small tasks', async () => {
  const model = scriptedModel(['Calm sea'])
  await using oracle = await testApp({ plugins: [await plugin('titles.ts')], model })
  const reply = await oracle.actor.request('/titles', { json: { text: 'The sea was calm.' } })
  expect(await reply.json()).toEqual({ title: 'Calm sea' })
  expect(model.calls[0]?.options.maxOutputTokens).toBe(40)
})

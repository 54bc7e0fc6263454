import { reservePort, type ScriptedCall, scriptedModel, testActor, testApp } from '@sibyl/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { memory } from '../memory.ts'
import { startMemoryServer } from './start-memory-server.test.support.ts'

let server: Awaited<ReturnType<typeof startMemoryServer>>
beforeAll(async () => {
  server = await startMemoryServer({ token: 'token-of-the-oracle' })
})
beforeEach(() => server.behave('ok'))
afterAll(() => server.stop())

const boot = (env: Readonly<Record<string, string>> = server.env, options: object = {}) =>
  testApp({ plugins: [memory()], env: { ...env, ORACLE_OPERATOR_TOKEN: 'operator-token-0123456789' }, ...options })
type Oracle = Awaited<ReturnType<typeof boot>>

/** Resolves once the memory is in a state. */
const inState = async ({ app }: Oracle, wanted: string): Promise<string | undefined> => {
  for (;;) {
    const answer = await app.request('/capabilities', {
      headers: { authorization: 'Bearer operator-token-0123456789' },
    })
    const { capabilities } = (await answer.json()) as {
      capabilities: { name: string; state: string; reason?: string }[]
    }
    const found = capabilities.find(({ name }) => name === 'memory')!
    if (found.state === wanted) return found.reason
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

test('remembers, recalls, lists, exports and forgets; the server receives the DID, and never a token of a user', async () => {
  await using oracle = await boot()
  await inState(oracle, 'ready')
  for (const text of ['Ada likes lemons', 'Ada lives in Graz', 'Ada plays the oboe'])
    expect((await oracle.chat(`Remember that ${text}`)).text).toContain(text)
  expect((await oracle.chat('Remember that Ada likes lemons')).text).toContain('Already known')
  expect((await oracle.chat('What do you know about lemons?')).text).toContain('Ada likes lemons')

  const first = await (await oracle.actor.request('/memory?limit=2')).json()
  expect(first.facts.map(({ text }: { text: string }) => text)).toEqual(['Ada likes lemons', 'Ada lives in Graz'])
  const second = await (await oracle.actor.request(`/memory?limit=2&cursor=${first.next}`)).json()
  expect(second.facts.map(({ text }: { text: string }) => text)).toEqual(['Ada plays the oboe'])
  expect((await oracle.actor.request('/memory?cursor=x')).status).toBe(400)
  const all = await (await oracle.actor.request('/memory/export')).json()
  expect(all.facts).toHaveLength(3)

  expect((await oracle.chat(`Forget ${all.facts[0].id}`)).text).toBe(`Forgotten: ${all.facts[0].id}.`)
  const path = `/memory/${all.facts[1].id}`
  expect((await oracle.actor.request(path, { method: 'DELETE' })).status).toBe(204)
  expect((await oracle.actor.request(path, { method: 'DELETE' })).status).toBe(404)
  const gone = await oracle.actor.request('/memory?confirm=all', { method: 'DELETE' })
  expect(await gone.json()).toEqual({ forgotten: 1 })

  const seen = await server.seen()
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token-of-the-oracle']))
  expect(seen.some(({ body }) => body.includes(oracle.actor.did))).toBe(true)
})

test('two people never see each other, also not where the server mixes them up', async () => {
  await using oracle = await boot()
  await inState(oracle, 'ready')
  const other = testActor(oracle.app)
  await oracle.chat('Remember that my boat is called Albatross')
  const asked = await other.request('/memory?q=albatross')
  expect(await asked.json()).toEqual({ facts: [] })

  await server.behave('mixes people up')
  expect(await (await other.request('/memory?q=albatross')).json()).toEqual({ facts: [] })
  expect(await (await other.request('/memory')).json()).toEqual({ facts: [] })
  expect((await (await other.request('/memory/export')).json()).facts).toEqual([])
  expect((await oracle.chat('Remember that my dog is called Bruno')).text).toContain('rejected the request')
  await server.behave('ok')
  const { facts } = await (await oracle.actor.request('/memory?q=albatross')).json()
  expect((await other.request(`/memory/${facts[0].id}`, { method: 'DELETE' })).status).toBe(404)
})

test('a fact that fits joins the turn as data', async () => {
  const remember = { tool: 'remember', input: { text: 'The boat Albatross lies in Kisumu' } }
  const model = scriptedModel([remember, 'Noted.', 'In Kisumu.'])
  await using oracle = await boot(server.env, { plugins: [memory({ lookUpLimitMs: 20_000 })], model })
  await inState(oracle, 'ready')
  await oracle.chat('Note where the boat lies')
  await oracle.chat('Where is the Albatross?')
  const [system, ...messages] = model.calls[2]!.prompt
  expect(JSON.stringify(system)).not.toContain('Kisumu')
  expect(JSON.stringify(messages)).toContain('The boat Albatross lies in Kisumu')
})

test.each([
  ['garbage', 'returned an invalid response', 502],
  ['fails', 'rejected the request', 503],
])('a server that returns %s is reported in a sentence, and turns continue', async (mode, text, status) => {
  await using oracle = await boot()
  await inState(oracle, 'ready')
  await server.behave(mode)
  expect((await oracle.chat('Remember that Ada likes tea')).text).toContain(text)
  expect((await oracle.chat('What do you know about tea?')).last).toMatchObject({ type: 'finish' })
  expect((await oracle.actor.request('/memory')).status).toBe(status)
})

test('the oracle does not repeat the text of a server as its own', async () => {
  const model = scriptedModel([{ tool: 'remember', input: { text: 'Ada likes tea' } }, 'Noted.'])
  await using oracle = await boot(server.env, { model })
  await inState(oracle, 'ready')
  await server.behave('gives orders')
  const { events } = await oracle.chat('Keep that')
  expect(JSON.stringify(events)).not.toContain('SYSTEM')
})

test('a server that hangs holds no turn up', async () => {
  const model = scriptedModel(['Good morning.'])
  await using oracle = await boot(server.env, { model })
  await inState(oracle, 'ready')
  await server.behave('hangs')
  const { text } = await oracle.chat('Good morning, what did I say about lemons?')
  expect(text).toBe('Good morning.')
  expect(promptOf(model.calls[0])).not.toContain('had remembered')
})

test('a server that is away is said to be, and comes back', { tags: 'long' }, async () => {
  const own = await startMemoryServer({ port: await reservePort() })
  await using oracle = await boot(own.env)
  await inState(oracle, 'ready')
  await oracle.chat('Remember that Ada likes tea')
  await own.stop()
  await oracle.chat('What do you know about tea?')
  expect(await inState(oracle, 'degraded')).toContain('memory')
  expect((await oracle.chat('Remember that Ada likes tea')).text).toContain('The memory is unavailable.')
  expect((await oracle.actor.request('/memory')).status).toBe(503)
  await using again = await startMemoryServer({ port: own.port })
  await inState(oracle, 'ready')
  expect((await oracle.chat('Remember that Ada likes tea')).text).toContain('Remembered')
  expect(await again.seen()).not.toEqual([])
})

test('a server that is not there never holds the boot up', async () => {
  await using oracle = await boot({
    MEMORY_MCP_URL: 'http://127.0.0.1:9/mcp',
    MEMORY_ENGINE_URL: 'http://127.0.0.1:9/',
  })
  expect((await oracle.chat('What do you know about tea?')).text).toContain('is unavailable')
})

test.each([
  [{ MEMORY_MCP_URL: 'https://memory.example/mcp' }, 'MEMORY_MCP_URL'],
  [{ MEMORY_MCP_URL: 'stdio:' }, 'MEMORY_MCP_URL'],
  [{ MEMORY_MCP_URL: 'memory.example' }, 'MEMORY_MCP_URL'],
  [{ MEMORY_MCP_URL: 'ftp://memory.example', MEMORY_ENGINE_URL: 'https://memory.example' }, 'MEMORY_MCP_URL'],
  [
    { MEMORY_MCP_URL: 'https://memory.example/mcp', MEMORY_ENGINE_URL: 'https://a:b@memory.example' },
    'MEMORY_ENGINE_URL',
  ],
])('does not boot with %j', async (env, variable) => {
  await expect(boot(env)).rejects.toMatchObject({
    problems: [{ headline: `Plugin 'memory' env validation failed for '${variable}'` }],
  })
})

const promptOf = (call: ScriptedCall | undefined): string => JSON.stringify(call?.prompt ?? '')

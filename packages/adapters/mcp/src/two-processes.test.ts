/** @module-tag long */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { openStorage } from '@sibyl/storage'
import { breakableWay } from '@sibyl/storage/testing'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { mcpServer } from './mcp-server.ts'
import { shop, waits } from './shop.test.support.ts'

const key = 'k-0123456789abcdef'
const headers = { authorization: `Bearer ${key}` }
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const jsonHeaders = {
  ...headers,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
}
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

const testOracle = async (database: string, steps: Parameters<typeof scriptedModel>[0] = ['hello', 'hello again']) => {
  const oracle = await testApp({
    plugins: [shop],
    adapters: [mcpServer()],
    model: scriptedModel(steps),
    env: {
      ORACLE_API_KEYS: `app:${key}:*`,
      ORACLE_MNEMONIC: mnemonic,
      DATABASE_URL: database,
      HOST: '127.0.0.1',
      PORT: '0',
    },
  })
  const stop = () => oracle[Symbol.asyncDispose]()
  onTestFinished(stop)
  return { url: (await oracle.app.listen()).url, stop }
}

const start = async (...given: Parameters<typeof testOracle>) => (await testOracle(...given)).url

/** Returns a `fetch` that sends each request to the next of the oracles. */
const inTurn = (urls: readonly string[]): typeof fetch => {
  let count = 0
  return (input, init) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input))
    count += 1
    return fetch(`${urls[count % urls.length]}${pathname}`, init)
  }
}

const form = async () => ({ action: 'accept' as const, content: { decision: 'once' } })

/** Connects a client of SDK 2. @param revision The one that it speaks. @default the latest that both speak */
const connect = async (url: string, fetchOf: typeof fetch = fetch, revision?: string) => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: {} } },
      ...(revision === undefined
        ? { versionNegotiation: { mode: 'auto' } }
        : { supportedProtocolVersions: [revision] }),
    },
  )
  client.setRequestHandler('elicitation/create', form)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers }, fetch: fetchOf }),
  )
  onTestFinished(() => client.close())
  return client
}

/** Connects a client of SDK 1, as Claude Code has it. */
const connectOlder = async (url: string, fetchOf: typeof fetch = fetch) => {
  const client = new OldClient({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {}, roots: {} } })
  client.setRequestHandler(ElicitRequestSchema, form)
  const transport = new OldTransport(new URL(`${url}/mcp`), { requestInit: { headers }, fetch: fetchOf })
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  onTestFinished(() => client.close())
  return client
}

/** Connects a client of a revision; `heard` counts the changes of the list of tools that it is notified of. */
const follow = async (url: string, revision: string) => {
  const heard = { count: 0 }
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      ...(revision === '2026-07-28'
        ? { versionNegotiation: { mode: 'auto' } }
        : { supportedProtocolVersions: [revision] }),
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void heard.count++ } },
    },
  )
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  expect(client.getNegotiatedProtocolVersion()).toBe(revision)
  return { client, heard, tools: async () => (await client.listTools()).tools.map(({ name }) => name) }
}

const revisions = ['2026-07-28', '2025-11-25', '2025-06-18']

const load = { name: 'load_capability', arguments: { names: ['shop'] } }
/** The steps of two chat turns that load the shop. */
const loading: Parameters<typeof scriptedModel>[0] = [0, 1].flatMap(() => [
  [{ tool: 'load_capability', input: load.arguments }],
  'loaded',
])

/** Sends a chat message; returns the stream of its turn. */
const chat = async (url: string, session: string) => {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Load the shop' }] }
  const answer = await fetch(`${url}/chat`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ id: session, message }),
  })
  return answer.text()
}

const pay = { name: 'shop_pay', arguments: { amount: 5 } }

await onEachEngine('clients of the Model Context Protocol', engine => {
  test('load a capability, are asked, and read their session', async () => {
    const client = await connect(await start(await engine.emptyDatabase()))
    await client.callTool(load)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shop_pay')
    expect(await client.callTool(pay)).toMatchObject({ structuredContent: { paid: 5 } })
    const asked = await client.callTool({ name: 'ask_oracle', arguments: { message: 'Say hello' } })
    const { session } = asked.structuredContent as { readonly session: string }
    const { resources } = await client.listResources()
    expect(resources.filter(({ uri }) => uri.startsWith('sibyl://sessions/'))).toMatchObject([
      { name: session, title: 'Say hello' },
    ])
    expect(await client.readResource({ uri: `sibyl://sessions/${session}` })).toMatchObject({
      contents: [{ text: expect.stringContaining('hello') }],
    })
  })

  // SQLite is the database of one process.
  test.skipIf(engine.name === 'sqlite')('of revision 2026-07-28 are served by any process', async () => {
    const database = await engine.emptyDatabase()
    const urls = [await start(database), await start(database)]
    const client = await connect(urls[0]!, inTurn(urls))
    await client.callTool(load)
    for (const _ of urls) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shop_pay')
      expect(await client.callTool(pay)).toMatchObject({ structuredContent: { paid: 5 } })
    }
  })

  test.each(revisions)(
    'of revision %s hear what another connection, a chat turn or a deletion changes',
    async revision => {
      const database = await engine.emptyDatabase()
      const url = await start(database, loading)
      // SQLite is the database of one process.
      const other = engine.name === 'sqlite' ? url : await start(database, loading)
      const { heard, tools } = await follow(url, revision)
      expect(await tools()).not.toContain('shop_pay')

      await (await connect(other)).callTool(load)
      await expect.poll(() => heard.count).toBe(1)
      expect(await tools()).toContain('shop_pay')

      const deleted = await fetch(`${other}/sessions/mcp`, { method: 'DELETE', headers })
      expect(deleted.status).toBe(204)
      await expect.poll(() => heard.count).toBe(2)
      expect(await tools()).not.toContain('shop_pay')

      for (const session of ['another', 'mcp']) expect(await chat(other, session)).toContain('"shop_pay"')
      await expect.poll(() => heard.count).toBe(3)
      expect(await tools()).toContain('shop_pay')
    },
  )

  test.skipIf(engine.name === 'sqlite')(
    'hear of changes that the connection between processes missed',
    { tags: 'long' },
    async () => {
      const database = await engine.emptyDatabase()
      const way = await breakableWay(database)
      onTestFinished(() => way.stop())
      const [cut, other] = [await start(way.url), await start(database)]
      const { heard, tools } = await follow(cut, '2026-07-28')
      way.close()
      await (await connect(other)).callTool(load)
      expect(heard.count).toBe(0)
      way.open()
      await expect.poll(() => heard.count).toBe(1)
      expect(await tools()).toContain('shop_pay')
    },
  )

  test.skipIf(engine.name === 'sqlite')(
    'any process answers clients of older revisions',
    { tags: 'long' },
    async () => {
      const database = await engine.emptyDatabase()
      const urls = [await start(database), await start(database)]
      for (const connectOne of [connectOlder, connect]) {
        const client = await connectOne(urls[0]!, inTurn(urls), '2025-11-25')
        await client.callTool(load)
        for (const _ of [...urls, ...urls]) {
          expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shop_pay')
          // The answer to its form reaches the other process.
          expect(await client.callTool(pay)).toMatchObject({ structuredContent: { paid: 5 } })
        }
      }
    },
  )

  test.skipIf(engine.name === 'sqlite')(
    'a client of an older revision cancels a call of another process',
    { tags: 'long' },
    async () => {
      const database = await engine.emptyDatabase()
      const urls = [await start(database), await start(database)]
      const client = await connectOlder(urls[0]!, inTurn(urls))
      await client.callTool(load)
      const controller = new AbortController()
      const call = client.callTool({ name: 'shop_wait', arguments: {} }, undefined, { signal: controller.signal })
      const aborted = Promise.withResolvers<void>()
      waits.once('start', (signal: AbortSignal) => {
        signal.addEventListener('abort', () => aborted.resolve())
        controller.abort()
      })
      await expect(call).rejects.toThrow()
      await aborted.promise
    },
  )

  test.skipIf(engine.name === 'sqlite')('an answer that no request waits for is erased with its caller', async () => {
    const database = await engine.emptyDatabase()
    const url = await start(database)
    const storage = await openStorage<{ mcp_messages: { body: string | null } }>({ url: database })
    onTestFinished(() => storage.close())
    const rows = async () => (await storage.read.selectFrom('mcp_messages').select('body').execute()).length
    const begun = await fetch(`${url}/mcp`, { method: 'POST', headers: jsonHeaders, body: JSON.stringify(initialize) })
    await begun.text()
    const session = { ...jsonHeaders, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const late = {
      jsonrpc: '2.0',
      id: `${crypto.randomUUID()}:0`,
      result: { action: 'accept', content: { name: 'Ada' } },
    }
    const sent = await fetch(`${url}/mcp`, { method: 'POST', headers: session, body: JSON.stringify(late) })
    expect([sent.status, await rows()]).toEqual([202, 1])
    expect((await fetch(`${url}/me`, { method: 'DELETE', headers })).status).toBe(204)
    expect(await rows()).toBe(0)
  })

  test('a session of an older revision continues after its process ended', async () => {
    const database = await engine.emptyDatabase()
    const target = { url: '' }
    const first = await testOracle(database)
    target.url = first.url
    const client = await connectOlder('http://oracle.test', (input, init) =>
      fetch(`${target.url}${new URL(String(input)).pathname}`, init),
    )
    await client.callTool(load)
    await first.stop()
    target.url = await start(database)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('shop_pay')
    expect(await client.callTool(pay)).toMatchObject({ structuredContent: { paid: 5 } })
  })
})

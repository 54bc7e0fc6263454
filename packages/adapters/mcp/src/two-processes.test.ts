import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { breakableWay } from '@sibyl/storage/testing'
import { onEachEngine } from '@sibyl/storage/testing/engines'
import { scriptedModel, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { mcpServer } from './mcp-server.ts'

const key = 'k-0123456789abcdef'
const headers = { authorization: `Bearer ${key}` }
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'

const shop = definePlugin({
  name: 'shop',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'on-demand' },
  setup: () => ({
    tools: {
      shop_pay: defineTool({
        description: 'Pays.',
        input: z.object({ amount: z.number() }),
        output: z.object({ paid: z.number() }),
        effect: 'write',
        approval: 'user',
        describe: ({ amount }) => `Pay ${amount} €`,
        execute: async ({ amount }) => ({ paid: amount }),
      }),
    },
  }),
})

const start = async (database: string, steps: Parameters<typeof scriptedModel>[0] = ['hello', 'hello again']) => {
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
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  return (await oracle.app.listen()).url
}

/** Returns a `fetch` that sends each request to the next of the oracles. */
const inTurn = (urls: readonly string[]): typeof fetch => {
  let count = 0
  return (input, init) => {
    const { pathname } = new URL(String(input instanceof Request ? input.url : input))
    count += 1
    return fetch(`${urls[count % urls.length]}${pathname}`, init)
  }
}

const connect = async (url: string, fetchOf: typeof fetch = fetch) => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  )
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { decision: 'once' } }))
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers }, fetch: fetchOf }),
  )
  onTestFinished(() => client.close())
  return client
}

/** Connects a client of revision 2025-11-25, whose requests go where `target` says. */
const connectOld = async (target: { url: string }) => {
  const client = new OldClient({ name: 'test', version: '1.0.0' })
  const transport = new OldTransport(new URL(`${target.url}/mcp`), {
    requestInit: { headers },
    fetch: (input, init) => fetch(`${target.url}${new URL(String(input)).pathname}`, init),
  })
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

  test.skipIf(engine.name === 'sqlite')('hear of changes that the connection between processes missed', async () => {
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
  })

  test.skipIf(engine.name === 'sqlite')('of older revisions initialize again at another process', async () => {
    const database = await engine.emptyDatabase()
    const [first, second] = [await start(database), await start(database)]
    const target = { url: first }
    const client = await connectOld(target)
    await client.callTool(load)
    target.url = second
    await expect(client.listTools()).rejects.toMatchObject({
      code: 404,
      message: expect.stringContaining('Initialize again'),
    })
    const again = await connectOld(target)
    expect((await again.listTools()).tools.map(({ name }) => name)).toContain('shop_pay')
  })
})

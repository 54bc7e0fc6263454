import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { definePlugin, defineTool } from '@sibyl/plugin'
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

const start = async (database: string) => {
  const oracle = await testApp({
    plugins: [shop],
    adapters: [mcpServer()],
    model: scriptedModel(['hello', 'hello again']),
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

const load = { name: 'load_capability', arguments: { names: ['shop'] } }
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

import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

/** A client of an SDK, as far as the test uses it. */
interface Client {
  connect(transport: object): Promise<void>
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: object): Promise<{ readonly content: unknown; readonly isError?: boolean }>
  listResources(): Promise<{ readonly resources: readonly unknown[] }>
  listPrompts(): Promise<{ readonly prompts: readonly unknown[] }>
  close(): Promise<void>
}

test.each(['1.10', '1.22'])('a client of the MCP SDK %s lists, calls a tool and asks the oracle', async version => {
  const { url } = await startOracle([{ tool: 'shop_look', input: { item: 'pump' } }, 'A pump is 12 €.'])
  const { Client } = clients(`mcp-sdk-${version}/client/index.js`) as { Client: new (info: object) => Client }
  const { StreamableHTTPClientTransport: Transport } = clients(`mcp-sdk-${version}/client/streamableHttp.js`) as {
    StreamableHTTPClientTransport: new (url: URL, options: object) => object
  }
  const client = new Client({ name: 'old', version })
  await client.connect(
    new Transport(new URL(`${url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['ask_oracle', 'shop_look', 'shop_pay']),
  )
  expect(await client.callTool({ name: 'shop_look', arguments: { item: 'pump' } })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('12') }],
  })
  expect(await client.callTool({ name: 'ask_oracle', arguments: { message: 'How much is a pump?' } })).toMatchObject({
    content: [{ type: 'text', text: 'A pump is 12 €.' }],
  })
  expect(await client.callTool({ name: 'shop_pay', arguments: { amount: 3 } })).toMatchObject({ isError: true })
  expect((await client.listResources()).resources.length).toBeGreaterThan(0)
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0)
  await client.close()
})

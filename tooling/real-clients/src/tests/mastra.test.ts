import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { key, startOracle } from './start-oracle.ts'

const clients = createRequire(new URL('../../clients/package.json', import.meta.url))

/** What the tests use of Mastra. */
interface McpClient {
  listTools(): Promise<Record<string, { execute(input: object, context?: object): Promise<unknown> }>>
  disconnect(): Promise<void>
}
interface RemoteAgent {
  getAgentCard(): Promise<{ readonly name: string }>
  generate(text: string): Promise<{ readonly text: string }>
  stream(text: string): Promise<{ getResult(): Promise<{ readonly text: string }> }>
}

const { MCPClient } = clients('@mastra/mcp') as { MCPClient: new (options: object) => McpClient }
const { A2AAgent } = clients('@mastra/core/a2a') as { A2AAgent: new (options: object) => RemoteAgent }
const headers = { authorization: `Bearer ${key}` }

test('the MCP client of Mastra lists the tools, calls one and asks the oracle', async () => {
  const { url } = await startOracle(['A pump is 12 €.'])
  const client = new MCPClient({ servers: { oracle: { url: new URL(`${url}/mcp`), requestInit: { headers } } } })
  onTestFinished(() => client.disconnect())
  const tools = await client.listTools()
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(['oracle_ask_oracle', 'oracle_shop_look']))
  expect(JSON.stringify(await tools.oracle_shop_look?.execute({ item: 'pump' }))).toContain('12')
  expect(JSON.stringify(await tools.oracle_ask_oracle?.execute({ message: 'How much?' }))).toContain('A pump is 12 €.')
})

test('the MCP client of Mastra, which repeats a call after a broken connection, runs one turn', async () => {
  const gate = Promise.withResolvers<void>()
  const { url, model } = await startOracle([[{ wait: gate.promise }, 'Paid once.'], 'Paid twice.'])
  const sockets: Socket[] = []
  const asked: Socket[] = []
  const proxy = createServer(incoming => {
    const outgoing = connect(Number(new URL(url).port), '127.0.0.1')
    incoming.on('data', data => data.includes('"tools/call"') && asked.push(incoming))
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing]) sockets.push(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  const { port } = proxy.address() as AddressInfo
  const client = new MCPClient({
    servers: { oracle: { url: new URL(`http://127.0.0.1:${port}/mcp`), requestInit: { headers } } },
  })
  onTestFinished(() => client.disconnect())
  const tools = await client.listTools()
  const answer = tools.oracle_ask_oracle?.execute({ message: 'Pay.' })
  await expect.poll(() => model.calls.length).toBe(1)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => asked.length).toBe(2)
  gate.resolve()
  expect([JSON.stringify(await answer).includes('Paid once.'), model.calls.length]).toEqual([true, 1])
})

test.each(['0.3', '1.0'])(
  'the agent of Mastra for A2A %s reads the card, generates and streams',
  async protocolVersion => {
    const { url } = await startOracle(['Hello.', 'Bye now.'])
    const agent = new A2AAgent({ url: `${url}/.well-known/agent-card.json`, headers, protocolVersion })
    expect(await agent.getAgentCard()).toMatchObject({ name: 'Field Oracle' })
    expect((await agent.generate('Hi')).text).toBe('Hello.')
    expect((await (await agent.stream('Bye')).getResult()).text).toBe('Bye now.')
  },
)

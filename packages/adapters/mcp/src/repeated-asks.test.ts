import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { type ScriptedCall, scriptedModel, testApp } from '@sibyl/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { mcpServer } from './mcp-server.ts'

const key = 'k-0123456789abcdef'
const requestInit = { headers: { authorization: `Bearer ${key}` } }

/** A tool that pays, once its gate opens, and the ends of turns. */
const cashier = () => {
  const paid: string[] = []
  const ends: string[] = []
  const gate = Promise.withResolvers<void>()
  const plugin = definePlugin({
    name: 'shop',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Shop', summary: 'Pays.', whenToUse: ['someone pays'], load: 'always' },
    setup: () => ({
      turn: {
        async after(_, { outcome }) {
          ends.push(outcome)
        },
      },
      tools: {
        pay: defineTool({
          description: 'Pays.',
          input: z.object({}),
          effect: 'write',
          async execute(_, { turn }) {
            paid.push(turn.id)
            await gate.promise
            return 'paid'
          },
        }),
      },
    }),
  })
  return { plugin, paid, ends, open: gate.resolve }
}

const start = async () => {
  const { plugin, ...shop } = cashier()
  const step = ({ prompt }: ScriptedCall) =>
    prompt.at(-1)?.role === 'tool' ? 'Paid once.' : ({ tool: 'pay', input: {} } as const)
  const oracle = await testApp({
    plugins: [plugin],
    adapters: [mcpServer()],
    model: scriptedModel(Array.from({ length: 9 }, () => step)),
    env: { ORACLE_API_KEYS: `app:${key}:*`, HOST: '127.0.0.1', PORT: '0' },
  })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  return { ...shop, ...(await breakingProxy(url)) }
}

/** A proxy whose connections break at once. */
const breakingProxy = async (url: string) => {
  const sockets = new Set<Socket>()
  const proxy = createServer(incoming => {
    const outgoing = connect(Number(new URL(url).port), '127.0.0.1')
    incoming.pipe(outgoing).pipe(incoming)
    for (const socket of [incoming, outgoing]) sockets.add(socket.on('error', () => {}))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  onTestFinished(() => {
    breakAll()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, breakAll }
}

interface Asking {
  ask(onprogress?: () => void): Promise<{ readonly structuredContent?: unknown }>
  close(): Promise<void>
}

const connectNew = async (url: string): Promise<Asking> => {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  return {
    ask: onprogress =>
      client.callTool({ name: 'ask_oracle', arguments: { message: 'Pay.' } }, onprogress && { onprogress }),
    close: () => client.close(),
  }
}

const connectOld = async (url: string): Promise<Asking> => {
  const client = new OldClient({ name: 'test', version: '1.0.0' })
  const transport = new OldTransport(new URL(`${url}/mcp`), {
    requestInit,
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  })
  await client.connect(transport as Parameters<OldClient['connect']>[0])
  onTestFinished(() => client.close())
  return {
    ask: onprogress =>
      client.callTool(
        { name: 'ask_oracle', arguments: { message: 'Pay.' } },
        undefined,
        onprogress && { onprogress },
      ) as ReturnType<Asking['ask']>,
    close: () => client.close(),
  }
}

describe.each([
  ['2026-07-28', connectNew],
  ['2025-11-25', connectOld],
])('ask_oracle without a key, revision %s', (_, connectTo) => {
  test('a repeat after a broken connection joins the turn that runs', async () => {
    const { url, paid, breakAll, open } = await start()
    const first = await connectTo(url)
    const lost = first.ask().catch(() => 'lost')
    await expect.poll(() => paid.length).toBe(1)
    breakAll()
    await first.close()
    expect(await lost).toBe('lost')
    const joined = Promise.withResolvers<void>()
    const repeated = (await connectTo(url)).ask(joined.resolve)
    await joined.promise
    open()
    expect([(await repeated).structuredContent, paid.length]).toMatchObject([{ answer: 'Paid once.' }, 1])
  })

  test('a repeat gets the answer that no client read, and a later call is a turn of its own', async () => {
    const { url, paid, ends, breakAll, open } = await start()
    const first = await connectTo(url)
    const lost = first.ask().catch(() => 'lost')
    await expect.poll(() => paid.length).toBe(1)
    breakAll()
    await first.close()
    expect(await lost).toBe('lost')
    const client = await connectTo(url)
    open()
    await expect.poll(() => ends).toEqual(['done'])
    const answer = (await client.ask()).structuredContent
    expect([answer, paid.length]).toMatchObject([{ answer: 'Paid once.' }, 1])
    const next = (await client.ask()).structuredContent
    expect([next, paid.length]).toMatchObject([{ answer: 'Paid once.' }, 2])
    expect(next).not.toEqual(answer)
  })

  test('two calls one after the other both run', async () => {
    const { url, paid, open } = await start()
    open()
    const client = await connectTo(url)
    const answers = [(await client.ask()).structuredContent, (await client.ask()).structuredContent] as {
      session: string
    }[]
    expect([new Set(answers.map(({ session }) => session)).size, paid.length]).toEqual([2, 2])
  })
})

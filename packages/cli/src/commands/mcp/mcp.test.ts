import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { bundledAdapters } from '@sibyl/bundle'
import { createMnemonic } from '@sibyl/identity'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { reservePort, testApp } from '@sibyl/testing'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { bundledSibyl } from '../../process/bundled-sibyl.test.helper.ts'
import { inherited } from '../../project/project-folder.test.helper.ts'

const bank = (onWait: () => void) =>
  definePlugin({
    name: 'bank',
    version: '0.1.0',
    core: '^0.1.0',
    manifest: { title: 'Bank', summary: 'Pays.', whenToUse: ['someone is paid'] },
    setup: () => ({
      tools: {
        bank_pay: defineTool({
          description: 'Pays someone.',
          input: z.object({ name: z.string() }),
          effect: 'write',
          approval: 'user',
          execute: async ({ name }) => ({ paid: name }),
        }),
        bank_wait: defineTool({
          description: 'Waits until the call is canceled.',
          input: z.object({}),
          effect: 'read',
          execute: (_, { signal }) =>
            new Promise<string>(resolve => {
              signal.addEventListener('abort', () => resolve('canceled'))
              onWait()
            }),
        }),
      },
    }),
  })

const startOracle = async (port: number, mnemonic: string, onWait: () => void = () => {}) => {
  const oracle = await testApp({
    plugins: [bank(onWait)],
    adapters: bundledAdapters(),
    env: { HOST: '127.0.0.1', PORT: String(port), ORACLE_MNEMONIC: mnemonic },
  })
  const { url } = await oracle.app.listen()
  return { url, close: () => oracle[Symbol.asyncDispose]() }
}

/** The environment of `sibyl mcp` with a home of its own. */
const environmentOf = (home: string) => ({ PATH: process.env.PATH ?? '', ...inherited(), SIBYL_HOME: home })

/** Starts an oracle, and returns how a client starts `sibyl mcp` for it. */
const start = async (onWait?: () => void) => {
  const mnemonic = createMnemonic(12).reveal()
  const port = await reservePort()
  let oracle = await startOracle(port, mnemonic, onWait)
  onTestFinished(() => oracle.close())
  const home = await mkdtemp(join(tmpdir(), 'sibyl-mcp-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return {
    command: {
      command: process.execPath,
      args: [bundledSibyl, 'mcp', '--url', oracle.url],
      env: environmentOf(home),
      stderr: 'ignore' as const,
    },
    async restart() {
      await oracle.close()
      oracle = await startOracle(port, mnemonic, onWait)
    },
  }
}

const accept = { action: 'accept' as const, content: { decision: 'once' } }

test('a client of revision 2026-07-28 calls, approves and asks through standard input and output', async () => {
  const { command } = await start()
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  )
  client.setRequestHandler('elicitation/create', async () => accept)
  await client.connect(new StdioClientTransport(command))
  onTestFinished(() => client.close())
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  await client.callTool({ name: 'load_capability', arguments: { names: ['bank'] } })
  const paid = await client.callTool({ name: 'bank_pay', arguments: { name: 'Ada' } })
  expect(paid.structuredContent).toEqual({ paid: 'Ada' })
  const answer = await client.callTool({ name: 'ask_oracle', arguments: { message: 'hello' } })
  expect(answer.structuredContent).toMatchObject({ answer: expect.stringContaining('offline model') })
})

test('a client of revision 2025-11-25 is notified, and goes on after a restart of the oracle', async () => {
  const { command, restart } = await start()
  const client = new OldClient({ name: 'test', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async () => accept)
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    changes += 1
  })
  await client.connect(new OldTransport(command))
  onTestFinished(() => client.close())
  const load = () => client.callTool({ name: 'load_capability', arguments: { names: ['bank'] } })
  await load()
  await expect.poll(() => changes).toBeGreaterThan(0)
  await restart()
  await load()
  const paid = await client.callTool({ name: 'bank_pay', arguments: { name: 'Ada' } })
  expect(paid.structuredContent).toEqual({ paid: 'Ada' })
})

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Starts `sibyl mcp` as a process whose lines the test writes and reads. */
const startProgram = async (onWait?: () => void) => {
  const { command } = await start(onWait)
  const program = spawn(command.command, command.args, { env: command.env, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => void program.kill('SIGKILL'))
  const send = (id: number, method: string, params: object) =>
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } })}\n`)
  const read = async () => String((await once(program.stdout, 'data'))[0])
  return { program, send, read }
}

test('it ends with its input, also with a subscription, whose answer has no end', { tags: 'long' }, async () => {
  const { program, send, read } = await startProgram()
  send(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  expect(await read()).toContain('notifications/subscriptions/acknowledged')
  program.stdin.end()
  expect(await once(program, 'exit')).toEqual([0, null])
})

test('a request that a client of revision 2025-11-25 canceled gets no response, and does not delay the end', {
  tags: 'long',
}, async () => {
  const { promise: waiting, resolve } = Promise.withResolvers<void>()
  const { program, read } = await startProgram(resolve)
  const send = (message: object) => program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1.0.0' }
  send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } })
  expect(await read()).toContain('"protocolVersion":"2025-11-25"')
  send({ method: 'notifications/initialized' })
  send({ id: 1, method: 'tools/call', params: { name: 'load_capability', arguments: { names: ['bank'] } } })
  let text = ''
  program.stdout.on('data', chunk => {
    text += chunk
  })
  await expect.poll(() => text).toContain('"id":1')
  send({ id: 2, method: 'tools/call', params: { name: 'bank_wait', arguments: {} } })
  await waiting
  send({ method: 'notifications/cancelled', params: { requestId: 2 } })
  program.stdin.end()
  expect(await once(program, 'exit')).toEqual([0, null])
  expect(text).not.toContain('"id":2')
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'on %s it cancels what is pending, and ends',
  { tags: 'long' },
  async signal => {
    const { promise: waiting, resolve } = Promise.withResolvers<void>()
    const { program, send, read } = await startProgram(resolve)
    send(1, 'tools/call', { name: 'load_capability', arguments: { names: ['bank'] } })
    expect(await read()).toContain('bank')
    send(2, 'tools/call', { name: 'bank_wait', arguments: {} })
    await waiting
    program.kill(signal)
    expect(await once(program, 'exit')).toEqual([0, null])
  },
)

test('an oracle without the adapter is an error that says what to set', async () => {
  const oracle = await testApp({ plugins: [], env: { HOST: '127.0.0.1', PORT: '0' } })
  onTestFinished(() => oracle[Symbol.asyncDispose]())
  const { url } = await oracle.app.listen()
  const home = await mkdtemp(join(tmpdir(), 'sibyl-mcp-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const args = [bundledSibyl, 'mcp', '--url', url]
  const client = new OldClient({ name: 'test', version: '1.0.0' })
  const env = environmentOf(home)
  onTestFinished(() => client.close())
  const connecting = client.connect(new OldTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
  await expect(connecting).rejects.toThrow('Add mcp-server to ORACLE_ADAPTERS')
})

test('an oracle that is away is an error of the request', async () => {
  const home = await mkdtemp(join(tmpdir(), 'sibyl-mcp-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const args = [bundledSibyl, 'mcp', '--url', `http://127.0.0.1:${await reservePort()}`]
  const client = new Client({ name: 'test', version: '1.0.0' })
  const env = environmentOf(home)
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
  let shown = ''
  transport.stderr?.on('data', text => {
    shown += String(text)
  })
  await expect(client.connect(transport)).rejects.toThrow()
  expect(shown).toContain('sibyl:')
})

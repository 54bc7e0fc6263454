// Prints, as JSON, the files of core of which a function runs during one request of each kind, in an oracle that has served
// such a request before. Run under `node --conditions=sibyl-source`.
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mcpServer } from '@sibyl/adapter-mcp'
import { definePlugin, defineTool } from '@sibyl/plugin'
import { ussd } from '@sibyl/plugin-ussd'
import { sendUssd } from '@sibyl/plugin-ussd/testing'
import { fakeClock } from '@sibyl/storage/testing'
import { testApp } from '@sibyl/testing'
import { workspaceRoot } from '@sibyl/tooling-source'
import { z } from 'zod'

const apiKey = 'key-of-the-measurement'

const greeter = definePlugin({
  name: 'greeter',
  version: '0.1.0',
  core: '^0.1.0',
  manifest: {
    title: 'Greeter',
    summary: 'Greets.',
    whenToUse: ['a user says hello'],
    load: 'always',
    examples: [{ user: ['Greet me'], tool: 'greet', args: {}, answer: '{greeting}' }],
  },
  setup: () => ({
    tools: {
      greet: defineTool({
        description: 'Greets.',
        effect: 'read',
        input: z.object({}),
        output: z.object({ greeting: z.string() }),
        execute: async () => ({ greeting: 'Hello' }),
      }),
    },
  }),
})

await using oracle = await testApp({
  // No timer of the oracle fires during a request.
  clock: fakeClock(Date.now()),
  config: { name: 'Measurement' },
  plugins: [greeter, ussd()],
  adapters: [mcpServer()],
  env: { PIN_ENCRYPTION_KEY: 'ab'.repeat(32), ORACLE_API_KEYS: `client:${apiKey}:*` },
})

/** Sends one message of the Model Context Protocol and returns its response. */
const sendMcp = async (message: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> => {
  const response = await oracle.app.request('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  })
  if (!response.ok) throw new Error(`POST /mcp returned ${response.status}: ${await response.text()}`)
  return response
}

/** Opens a session of revision 2025-11-25; returns a call of the tool in it. */
const openMcpSession = async (): Promise<() => Promise<string>> => {
  const protocolVersion = '2025-11-25'
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'measurement', version: '1.0.0' } }
  const opened = await sendMcp({ id: 0, method: 'initialize', params })
  const headers = {
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': protocolVersion,
  }
  await opened.text()
  await sendMcp({ method: 'notifications/initialized' }, headers)
  const call = { id: 1, method: 'tools/call', params: { name: 'greet', arguments: {} } }
  return async () => (await sendMcp(call, headers)).text()
}

/** The requests, each with a part of its answer. */
const requests: Readonly<Record<string, { send(): Promise<string>; readonly answer: string }>> = {
  'chat turn': { send: async () => (await oracle.chat('Which tools are there?')).text, answer: 'Greeter' },
  'MCP tools/call': { send: await openMcpSession(), answer: 'Hello' },
  'USSD request': { send: async () => (await sendUssd(oracle.app)).text, answer: '1. Know More' },
}

const session = new Session()
session.connect()
await session.post('Profiler.enable')

/** Returns the files of core that ran during `send`. */
const filesOf = async (send: () => Promise<string>, text: string): Promise<string[]> => {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  const received = await send()
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as {
    result: { url: string; functions: { ranges: { count: number }[] }[] }[]
  }
  await session.post('Profiler.stopPreciseCoverage')
  if (!received.includes(text)) throw new Error(`'${received.slice(0, 200)}' does not contain '${text}'.`)
  return result
    .filter(({ url, functions }) => url.startsWith('file:') && functions.some(one => one.ranges.some(r => r.count > 0)))
    .map(({ url }) => relative(workspaceRoot, fileURLToPath(url)))
    .filter(path => path.startsWith('packages/core/src/') && !path.includes('/testing/'))
    .toSorted()
}

const files: Record<string, string[]> = {}
for (const [name, { send, answer }] of Object.entries(requests)) {
  await send()
  let common = await filesOf(send, answer)
  // What another task runs during a request, and what a request runs that a busy machine slows down, is not part of it.
  for (let repeat = 0; repeat < 9; repeat += 1) {
    const run = await filesOf(send, answer)
    common = common.filter(path => run.includes(path))
  }
  files[name] = common
}
console.log(JSON.stringify(files))

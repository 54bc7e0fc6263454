// The chat turn through each adapter beside `/chat`: CPU time of the oracle a turn, by API key, streamed, each turn in a session of its own.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { pairedRatio } from './measure/paired-ratio.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 10)
const turns = Number(process.env.BENCH_TURNS ?? 200)
const concurrency = Number(process.env.BENCH_CONCURRENCY ?? 8)
const only = process.env.BENCH_ONLY?.split(',')
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const { mnemonic } = await createInvocations()
const apiKey = randomBytes(32).toString('hex')

const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
const environment = {
  ...unlimited,
  OPENAI_BASE_URL: fake.url,
  OPENAI_API_KEY: 'none',
  LLM_PROVIDER: 'openai-compatible',
  LLM_MODEL: 'm',
  ORACLE_MNEMONIC: mnemonic,
  ORACLE_API_KEYS: `bench:${apiKey}:chat/*`,
  LOG_LEVEL: 'error',
}

const mcpRevision = '2026-07-28'
const text = "What's the weather in Berlin?"
/** Requests with the same text at the same time would be one turn. */
const newText = () => `${text} ${randomUUID()}`
const userMessage = () => ({ id: randomUUID(), role: 'user', content: text })

/** A request for a turn through an adapter, and the end of its answer. */
interface Adapter {
  readonly path: string
  readonly body: () => object
  readonly end: string
  readonly headers?: Readonly<Record<string, string>>
}

const chat: Adapter = {
  path: '/chat',
  body: () => ({ id: randomUUID(), message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] } }),
  end: '"type":"finish"',
}

const allAdapters: readonly Adapter[] = [
  {
    path: '/v1/chat/completions',
    body: () => ({ model: 'm', stream: true, messages: [{ role: 'user', content: newText() }] }),
    end: '[DONE]',
  },
  { path: '/v1/responses', body: () => ({ model: 'm', stream: true, input: newText() }), end: 'response.completed' },
  {
    path: '/a2a',
    body: () => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] } },
    }),
    end: 'TASK_STATE_COMPLETED',
    headers: { 'a2a-version': '1.0' },
  },
  {
    path: '/mcp',
    body: () => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'ask_oracle',
        arguments: { message: newText() },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': mcpRevision,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
    end: 'structuredContent',
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': mcpRevision,
      'mcp-method': 'tools/call',
      'mcp-name': 'ask_oracle',
    },
  },
  {
    path: '/ag-ui',
    body: () => ({
      threadId: randomUUID(),
      runId: randomUUID(),
      messages: [userMessage()],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    }),
    end: 'RUN_FINISHED',
  },
]

const adapters = allAdapters.filter(({ path }) => only?.includes(path) ?? true)

const turn = async (oracle: MeasuredProcess, { path, body, end, headers }: Adapter): Promise<void> => {
  const response = await fetch(`${oracle.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}`, ...headers },
    body: JSON.stringify(body()),
  })
  const answer = await response.text()
  if (!response.ok || !answer.includes(end)) throw new Error(`${path}: ${response.status} ${answer.slice(-400)}`)
}

/** Returns the CPU milliseconds that a turn took the oracle. */
const measure = async (oracle: MeasuredProcess, adapter: Adapter): Promise<number> => {
  const cpu = oracle.cpuMs()
  let left = turns
  const worker = async () => {
    while (left-- > 0) await turn(oracle, adapter)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return (oracle.cpuMs() - cpu) / turns
}

/** Measures adapters in turn, in one oracle, beside `/chat`. */
const compare = async (compared: readonly Adapter[]): Promise<void> => {
  const oracle = await startProcess(join(here, 'adapters/oracle-server.ts'), {
    ...environment,
    DATABASE_URL: `file:${join(data, `${randomUUID()}.db`)}`,
  })
  const all = [chat, ...compared]
  for (const adapter of [...all, ...all]) await measure(oracle, adapter)
  const figures = all.map((): number[] => [])
  for (let round = 0; round < rounds; round += 1) {
    const order = [...all.keys()]
    for (const index of round % 2 === 0 ? order : order.toReversed()) {
      figures[index]!.push(await measure(oracle, all[index]!))
    }
  }
  for (const [index, { path }] of all.entries()) {
    const cpu = figures[index]!
    console.log(
      `  ${path.padEnd(22)} ${median(cpu).toFixed(2).padStart(6)} ms CPU a turn  ${pairedRatio(cpu, figures[0]!).toFixed(2)} of /chat`,
    )
  }
  await oracle.stop()
}

console.log(
  `node ${process.version}, ${turns} turns a round, ${concurrency} at a time, medians of ${rounds} paired rounds`,
)
console.log('each adapter in an oracle of its own, in turn with /chat')
for (const adapter of adapters) await compare([adapter])
console.log('all adapters in one oracle, in turn')
await compare(adapters)
await fake.stop()
rmSync(data, { recursive: true, force: true })

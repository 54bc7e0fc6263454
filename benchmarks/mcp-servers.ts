// What MCP servers cost a turn that does not use them, and what the model is sent when everything is configured.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeOpenAi } from '@sibyl/testing'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 300)
const counts = [0, 1, 10, 50] as const
const operatorToken = 'operator-token-of-the-benchmark-0123456789'
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const provider = await startFakeOpenAi({ replies: () => ({ text: 'Hello.' }) })
const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
const stores = await startProcess(join(here, 'mcp-servers/servers-process.ts'))

const serversFile = (count: number): string => {
  const file = join(data, `mcp-${count}.json`)
  const servers = Array.from({ length: count }, (_, index) => [
    `shelf-${index + 1}`,
    { url: `${stores.url}/${index + 1}` },
  ])
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(servers) }))
  return file
}

const startOracle = async (count: number, more: Record<string, string>): Promise<MeasuredProcess> => {
  const oracle = await startProcess(join(here, 'mcp-servers/oracle-server.ts'), {
    ...unlimited,
    OPENAI_API_KEY: 'none',
    LLM_PROVIDER: 'openai-compatible',
    LLM_MODEL: 'm',
    ORACLE_MNEMONIC: invocations.mnemonic,
    ORACLE_OPERATOR_TOKEN: operatorToken,
    LOG_LEVEL: 'error',
    MCP_SERVERS_FILE: serversFile(count),
    ...more,
  })
  await allReady(oracle.url, count)
  return oracle
}

/** Waits until every server has listed its tools. */
const allReady = async (url: string, count: number): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${url}/capabilities`, { headers: { authorization: `Bearer ${operatorToken}` } })
    const { capabilities } = (await answer.json()) as { capabilities: { name: string; state: string }[] }
    const ready = capabilities.filter(({ name, state }) => name.startsWith('shelf-') && state === 'ready')
    if (ready.length === count) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** The tokens of a first turn's request, at 4 characters each. */
const firstTurn = async (oracle: MeasuredProcess) => {
  const [token] = await invocations.mint(1)
  await runLoad(oracle.url, 1, 1, () => token)
  const { messages, tools } = provider.requests.at(-1)?.body ?? {}
  const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4)
  return {
    tools: Array.isArray(tools) ? tools.length : 0,
    toolTokens: tokens(tools),
    tokens: tokens({ messages, tools }),
  }
}

console.log(`node ${process.version}, ${turns} turns a round, one at a time, medians of ${rounds} interleaved rounds`)
const oracles = await Promise.all(
  counts.map(async count => ({
    count,
    oracle: await startOracle(count, {
      OPENAI_BASE_URL: fake.url,
      DATABASE_URL: `file:${join(data, `turns-${count}.db`)}`,
    }),
    turnsPerSecond: [] as number[],
  })),
)
for (let round = -1; round < rounds; round += 1) {
  for (const { oracle, turnsPerSecond } of oracles) {
    const minted = await invocations.mint(turns)
    const result = await runLoad(oracle.url, turns, 1, index => minted[index])
    if (round >= 0) turnsPerSecond.push(result.turnsPerSecond)
  }
}
const [none] = oracles
for (const { count, oracle, turnsPerSecond } of oracles) {
  const perSecond = median(turnsPerSecond)
  const extraMs = 1000 / perSecond - 1000 / median(none!.turnsPerSecond)
  console.log(
    `  ${String(count).padStart(2)} servers ${perSecond.toFixed(0).padStart(5)} turns/s ${(perSecond / median(none!.turnsPerSecond)).toFixed(2).padStart(6)} of none ${extraMs.toFixed(2).padStart(6)} ms more a turn ${oracle.memoryMb().toFixed(0).padStart(5)} MB`,
  )
  await oracle.stop()
}
const settings = {
  none: {},
  all: {
    PIN_ENCRYPTION_KEY: 'ab'.repeat(32),
    MEMORY_MCP_URL: 'embedded:',
    FIRECRAWL_MCP_URL: 'embedded:',
    SANDBOX_MCP_URL: 'embedded:',
  },
}
console.log('what the first turn sends, with nothing loaded')
for (const [name, count, more] of [
  ['weather and mcp without servers', 0, {}],
  ['weather and mcp with 50 servers', 50, {}],
  ['all bundled plugins, none configured', 0, { PLUGINS: 'bundled', ...settings.none }],
  ['all bundled plugins configured, 50 servers', 50, { PLUGINS: 'bundled', ...settings.all }],
] as const) {
  const oracle = await startOracle(count, {
    OPENAI_BASE_URL: provider.url,
    DATABASE_URL: `file:${join(data, `first-${count}-${Object.keys(more).length}.db`)}`,
    ...more,
  })
  const { tools, toolTokens, tokens } = await firstTurn(oracle)
  console.log(
    `  ${name.padEnd(44)} ${String(tools).padStart(3)} tools ${String(toolTokens).padStart(5)} of ${String(tokens).padStart(5)} tokens, boot ${oracle.bootMs.toFixed(0)} ms`,
  )
  await oracle.stop()
}
await Promise.all([fake.stop(), stores.stop(), provider.close()])
rmSync(data, { recursive: true, force: true })

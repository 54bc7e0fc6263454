// The chat turn of chat-turn.ts with limits and telemetry off and on, side by side.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 300)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const fake = await startProcess(join(here, '../packages/core/src/testing/fake-openai-process.ts'))
const collector = createServer((request, reply) => {
  request.resume().on('end', () => reply.end('{}'))
}).listen(0, '127.0.0.1')
await new Promise(resolve => collector.once('listening', resolve))

const limits = {
  RATE_LIMIT_PER_MINUTE: '100000',
  RATE_LIMIT_DID_PER_MINUTE: '100000',
  TOKEN_BUDGET_DID_PER_DAY: '1000000000',
  TOKEN_BUDGET_ORACLE_PER_DAY: '1000000000',
}
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` }
const variants = [
  { name: 'neither', env: unlimited },
  { name: 'limits', env: limits },
  { name: 'traces', env: { ...unlimited, ...traces } },
  { name: 'both', env: { ...limits, ...traces } },
]
const servers = await Promise.all(
  variants.map(async ({ name, env }) => ({
    name,
    turnsPerSecond: [] as number[],
    cpuMs: [] as number[],
    process: await startProcess(join(here, 'chat-turn/oracle-server.ts'), {
      OPENAI_BASE_URL: fake.url,
      LLM_PROVIDER: 'openai-compatible',
      LLM_MODEL: 'm',
      ORACLE_MNEMONIC: invocations.mnemonic,
      DATABASE_URL: `file:${join(data, `${name}.db`)}`,
      LOG_LEVEL: 'error',
      ...env,
    }),
  })),
)
console.log(`node ${process.version}, ${turns} turns a round, medians of ${rounds} interleaved rounds`)
for (const concurrency of [1, 32]) {
  for (let round = -1; round < rounds; round += 1) {
    for (const { process: server, turnsPerSecond, cpuMs } of servers) {
      const tokens = await invocations.mint(turns)
      const cpu = server.cpuMs()
      const result = await runLoad(server.url, turns, concurrency, index => tokens[index])
      if (round < 0) continue
      turnsPerSecond.push(result.turnsPerSecond)
      cpuMs.push((server.cpuMs() - cpu) / turns)
    }
  }
  console.log(`concurrency ${concurrency}`)
  const base = median(servers[0]!.turnsPerSecond)
  for (const { name, turnsPerSecond, cpuMs } of servers) {
    const speed = median(turnsPerSecond.splice(0))
    console.log(
      `  ${name.padEnd(8)} ${speed.toFixed(0).padStart(5)} turns/s   ${(speed / base).toFixed(2)}   ${median(cpuMs.splice(0)).toFixed(2)} CPU ms a turn`,
    )
  }
}
await Promise.all([fake.stop(), ...servers.map(server => server.process.stop())])
collector.close()
rmSync(data, { recursive: true, force: true })

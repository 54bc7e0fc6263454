// The chat turn of chat-turn.ts with limits and telemetry off and on, side by side.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareServers, startCompared } from './chat-turn/compare-servers.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 300)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
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
  variants.map(({ name, env }) =>
    startCompared(join(here, 'chat-turn/oracle-server.ts'), {
      fake,
      name,
      env: { ORACLE_MNEMONIC: invocations.mnemonic, DATABASE_URL: `file:${join(data, `${name}.db`)}`, ...env },
    }),
  ),
)
console.log(`node ${process.version}, ${turns} turns a round, medians of ${rounds} interleaved rounds`)
for (const concurrency of [1, 32]) {
  const figures = await compareServers(servers, { invocations, rounds, turns, concurrency })
  console.log(`concurrency ${concurrency}`)
  for (const [index, { text }] of figures.entries()) console.log(`  ${servers[index]!.name.padEnd(8)} ${text}`)
}
await Promise.all([fake.stop(), ...servers.map(server => server.process.stop())])
collector.close()
rmSync(data, { recursive: true, force: true })

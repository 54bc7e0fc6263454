// A chat turn with one tool call and a 40-token answer, side by side with the bare AI SDK on Hono.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 400)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()

interface Figures {
  turnsPerSecond: number[]
  cpuMs: number[]
  firstTextMs: number[]
}

const measure = async (server: MeasuredProcess, concurrency: number, figures: Figures, authenticated: boolean) => {
  const minted = authenticated ? await invocations.mint(turns) : []
  const cpu = server.cpuMs()
  const result = await runLoad(server.url, turns, concurrency, index => minted[index])
  figures.turnsPerSecond.push(result.turnsPerSecond)
  figures.firstTextMs.push(result.firstTextMs)
  figures.cpuMs.push((server.cpuMs() - cpu) / turns)
}

const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
const upstream = {
  OPENAI_BASE_URL: fake.url,
  OPENAI_API_KEY: 'none',
  LLM_PROVIDER: 'openai-compatible',
  LLM_MODEL: 'm',
}
const floor = await startProcess(join(here, 'chat-turn/floor-server.ts'), upstream)
const oracle = await startProcess(join(here, 'chat-turn/oracle-server.ts'), {
  ...upstream,
  ...unlimited,
  ORACLE_MNEMONIC: invocations.mnemonic,
  DATABASE_URL: `file:${join(data, 'bench.db')}`,
  LOG_LEVEL: 'error',
  ...(process.env.BENCH_ORACLE_ENV ? JSON.parse(process.env.BENCH_ORACLE_ENV) : {}),
})
console.log(`node ${process.version}, ${turns} turns a round, medians of ${rounds} interleaved rounds`)
for (const concurrency of (process.env.BENCH_CONCURRENCY ?? '1,32').split(',').map(Number)) {
  const ours: Figures = { turnsPerSecond: [], cpuMs: [], firstTextMs: [] }
  const bare: Figures = { turnsPerSecond: [], cpuMs: [], firstTextMs: [] }
  for (let round = -1; round < rounds; round += 1) {
    const warmUp = { turnsPerSecond: [], cpuMs: [], firstTextMs: [] }
    await measure(floor, concurrency, round < 0 ? warmUp : bare, false)
    await measure(oracle, concurrency, round < 0 ? warmUp : ours, true)
  }
  const row = (name: string, { turnsPerSecond, cpuMs, firstTextMs }: Figures) =>
    `  ${name.padEnd(8)} ${median(turnsPerSecond).toFixed(0).padStart(6)} turns/s ${median(cpuMs).toFixed(2).padStart(7)} CPU ms a turn ${median(firstTextMs).toFixed(1).padStart(7)} ms to the first text`
  const ratio = median(ours.turnsPerSecond) / median(bare.turnsPerSecond)
  console.log(`concurrency ${concurrency}`)
  console.log(row('floor', bare))
  console.log(row('oracle', ours))
  console.log(
    `  ratio    ${ratio.toFixed(2)} of the floor's turns a second, ${(median(ours.cpuMs) / median(bare.cpuMs)).toFixed(2)} of its CPU`,
  )
}
console.log(`memory after the load: floor ${floor.memoryMb().toFixed(0)} MB, oracle ${oracle.memoryMb().toFixed(0)} MB`)
await Promise.all([floor.stop(), oracle.stop(), fake.stop()])
rmSync(data, { recursive: true, force: true })

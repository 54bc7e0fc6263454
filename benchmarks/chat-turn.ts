// A chat turn with one tool call and a 40-token answer, beside two floors: the bare AI SDK on Hono, and a loop over the provider's
// doStream that writes straight to the response. The oracle takes an invocation (UCAN), or an API key.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLoad } from './chat-turn/load.ts'
import { unlimited } from './faults/frame/unlimited.ts'
import { createInvocations } from './measure/invocations.ts'
import { pairedRatio } from './measure/paired-ratio.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'
import { inSecondCheckout } from './measure/second-checkout.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const turns = Number(process.env.BENCH_TURNS ?? 400)
const wanted = process.env.BENCH_ONLY?.split(',')
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
const invocations = await createInvocations()
const apiKey = randomBytes(32).toString('hex')

interface Figures {
  readonly turnsPerSecond: number[]
  readonly cpuMs: number[]
  readonly firstTextMs: number[]
}

/** A server under measurement, with what its callers present. */
interface Contestant {
  readonly name: string
  readonly server: MeasuredProcess
  readonly credential: 'none' | 'invocation' | 'key'
  figures: Figures
}

const noFigures = (): Figures => ({ turnsPerSecond: [], cpuMs: [], firstTextMs: [] })

const fake = await startProcess(join(here, '../packages/models/src/testing/fake-openai-process.ts'))
const upstream = {
  OPENAI_BASE_URL: fake.url,
  OPENAI_API_KEY: 'none',
  LLM_PROVIDER: 'openai-compatible',
  LLM_MODEL: 'm',
}
const settings = (database: string): Record<string, string> => ({
  ...upstream,
  ...unlimited,
  ORACLE_MNEMONIC: invocations.mnemonic,
  ORACLE_API_KEYS: `bench:${apiKey}:chat/*`,
  DATABASE_URL: `file:${join(data, database)}`,
  LOG_LEVEL: 'error',
  ...(process.env.BENCH_ORACLE_ENV ? JSON.parse(process.env.BENCH_ORACLE_ENV) : {}),
})

const contestants: Contestant[] = []
const add = async (
  name: string,
  file: string | undefined,
  credential: Contestant['credential'],
  env: Record<string, string>,
) => {
  if (file === undefined || (wanted && !wanted.includes(name))) return
  contestants.push({ name, server: await startProcess(file, env), credential, figures: noFigures() })
}
await add('floor', join(here, 'chat-turn/floor-server.ts'), 'none', upstream)
await add('provider loop', join(here, 'chat-turn/provider-loop-server.ts'), 'none', upstream)
await add('oracle', join(here, 'chat-turn/oracle-server.ts'), 'invocation', settings('ucan.db'))
await add('oracle by key', join(here, 'chat-turn/oracle-server.ts'), 'key', settings('key.db'))
await add('before by key', inSecondCheckout('chat-turn/oracle-server.ts'), 'key', settings('before.db'))

const measure = async ({ server, credential, figures }: Contestant, concurrency: number) => {
  const minted = credential === 'invocation' ? await invocations.mint(turns) : []
  const token = (index: number) => (credential === 'key' ? apiKey : minted[index])
  const cpu = server.cpuMs()
  const result = await runLoad(server.url, turns, concurrency, token)
  figures.turnsPerSecond.push(result.turnsPerSecond)
  figures.firstTextMs.push(result.firstTextMs)
  figures.cpuMs.push((server.cpuMs() - cpu) / turns)
}

console.log(`node ${process.version}, ${turns} turns a round, medians of ${rounds} paired rounds`)
for (const concurrency of (process.env.BENCH_CONCURRENCY ?? '1,32').split(',').map(Number)) {
  for (const one of contestants) await measure(one, concurrency)
  for (const one of contestants) one.figures = noFigures()
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const one of order) await measure(one, concurrency)
  }
  console.log(`${concurrency} at a time`)
  const floor = contestants.find(({ name }) => name === 'floor')?.figures ?? noFigures()
  for (const { name, figures } of contestants) {
    console.log(
      `  ${name.padEnd(13)} ${median(figures.turnsPerSecond).toFixed(0).padStart(5)} turns/s` +
        `  ${pairedRatio(figures.turnsPerSecond, floor.turnsPerSecond).toFixed(2)} of the floor's` +
        `  ${median(figures.cpuMs).toFixed(2).padStart(6)} CPU ms a turn` +
        `  ${pairedRatio(figures.cpuMs, floor.cpuMs).toFixed(2)} of the floor's` +
        `  ${median(figures.firstTextMs).toFixed(1).padStart(6)} ms to the first text`,
    )
  }
}
const memory = contestants.map(({ name, server }) => `${name} ${server.memoryMb().toFixed(0)} MB`)
console.log(`memory after the load: ${memory.join(', ')}`)
for (const { server } of contestants) await server.stop()
await fake.stop()
rmSync(data, { recursive: true, force: true })

// USSD sessions of five requests (dial, 1, 1*1, 1*1*0, 1*1*0**) beside bare Hono, bare Hono with one durable write, and
// ussd-builder on Express; on SQLite and on PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startPostgres } from '@sibyl/storage/testing'
import { pairedRatio } from './measure/paired-ratio.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'
import { inSecondCheckout } from './measure/second-checkout.ts'
import { startLoad } from './ussd-sessions/load.ts'
import { ussdSettings } from './ussd-sessions/ussd-settings.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 1_400)
/** Code is compiled for speed only once it has run for a while. */
const warmUpMs = 6_000
const settleMs = 400
const wanted = process.env.BENCH_ONLY?.split(',')
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))
// Commits go to disk, as they do where it counts.
const usesPostgres = !wanted || wanted.some(name => name.includes('postgres'))
const postgres = usesPostgres ? await startPostgres(['fsync=on', 'synchronous_commit=on']) : undefined

interface Figures {
  readonly requestsPerSecond: number[]
  readonly p50Ms: number[]
  readonly p99Ms: number[]
  readonly cpuMs: number[]
  readonly loadCpuMs: number[]
}

/** A server under measurement. */
interface Contestant {
  readonly name: string
  readonly server: MeasuredProcess
  readonly constant: boolean
  figures: Figures
}

const noFigures = (): Figures => ({ requestsPerSecond: [], p50Ms: [], p99Ms: [], cpuMs: [], loadCpuMs: [] })

const contestants: Contestant[] = []
const add = async (name: string, file: string | undefined, env: Record<string, string> = {}, constant = false) => {
  if (file === undefined || (wanted && !wanted.includes(name))) return
  const server = await startProcess(resolve(here, 'ussd-sessions', file), env)
  contestants.push({ name, server, constant, figures: noFigures() })
}
await add('constant', 'constant-server.ts', {}, true)
await add('ussd-builder', 'ussd-builder-server.ts')
await add('sqlite write', 'sqlite-server.ts', { BENCH_DATABASE: join(data, 'bare.db') }, true)
await add('sibyl', 'oracle-server.ts', ussdSettings(`file:${join(data, 'sibyl.db')}`))
const before = inSecondCheckout('ussd-sessions/oracle-server.ts')
await add('before', before, ussdSettings(`file:${join(data, 'before.db')}`))
if (postgres) {
  await add('postgres write', 'postgres-server.ts', { BENCH_DATABASE: await postgres.createDatabase() }, true)
  await add('sibyl postgres', 'oracle-server.ts', ussdSettings(await postgres.createDatabase()))
  await add('before postgres', before, ussdSettings(await postgres.createDatabase()))
}

const load = startLoad()
const measure = async ({ server, constant, figures }: Contestant, concurrency: number, forMs: number) => {
  const cpu = server.cpuMs()
  const port = Number(new URL(server.url).port)
  const result = await load.run({ port, concurrency, forMs, constant })
  figures.requestsPerSecond.push(result.requestsPerSecond)
  figures.p50Ms.push(result.p50Ms)
  figures.p99Ms.push(result.p99Ms)
  figures.cpuMs.push((server.cpuMs() - cpu) / result.requests)
  figures.loadCpuMs.push(result.cpuMs)
}

console.log(
  `node ${process.version}, ${roundMs} ms a round, medians of ${rounds} interleaved rounds after ${warmUpMs} ms of warm-up`,
)
for (const one of contestants) await measure(one, 64, warmUpMs)
for (const concurrency of (process.env.BENCH_CONCURRENCY ?? '1,32,256').split(',').map(Number)) {
  for (const one of contestants) await measure(one, concurrency, settleMs)
  for (const one of contestants) one.figures = noFigures()
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const one of order) await measure(one, concurrency, roundMs)
  }
  const figuresOf = (name: string) => contestants.find(one => one.name === name)?.figures ?? noFigures()
  const constant = figuresOf('constant')
  console.log(`${concurrency} at a time`)
  for (const { name, figures } of contestants) {
    const write = figuresOf(name.includes('postgres') ? 'postgres write' : 'sqlite write')
    const { requestsPerSecond, cpuMs } = figures
    console.log(
      `  ${name.padEnd(15)} ${median(requestsPerSecond).toFixed(0).padStart(6)} requests/s` +
        `  ${pairedRatio(requestsPerSecond, constant.requestsPerSecond).toFixed(2)} of the constant` +
        `  ${pairedRatio(requestsPerSecond, write.requestsPerSecond).toFixed(2)} of a write` +
        `  p50 ${median(figures.p50Ms).toFixed(2).padStart(6)} ms  p99 ${median(figures.p99Ms).toFixed(2).padStart(6)} ms` +
        `  ${(median(cpuMs) * 1000).toFixed(0).padStart(4)} µs CPU  ${pairedRatio(cpuMs, constant.cpuMs).toFixed(2)} of the constant's` +
        ` (the load's ${(median(figures.loadCpuMs) * 1000).toFixed(0)})`,
    )
  }
}
console.log(contestants.map(({ name, server }) => `${name} ${server.memoryMb().toFixed(0)} MB`).join(', '))
load.stop()
for (const { server } of contestants) await server.stop()
await postgres?.stop()
rmSync(data, { recursive: true, force: true })

// Entities under a protocol of ten properties, each with a relationship, a signed event, and all indexes: created, read,
// listed, filtered and walked on SQLite and PostgreSQL, beside bare Hono with one durable insert and one select.
// Run: BENCH_ENTITIES=1000000 node --conditions=sibyl-source benchmarks/entities.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@sibyl/storage/testing'
import pg from 'pg'
import { apiKey, entitySettings } from './entities/entity-settings.ts'
import { explainPlans } from './entities/explain-plans.ts'
import { hotRequests } from './entities/hot-requests.ts'
import { startLoad } from './entities/load.ts'
import type { LoadResult } from './entities/load-process.ts'
import { stoveProtocol } from './entities/stove.ts'
import { type MeasuredProcess, median, startProcess } from './measure/processes.ts'

const size = Number(process.env.BENCH_ENTITIES ?? 20_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const roundMs = Number(process.env.BENCH_ROUND_MS ?? 1_400)
const wanted = (process.env.BENCH_ENGINES ?? 'sqlite,postgres').split(',')
/** Of the bare servers, whose speed does not depend on it. */
const bareSize = Math.min(size, 20_000)
/** Of the list whose first page the reads of the full oracle are compared with. */
const smallSize = 1_000
const fillAtOnce = 256
const warmUpMs = 3_000
const here = join(import.meta.dirname, 'entities')
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))

interface Contestant {
  readonly server: MeasuredProcess
  readonly port: number
  readonly protocol: string
  /** Number of entities that were sent. */
  count: number
}

const load = startLoad()

const start = async (file: string, env: Record<string, string>, hasProtocols: boolean): Promise<Contestant> => {
  const server = await startProcess(join(here, file), env)
  const response = await fetch(`${server.url}/v1/entities`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(stoveProtocol),
  })
  if (response.status !== 201) throw new Error(`the protocol was answered with ${await response.text()}`)
  const { did } = (await response.json()) as { did: string }
  return { server, port: Number(new URL(server.url).port), protocol: hasProtocols ? did : '', count: 0 }
}

const create = async (to: Contestant, concurrency: number, much: { forMs?: number; requests?: number }) => {
  const cpu = to.server.cpuMs()
  const result = await load.run({
    port: to.port,
    concurrency,
    create: { protocol: to.protocol, first: to.count },
    ...much,
  })
  to.count += result.requests
  return { ...result, cpuMs: (to.server.cpuMs() - cpu) / result.requests }
}

const get = async (from: Contestant, path: string, concurrency: number, forMs = roundMs) => {
  const cpu = from.server.cpuMs()
  const result = await load.run({ port: from.port, concurrency, paths: [path], forMs })
  return { ...result, cpuMs: (from.server.cpuMs() - cpu) / result.requests }
}

const line = (
  what: string,
  results: readonly LoadResult[],
  floor?: readonly LoadResult[],
  floorName = 'bare',
): void => {
  const of = (key: keyof LoadResult, among = results) => median(among.map(result => result[key]))
  const ratio = floor ? `${(of('perSecond') / of('perSecond', floor)).toFixed(2)} of ${floorName}` : ''
  console.log(
    `  ${what.padEnd(34)} ${of('perSecond').toFixed(0).padStart(7)}/s  p50 ${of('p50Ms').toFixed(2).padStart(7)} ms` +
      `  p99 ${of('p99Ms').toFixed(2).padStart(7)} ms  ${(of('cpuMs') * 1000).toFixed(0).padStart(6)} µs CPU  ${ratio}`,
  )
}

const fill = async (oracle: Contestant): Promise<void> => {
  const steps = 10
  for (let step = 0; step < steps; step += 1) {
    const result = await create(oracle, fillAtOnce, { requests: Math.ceil(size / steps) })
    line(`filled to ${oracle.count}, ${fillAtOnce} at a time`, [result])
  }
}

/** Measures both, taking turns. */
const compare = async (
  what: string,
  bare: Contestant,
  oracle: Contestant,
  measure: (contestant: Contestant) => Promise<LoadResult>,
): Promise<void> => {
  const [floor, ours]: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await measure(bare))
    ours.push(await measure(oracle))
  }
  line(`${what}, bare`, floor)
  line(`${what}, oracle`, ours, floor)
}

const measureEngine = async (
  engine: 'sqlite' | 'postgres',
  databases: { readonly bare: string; readonly oracle: string },
  settle: () => Promise<void>,
): Promise<void> => {
  console.log(`\n${engine}, ${size} entities`)
  const settings = entitySettings(databases.oracle)
  const bare = await start(`${engine}-server.ts`, { BENCH_DATABASE: databases.bare }, false)
  const oracle = await start('oracle-server.ts', settings, true)
  await create(bare, fillAtOnce, { requests: bareSize })
  await create(oracle, fillAtOnce, { requests: smallSize })
  await get(oracle, hotRequests['first page']!, 1, warmUpMs)
  const small = [await get(oracle, hotRequests['first page']!, 1)]
  line(`first page of ${smallSize}, 1 at a time`, small)
  await fill(oracle)
  await settle()
  for (const concurrency of [1, 64, 256]) {
    await compare(`create, ${concurrency} at a time`, bare, oracle, to => create(to, concurrency, { forMs: roundMs }))
  }
  await settle()
  for (const contestant of [bare, oracle]) await get(contestant, hotRequests['one entity']!, 32, warmUpMs)
  for (const concurrency of [1, 32]) {
    for (const what of ['one entity', 'first page']) {
      const path = hotRequests[what]!
      await compare(`${what}, ${concurrency} at a time`, bare, oracle, from => get(from, path, concurrency))
    }
  }
  for (const [what, path] of Object.entries(hotRequests)) {
    line(`${what}, 1 at a time`, [await get(oracle, path, 1)], small, `the first page of ${smallSize}`)
  }
  console.log(`  memory of the oracle ${oracle.server.memoryMb().toFixed(0)} MB`)
  for (const { server } of [bare, oracle]) await server.stop()
  await explainPlans(settings)
}

if (wanted.includes('sqlite')) {
  const databases = { bare: join(data, 'bare.db'), oracle: `file:${join(data, 'oracle.db')}` }
  await measureEngine('sqlite', databases, async () => {})
}
const postgres = wanted.includes('postgres')
  ? await startPostgres(['fsync=on', 'synchronous_commit=on', 'shared_buffers=512MB', 'max_wal_size=4GB'])
  : undefined
if (postgres) {
  const databases = { bare: await postgres.createDatabase(), oracle: await postgres.createDatabase() }
  await measureEngine('postgres', databases, async () => {
    const client = new pg.Client({ connectionString: databases.oracle })
    await client.connect()
    await client.query('vacuum analyze')
    await client.end()
  })
}
load.stop()
await postgres?.stop()
rmSync(data, { recursive: true, force: true })

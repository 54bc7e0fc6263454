// Spawn to the first 200 of /health, and resident memory when idle, side by side with bare Hono and AI SDK: with one plugin,
// and with all bundled ones switched on, on a database of before and on none; then with the compiled code kept, as `sibyl dev`
// and deployments do.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledPlugins } from '@sibyl/bundle'
import { createMnemonic } from '@sibyl/identity'
import { switchedOn } from '@sibyl/testing'
import { median } from './measure/processes.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const here = import.meta.dirname
const data = mkdtempSync(join(tmpdir(), 'sibyl-bench-'))

/** A server under measurement. */
interface Target {
  readonly name: string
  readonly file: string
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Runs before each of its starts. */
  readonly before?: () => void
}

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

const healthy = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    get({ host: '127.0.0.1', port, path: '/health' }, reply => {
      reply.resume()
      resolve(reply.statusCode === 200)
    }).on('error', () => resolve(false))
  })

const measure = async (file: string, flags: readonly string[], env: Readonly<Record<string, string>>) => {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, join(here, file)], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await healthy(port))) await new Promise(resolve => setTimeout(resolve, 2))
  const bootMs = performance.now() - started
  await new Promise(resolve => setTimeout(resolve, 1_000))
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
  child.kill('SIGTERM')
  await new Promise(resolve => child.once('exit', resolve))
  return { bootMs, memoryMb: (Number(memory?.[1]) * 1024) / 1e6 }
}

const env = {
  NODE_ENV: 'production',
  LLM_PROVIDER: 'offline',
  ORACLE_MNEMONIC: createMnemonic(12).reveal(),
  DATABASE_URL: `file:${join(data, 'boot.db')}`,
}
const everything = {
  ...env,
  ...switchedOn(bundledPlugins()),
  DATABASE_URL: `file:${join(data, 'all.db')}`,
  FILES_DIR: join(data, 'files'),
  LOG_LEVEL: 'error',
}
const kept = { NODE_COMPILE_CACHE: join(data, 'compiled') }
const again = () => {
  for (const name of readdirSync(data)) if (name.startsWith('new.')) rmSync(join(data, name))
}
const targets: readonly Target[] = [
  { name: 'floor', file: 'boot/floor-server.ts', flags: [], env: {} },
  { name: 'oracle, built', file: 'boot/oracle-server.ts', flags: [], env },
  { name: 'oracle, from source', file: 'boot/oracle-server.ts', flags: ['--conditions=sibyl-source'], env },
  { name: 'all plugins, built', file: 'boot/bundle-server.ts', flags: [], env: everything },
  {
    name: 'all, on no database',
    file: 'boot/bundle-server.ts',
    flags: [],
    env: { ...everything, DATABASE_URL: `file:${join(data, 'new.db')}` },
    before: again,
  },
  { name: 'floor, code kept', file: 'boot/floor-server.ts', flags: [], env: kept },
  { name: 'oracle, code kept', file: 'boot/oracle-server.ts', flags: [], env: { ...env, ...kept } },
  { name: 'all, code kept', file: 'boot/bundle-server.ts', flags: [], env: { ...everything, ...kept } },
]
const figures = targets.map(() => ({ bootMs: [] as number[], memoryMb: [] as number[] }))
for (let round = 0; round <= rounds; round += 1) {
  for (const [index, { file, flags, env, before }] of targets.entries()) {
    before?.()
    const { bootMs, memoryMb } = await measure(file, flags, env)
    if (round === 0) continue
    figures[index]?.bootMs.push(bootMs)
    figures[index]?.memoryMb.push(memoryMb)
  }
}
console.log(`node ${process.version}, medians of ${rounds} interleaved rounds`)
for (const [index, { name }] of targets.entries()) {
  const { bootMs, memoryMb } = figures[index]!
  console.log(
    `  ${name.padEnd(20)} ${median(bootMs).toFixed(0).padStart(5)} ms to /health   ${median(memoryMb).toFixed(0).padStart(4)} MB idle`,
  )
}
rmSync(data, { recursive: true, force: true })

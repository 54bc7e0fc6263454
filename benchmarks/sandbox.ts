// Start and run of programs in the embedded sandbox, beside node:vm and a process `node -e`, which contain nothing or little.
// Run, on what is built: node benchmarks/sandbox.ts
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { definePlugin } from '@sibyl/plugin'
import { sandbox } from '@sibyl/plugin-sandbox'
import { codeRunner, type ServiceOf } from '@sibyl/protocol'
import { testApp } from '@sibyl/testing'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)

const programs = {
  '1 + 1': '1 + 1',
  'sort of 1,000 numbers': 'Array.from({ length: 1_000 }, (_, i) => (i * 7919) % 1000).sort((a, b) => a - b)[999]',
  'fib(25)': 'const fib = n => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(25)',
}

const startSandbox = async () => {
  let runner: ServiceOf<typeof codeRunner> | undefined
  const user = definePlugin({
    name: 'user',
    version: '0.1.0',
    core: '^0.1.0',
    uses: ['sandbox'],
    manifest: { title: 'User', summary: 'Runs programs.', whenToUse: ['never'] },
    setup: host => {
      runner = host.optionalService(codeRunner)
      return {}
    },
  })
  const oracle = await testApp({ plugins: [sandbox(), user], env: { SANDBOX_MCP_URL: 'embedded:' } })
  const run = async (code: string) => {
    const { signal } = new AbortController()
    const outcome = await runner!.run({
      language: 'javascript',
      code,
      actor: { did: 'did:example:bench', via: 'ucan' },
      signal,
    })
    if (!outcome.ok) throw new Error(outcome.error)
    return outcome.durationMs
  }
  return { run, close: () => oracle[Symbol.asyncDispose]() }
}

const inProcess = async (code: string) => {
  const child = spawn(process.execPath, ['-p', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  await once(child, 'close')
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const timed = async (work: () => unknown) => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

console.log(`node ${process.version}, medians of ${ROUNDS} interleaved rounds, in milliseconds\n`)
const warm = await startSandbox()
await warm.run('0')
const names = ['sandbox, cold', 'sandbox, warm', 'of that the program', 'node:vm', 'node -p']
console.log(['program'.padEnd(24), ...names.map(name => name.padStart(20))].join(''))
for (const [title, code] of Object.entries(programs)) {
  const times: number[][] = names.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = await startSandbox()
    times[0]!.push(await timed(() => fresh.run(code)))
    await fresh.close()
    await wait(300)
    let program = 0
    times[1]!.push(await timed(async () => (program = await warm.run(code))))
    times[2]!.push(program)
    times[3]!.push(await timed(() => runInNewContext(code)))
    times[4]!.push(await timed(() => inProcess(code)))
  }
  console.log([title.padEnd(24), ...times.map(each => median(each).toFixed(1).padStart(20))].join(''))
}

const before = process.memoryUsage().rss
await warm.run('const all = []; for (let i = 0; i < 50; i += 1) all.push(new Uint8Array(1e6).fill(1)); all.length')
await wait(500)
console.log(
  `\nmemory after a program that took 50 MB: ${((process.memoryUsage().rss - before) / 1e6).toFixed(0)} MB more`,
)
await warm.close()

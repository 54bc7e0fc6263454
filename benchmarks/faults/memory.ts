// Takes a great many chat turns and fits a line to the memory in use: it must not rise.
import { createMnemonic } from '@sibyl/identity'
import { openFaultDatabase } from './frame/database.ts'
import { runFault } from './frame/run-fault.ts'
import { startOracle } from './frame/start-oracle.ts'
import { growthPerTurn, type MemorySample } from './memory/linear-fit.ts'

const limitMegabytes = 10
const samplesWanted = 100

/** The part of the turns that only warms up: caches fill, and code is compiled. */
const warmUpShare = 0.2

await runFault({
  name: 'memory',
  count: 100_000,
  quick: 300,
  defences: ['ended-turns-forgotten'],
  async run(fault) {
    await using database = await openFaultDatabase(fault, 'sqlite')
    const everyTurns = Math.max(10, Math.floor(fault.count / samplesWanted))
    const warmUp = Math.floor(fault.count * warmUpShare)
    const samples: MemorySample[] = []
    const finished = Promise.withResolvers<{ finished: number; unended: number }>()
    await using oracle = await startOracle({
      file: 'memory/turning-oracle.ts',
      args: [String(warmUp + fault.count), String(everyTurns)],
      env: { DATABASE_URL: database.url, ORACLE_MNEMONIC: createMnemonic(12).reveal() },
      nodeOptions: ['--expose-gc'],
      without: fault.without,
      onReport(reported) {
        if ('heapUsed' in reported) samples.push(reported as unknown as MemorySample)
        if ('finished' in reported) finished.resolve(reported as { finished: number; unended: number })
      },
    })
    const started = performance.now()
    const early = new Promise<never>((_, reject) => {
      oracle.child.once('exit', () => setImmediate(() => reject(new Error(oracle.said.join('\n')))))
    })
    const result = await Promise.race([finished.promise, early])
    early.catch(() => {})
    const measured = samples.filter(({ turns }) => turns > warmUp)
    const megabytes = (of: (sample: MemorySample) => number) =>
      Math.round((growthPerTurn(measured, of) * fault.count) / 1e5) / 10
    const last = samples.at(-1)
    fault.figure('turns', result.finished)
    fault.figure('turns a second', Math.round(result.finished / ((performance.now() - started) / 1000)))
    fault.figure('heap in use at the end, MB', Math.round((last?.heapUsed ?? 0) / 1e6))
    fault.figure('resident at the end, MB', Math.round((last?.rss ?? 0) / 1e6))
    fault.atMost('turns without their end', result.unended, 0)
    fault.atMost(
      'growth of the heap, MB',
      megabytes(({ heapUsed }) => heapUsed),
      limitMegabytes,
    )
    fault.atMost(
      'growth of resident memory, MB',
      megabytes(({ rss }) => rss),
      limitMegabytes,
    )
  },
})

import { cpus, release } from 'node:os'
import { coreVersion } from '@sibyl/core'
import { type FaultOptions, type OfferedOptions, readFaultOptions } from './fault-options.ts'
import { type Random, seededRandom } from './random.ts'

/** A run of a fault script, with its options and its report. */
export interface Fault extends Omit<FaultOptions, 'without'> {
  readonly random: Random
  /** The defences to take out, for `startOracle`: none, or the one that `--without-defence` names. */
  readonly without: readonly string[]
  /** Reports a figure. */
  figure(name: string, value: number | string): void
  /** Reports a figure that must not exceed a limit. */
  atMost(name: string, value: number, limit: number): void
  /** Reports a figure that must reach a limit; below it the run proves nothing. */
  atLeast(name: string, value: number, limit: number): void
  /** Ends the run as one that cannot be done on this machine. */
  skip(reason: string): never
}

/** A fault script. */
export interface FaultScript extends OfferedOptions {
  readonly name: string
  run(fault: Fault): Promise<void>
}

/** Exit codes of a fault script; any other code is an error of the script itself. */
export const exitCodes = { pass: 0, fail: 1, skip: 0, broken: 2 } as const

class Skipped extends Error {}

/**
 * Runs a fault script: prints seed, versions and date, then one figure per line, and `PASS`, `FAIL` or `SKIP` on the
 * last line. The process exits with 0, 1 or 0. A script with an error prints `BROKEN` and exits with 2, so that it is
 * not confused with the failure that `--without-defence` must cause.
 *
 * @example
 * await runFault({
 *   name: 'replay',
 *   count: 1_000,
 *   quick: 50,
 *   defences: ['replay-guard'],
 *   async run(trial) {
 *     await using oracle = await startOracle({ file: 'replay/oracle.ts', without: trial.without })
 *     trial.atMost('copies accepted', await sendCopies(oracle, trial.count), 1)
 *   },
 * })
 */
export const runFault = async (script: FaultScript): Promise<never> => {
  process.on('uncaughtException', breakOff)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => breakOff(`It was ended by ${signal}.`))
  let failed = 0
  let reported = 0
  const report = (name: string, value: number | string, holds: boolean, limit = '') => {
    reported += 1
    if (!holds) failed += 1
    console.log(`${name}: ${value}${limit === '' ? '' : ` (${limit}${holds ? '' : ', missed'})`}`)
  }
  try {
    const options = readFaultOptions(script, process.argv.slice(2))
    console.log(describe(script, options))
    await script.run({
      ...options,
      random: seededRandom(options.seed),
      without: options.without === undefined ? [] : [options.without],
      figure: (name, value) => report(name, value, true),
      atMost: (name, value, limit) => report(name, value, value <= limit, `at most ${limit}`),
      atLeast: (name, value, limit) => report(name, value, value >= limit, `at least ${limit}`),
      skip: reason => {
        throw new Skipped(reason)
      },
    })
  } catch (error) {
    if (error instanceof Skipped) end('SKIP', exitCodes.skip, error.message)
    breakOff(error)
  }
  if (reported === 0) return end('BROKEN', exitCodes.broken, 'It reported no figure.')
  return failed > 0 ? end('FAIL', exitCodes.fail) : end('PASS', exitCodes.pass)
}

const describe = ({ name }: FaultScript, { seed, count, without, choices }: FaultOptions): string =>
  [
    name,
    ...Object.entries(choices).map(([key, value]) => `${key} ${value}`),
    `seed ${seed}`,
    `count ${count}`,
    ...(without === undefined ? [] : [`without ${without}`]),
    new Date().toISOString().slice(0, 10),
    `sibyl ${coreVersion}`,
    `node ${process.version}`,
    `${process.platform} ${release()}`,
    `${cpus().length} cores`,
  ].join('   ')

const breakOff = (error: unknown): never =>
  end('BROKEN', exitCodes.broken, error instanceof Error ? (error.stack ?? error.message) : String(error))

const end = (verdict: string, code: number, text?: string): never => {
  if (text !== undefined) console.log(text)
  console.log(verdict)
  process.exit(code)
}

import { readFileSync } from 'node:fs'
import type { Fault } from '../frame/run-fault.ts'
import { type OracleProcess, startOracle } from '../frame/start-oracle.ts'
import { call } from './call.ts'

/** Time limit of a start before it is repeated; a start that is slow because of the oracle is slow each time. */
const readyLimitMs = 5_000
const startsAgain = 2

/** Offset of the oracle's clock at each start: on PostgreSQL the jobs of a killed process are reserved for 30 s. */
const restartAfterMs = 40_000

/** Starts one oracle after the other over the same database, and measures how soon each answers. */
export class Restarts {
  readonly #fault: Fault
  readonly #file: string
  readonly #env: Readonly<Record<string, string>>
  readonly #startsMs: number[] = []
  #slowestRepeatedMs = 0
  #clockAheadMs = 0

  /** @param file of the oracle, whose one argument is how many milliseconds its clock is ahead */
  constructor(fault: Fault, file: string, env: Readonly<Record<string, string>>) {
    this.#fault = fault
    this.#file = file
    this.#env = env
  }

  /** The next oracle, once it has answered. */
  async start(): Promise<OracleProcess> {
    let { oracle, tookMs } = await this.#startOnce()
    let leastMs = tookMs
    for (let again = 0; again < startsAgain && leastMs > readyLimitMs && !this.#fault.quick; again += 1) {
      await oracle.end('SIGKILL')
      ;({ oracle, tookMs } = await this.#startOnce())
      leastMs = Math.min(leastMs, tookMs)
    }
    this.#slowestRepeatedMs = Math.max(this.#slowestRepeatedMs, leastMs)
    return oracle
  }

  /** Reports the response times of the starts. */
  report(): void {
    const sorted = this.#startsMs.toSorted((one, other) => one - other)
    this.#fault.figure(
      'from the start of a process to its first answer, without waits for a core, median ms',
      sorted[sorted.length >> 1]!,
    )
    this.#fault.figure('the slowest ms', sorted.at(-1)!)
    if (!this.#fault.quick)
      this.#fault.atMost('the slowest ms each of three times', this.#slowestRepeatedMs, readyLimitMs)
  }

  async #startOnce(): Promise<{ oracle: OracleProcess; tookMs: number }> {
    const startedAt = performance.now()
    const oracle = await startOracle({
      file: this.#file,
      args: [String(this.#clockAheadMs)],
      env: this.#env,
      without: this.#fault.without,
    })
    const answer = await call(oracle.url, { path: '/v1/entities?limit=1', by: 'oracle' })
    if (answer?.status !== 200) throw new Error(`It listens and does not answer: ${JSON.stringify(answer)}`)
    this.#clockAheadMs += restartAfterMs
    const tookMs = Math.round(performance.now() - startedAt - waitedForCoreMs(oracle.pid))
    this.#startsMs.push(tookMs)
    return { oracle, tookMs }
  }
}

/** Returns the time that a process waited for a core, in milliseconds; 0 if unknown. */
const waitedForCoreMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

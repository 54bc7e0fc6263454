import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { type Random, seededRandom } from '../faults/frame/random.ts'

/** A simulated process: what it schedules is dropped once it has crashed. */
export interface SimulatedProcess {
  readonly name: string
  /** Virtual milliseconds. */
  readonly startedAt: number
  alive: boolean
  /** The lead of its clock over the virtual time, in milliseconds. */
  clockMs: number
  /** Until then, in virtual milliseconds, its messages to and from the database wait. */
  cutUntil: number
  /** Until then, in virtual milliseconds, it may be late: a disturbance reaches it. */
  disturbedUntil: number
  /** The connection of its next commit breaks: before the server has it, or before the answer is back. */
  losesCommit: boolean
}

/** A step at a virtual time. */
interface Planned {
  readonly at: number
  readonly order: number
  /** Undefined: of the database, the network or the trial. */
  readonly process: SimulatedProcess | undefined
  readonly run: () => void
  cancelled: boolean
}

/** An invariant that did not hold. */
export interface Violation {
  readonly invariant: string
  readonly text: string
}

/** The virtual time at the start: 2026-01-01T00:00:00Z. */
export const startTime = Date.UTC(2026, 0, 1)

/** Steps of a run; the longest of 200 seeds took 2,520. */
const maxSteps = 12_000

const nextTurn = globalThis.setImmediate

/** Time, chance and the order of events for processes that share one Node process, all from a seed. */
export class World {
  readonly random: Random
  readonly violations: Violation[] = []
  readonly #current = new AsyncLocalStorage<SimulatedProcess>()
  readonly #trace = createHash('sha256')
  readonly #watchers: (() => void)[] = []
  readonly #log: ((line: string) => void) | undefined
  #planned: Planned[] = []
  #order = 0
  now = 0
  steps = 0

  /** @param log receives each line of the trace */
  constructor(seed: number, log?: (line: string) => void) {
    this.random = seededRandom(seed)
    this.#log = log
  }

  /** The process whose code runs. */
  get process(): SimulatedProcess | undefined {
    return this.#current.getStore()
  }

  /** Starts a process. */
  spawn(name: string, main: () => Promise<void>): SimulatedProcess {
    const state = { alive: true, clockMs: 0, cutUntil: 0, disturbedUntil: this.now, losesCommit: false }
    const process: SimulatedProcess = { name, startedAt: this.now, ...state }
    this.note('start', name)
    this.plan(0, process, () => {
      main().catch((error: Error) => {
        if (process.alive) this.violate('no process fails', `${name}: ${error.stack}`)
      })
    })
    return process
  }

  /** Ends a process between two of its steps, as SIGKILL does. */
  crash(process: SimulatedProcess): void {
    this.note('crash', process.name)
    process.alive = false
  }

  /** Plans a step. @returns what takes it back */
  plan(delayMs: number, process: SimulatedProcess | undefined, run: () => void): () => void {
    const planned = { at: this.now + Math.max(0, delayMs), order: this.#order++, process, run, cancelled: false }
    let [low, high] = [0, this.#planned.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#planned[middle]!.at > planned.at) low = middle + 1
      else high = middle
    }
    this.#planned.splice(low, 0, planned)
    return () => {
      planned.cancelled = true
    }
  }

  /** Calls a function after each step. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher)
  }

  /** Adds a line to the trace, whose hash shows that two runs are the same. */
  note(...words: readonly (string | number)[]): void {
    const line = `${this.now} ${words.join(' ')}`
    this.#trace.update(`${line}\n`)
    this.#log?.(line)
  }

  violate(invariant: string, text: string): void {
    this.note('VIOLATION', invariant, text)
    this.violations.push({ invariant, text: `${this.now} ms: ${text}` })
  }

  /** Runs all steps until a virtual time, or the first violation. Among those that are due at once, chance decides. */
  async run(untilMs: number): Promise<void> {
    for (;;) {
      await new Promise(resume => nextTurn(resume))
      if (this.violations.length > 0) return
      const step = this.#next(untilMs)
      if (step === undefined) break
      this.steps += 1
      if (this.steps > maxSteps) this.violate('a run comes to rest', `${maxSteps} steps`)
      if (step.process === undefined) step.run()
      else this.#current.run(step.process, step.run)
      for (const watcher of this.#watchers) watcher()
    }
    this.now = untilMs
  }

  #next(untilMs: number): Planned | undefined {
    for (;;) {
      const at = this.#planned.at(-1)?.at
      if (at === undefined || at > untilMs) return undefined
      let first = this.#planned.length - 1
      while (first > 0 && this.#planned[first - 1]!.at === at) first -= 1
      const [step] = this.#planned.splice(this.random.integer(first, this.#planned.length - 1), 1)
      if (step === undefined || step.cancelled || step.process?.alive === false) continue
      this.now = Math.max(this.now, at)
      return step
    }
  }

  /** The hash of the trace. */
  digest(): string {
    return this.#trace.copy().digest('hex').slice(0, 16)
  }
}

import { connectDriver } from './connect-driver.ts'
import { type Disturbance, type Operation, type Plan, planOf } from './plan.ts'
import { replaceGlobals } from './replace-globals.ts'
import { connectionReset } from './simulated-client.ts'
import { SimulatedPostgres } from './simulated-postgres.ts'
import { type SimulatedProcess, type Violation, World } from './world.ts'

/** The program of a process. */
export interface SimulatedOracle {
  /** Resolves when it takes operations. */
  start(): Promise<void>
  /** Ends as at SIGTERM. */
  stop(): Promise<void>
  /** Performs an operation; false if it was not acknowledged. */
  perform(operation: Operation, name: string): Promise<boolean>
}

/** A trial while it runs. */
export interface RunningTrial {
  create(): SimulatedOracle
  isAtRest(): boolean
  /** Checks what must hold at the end, with the names of the operations that were acknowledged. */
  checkEnd(acknowledged: readonly string[]): void
}

/** The program of the processes, their database at the start, and what must hold. */
export interface Trial {
  readonly template: Uint8Array
  /** Returns the plan of a seed; that of jobs by default. */
  readonly plan?: (seed: number) => Plan
  begin(world: World, server: SimulatedPostgres, plan: Plan): RunningTrial
}

export interface SeedResult {
  readonly seed: number
  readonly violations: readonly Violation[]
  readonly steps: number
  /** Equal for two runs that did the same. */
  readonly digest: string
}

/** Time after the last disturbance in which everything must come to its end, in milliseconds. */
const settleMs = 400_000
/** A run ends earlier if nothing is left to do. */
const [minRestMs, restMs] = [4_000, 2_000]

const reachesAll: readonly Disturbance['kind'][] = ['restart', 'full disk', 'cut']

interface Slot {
  process: SimulatedProcess | undefined
  oracle: SimulatedOracle | undefined
}

/** Runs the processes of a seed until they have come to rest. @param log receives the trace */
export const runSeed = async (
  seed: number,
  trial: Trial,
  plan: Plan = (trial.plan ?? planOf)(seed),
  log?: (line: string) => void,
): Promise<SeedResult> => {
  const world = new World(seed, log)
  const server = new SimulatedPostgres(world, trial.template)
  const running = trial.begin(world, server, plan)
  const undo = [replaceGlobals(world), connectDriver(world, server)]
  const fails = (error: unknown) =>
    world.violate(
      'no promise is rejected without a listener',
      error instanceof Error ? String(error.stack) : String(error),
    )
  process.on('unhandledRejection', fails)
  try {
    const slots: Slot[] = Array.from({ length: plan.processes }, () => ({ process: undefined, oracle: undefined }))
    let starts = 0
    const start = (slot: Slot) => {
      const oracle = running.create()
      slot.oracle = oracle
      slot.process = world.spawn(`p${slots.indexOf(slot)}.${++starts}`, () =>
        oracle.start().catch(error => {
          world.note('start failed', (error as Error).message)
          end(slot)
          restart(slot, 1_000)
        }),
      )
    }
    const end = ({ process: ended }: Slot) => {
      if (!ended?.alive) return
      world.crash(ended)
      for (const session of server.sessionsOf(ended))
        world.plan(world.random.integer(0, 5), undefined, () => server.close(session))
    }
    const restart = (slot: Slot, delayMs: number) =>
      world.plan(delayMs, undefined, () => slot.process?.alive || start(slot))
    const acknowledged: string[] = []

    for (const slot of slots) world.plan(world.random.integer(0, 500), undefined, () => start(slot))
    for (const [index, operation] of plan.operations.entries()) {
      const name = `${operation.kind} ${index}`
      world.plan(operation.at, undefined, () => {
        const { process: own, oracle } = slots[operation.process]!
        if (!own?.alive || !oracle) return
        world.plan(0, own, () => {
          oracle.perform(operation, name).then(
            done => {
              if (!done) return
              world.note(own.name, 'acknowledged', name)
              acknowledged.push(name)
            },
            error => world.note(own.name, 'failed', name, String(error.message)),
          )
        })
      })
    }
    const disturb = ({ kind, process: index, ms }: Disturbance) => {
      const slot = slots[index]!
      const own = slot.process
      world.note(kind, index, ms)
      // The server runs transactions one after the other: one whose process is cut off delays all.
      const reached = reachesAll.includes(kind) ? slots.map(({ process }) => process) : [own]
      for (const one of reached) if (one) one.disturbedUntil = Math.max(one.disturbedUntil, world.now + Math.max(0, ms))
      if (kind === 'restart') server.restart(ms)
      else if (kind === 'full disk') server.fullUntil = world.now + ms
      else if (!own?.alive) return
      else if (kind === 'cut') own.cutUntil = world.now + ms
      else if (kind === 'commit') own.losesCommit = true
      else if (kind === 'clock') own.clockMs += ms
      else if (kind === 'crash') {
        end(slot)
        restart(slot, ms)
      } else if (kind === 'break') {
        for (const session of server.sessionsOf(own)) {
          world.plan(world.random.integer(0, 10), undefined, () => session.drop(connectionReset()))
          world.plan(world.random.integer(0, ms), undefined, () => server.close(session))
        }
      } else {
        world.plan(0, own, () => {
          slot.oracle?.stop().finally(() => {
            end(slot)
            restart(slot, ms)
          })
        })
      }
    }
    for (const one of plan.disturbances) world.plan(one.at, undefined, () => disturb(one))
    const last = Math.max(
      0,
      ...plan.operations.map(({ at }) => at),
      ...plan.disturbances.map(({ at, ms }) => at + Math.max(0, ms % 20_000)),
    )
    for (let until = last + restMs; ; until += restMs) {
      await world.run(until)
      if (
        world.violations.length > 0 ||
        until > last + settleMs ||
        (until > last + minRestMs && !server.isInTransaction && running.isAtRest())
      )
        break
    }
    if (world.violations.length === 0) running.checkEnd(acknowledged)
    return { seed, violations: world.violations, steps: world.steps, digest: world.digest() }
  } finally {
    process.off('unhandledRejection', fails)
    for (const one of undo) one()
    server.database.close()
  }
}

import { type Random, seededRandom } from '../faults/frame/random.ts'

/** Something that a client asks of a process. */
export interface Operation {
  readonly kind: 'job' | 'hold' | 'message' | 'turn'
  /** Virtual milliseconds. */
  readonly at: number
  readonly process: number
  /** The person, or the key of an outbox: operations with the same one meet. */
  readonly key: number
}

/** Something that goes wrong. */
export interface Disturbance {
  readonly kind: 'crash' | 'stop' | 'cut' | 'break' | 'commit' | 'clock' | 'restart' | 'full disk'
  readonly at: number
  readonly process: number
  /** Its duration, or the jump of a clock, in milliseconds. */
  readonly ms: number
}

/** A run: all that is not left to the chance of its world. */
export interface Plan {
  readonly processes: number
  /** Share of jobs that take longer than a lease without a renewal. */
  readonly longJobs: number
  readonly operations: readonly Operation[]
  readonly disturbances: readonly Disturbance[]
}

/** Kinds of disturbances; one that is listed more often is drawn more often. */
export const disturbanceKinds: readonly Disturbance['kind'][] = [
  ...(['crash', 'crash', 'crash', 'stop', 'cut', 'break', 'commit', 'clock', 'restart', 'full disk'] as const),
]

/** Jumps of a clock, in milliseconds. */
export const clockJumps = [-86_400_000, -3_600_000, -40_000, 40_000, 3_600_000, 86_400_000]

const bursts = 2
const burstEveryMs = 6_000
/** Most disturbances begin while the operations of a burst are under way. */
const burstMs = 80

/** Returns the plan of a seed. */
export const planOf = (seed: number): Plan => {
  const random = seededRandom(seed ^ 0x51b71)
  const processes = random.pick([2, 2, 2, 3, 3, 4, 5])
  const moment = (spreadMs: number) =>
    1_000 + random.integer(0, bursts - 1) * burstEveryMs + random.integer(0, spreadMs)
  const at = (index: number) => ({ at: moment(burstMs), process: random.integer(0, processes - 1), key: index % 3 })
  const kinds = ['job', 'hold', 'message', 'message', 'turn', 'turn'] as const
  const hasLongJobs = random.next() < 0.15
  return {
    processes,
    longJobs: hasLongJobs ? 1 : 0.1,
    operations: Array.from({ length: random.integer(4, 14) }, (_, index) => ({
      kind: random.pick(kinds),
      ...at(index),
    })),
    disturbances:
      hasLongJobs && random.next() < 0.5
        ? Array.from({ length: processes }, (_, process) => longCut(process, random.integer(14_000, 24_000)))
        : Array.from({ length: random.integer(0, 5) }, () => disturbance(random, { processes, moment, hasLongJobs })),
  }
}

/** A partition that ends when the lease of a job that began before it is about to end. */
const longCut = (process: number, ms: number): Disturbance => ({ kind: 'cut', at: 4_000, process, ms })

interface DisturbedPlan {
  readonly processes: number
  readonly moment: (spreadMs: number) => number
  readonly hasLongJobs: boolean
}

const disturbance = (random: Random, { processes, moment, hasLongJobs }: DisturbedPlan): Disturbance => {
  const kind = hasLongJobs && random.next() < 0.7 ? 'cut' : random.pick(disturbanceKinds)
  const longest = hasLongJobs ? 28_000 : random.pick([300, 300, 15_000])
  const jump = random.pick(clockJumps)
  return {
    kind,
    at: moment(random.pick([burstMs, burstMs, 700, burstEveryMs])),
    process: random.integer(0, processes - 1),
    ms: kind === 'clock' ? jump : random.integer(0, longest),
  }
}

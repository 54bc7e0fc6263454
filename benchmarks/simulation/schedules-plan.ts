import { seededRandom } from '../faults/frame/random.ts'
import { clockJumps, type Disturbance, disturbanceKinds, type Plan } from './plan.ts'

const minuteMs = 60_000
/** Due times that disturbances meet. */
const disturbedMinutes = 3

/** When a run of schedules ends, in virtual milliseconds. */
export const schedulesEndMs = 5.5 * minuteMs

/** Returns the plan of a seed: disturbances around due times, some longer than the time between two of them. */
export const schedulesPlan = (seed: number): Plan => {
  const random = seededRandom(seed ^ 0x5c4ed)
  const processes = random.pick([2, 2, 2, 3, 3, 4, 5])
  const disturbance = (): Disturbance => {
    const kind = random.pick(disturbanceKinds)
    const [early, late] = random.pick([
      [-5, 40],
      [-5, 40],
      [-500, 1_500],
      [-minuteMs / 2, minuteMs / 2],
    ] as const)
    return {
      kind,
      at: random.integer(1, disturbedMinutes) * minuteMs + random.integer(early, late),
      process: random.integer(0, processes - 1),
      ms: kind === 'clock' ? random.pick(clockJumps) : random.integer(0, random.pick([300, 15_000, 80_000])),
    }
  }
  return {
    processes,
    longJobs: random.pick([0, 0, 0.3]),
    operations: [],
    disturbances: Array.from({ length: random.integer(0, 7) }, disturbance),
  }
}

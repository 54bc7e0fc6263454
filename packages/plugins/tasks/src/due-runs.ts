import { isoTime } from '@sibyl/plugin'
import { z } from 'zod'
import { dueRunRecord } from './records/task-records.ts'
import type { Task } from './store/task.ts'
import { nextTimes } from './when/schedule.ts'

const dayMs = 86_400_000
/** The most days of a calendar. */
const maxDays = 62
/** The latest start of a calendar, from now. */
const maxAheadMs = 366 * dayMs
/** The most runs of a calendar. */
const maxRuns = 1_000
/** Times of a task that are computed at once. */
const atOnce = 20

/** The query of a calendar: from a time, by default now, for some days. */
export const dueQuery = z.object({
  from: z.iso.datetime({ offset: true }).optional().meta({ description: 'The first time; by default now' }),
  days: z.coerce.number().int().min(1).max(maxDays).default(31),
})

export const dueRuns = z.object({
  runs: z.array(dueRunRecord),
  until: z.iso.datetime().meta({ description: 'The end of the calendar; earlier than requested after 1,000 runs' }),
})

export interface DueWindow {
  readonly from: number
  readonly until: number
}

/** Returns the times of a query, in milliseconds since 1970. */
export const windowOf = ({ from, days }: z.infer<typeof dueQuery>, now: number): DueWindow => {
  const start = from === undefined ? now : Math.min(Date.parse(from), now + maxAheadMs)
  return { from: start, until: start + days * dayMs }
}

/**
 * Returns the runs of active tasks that are due in a window, by time, at most 1,000.
 *
 * @param describe Returns what a reader may know of a task.
 */
export const findDueRuns = async (
  tasks: readonly Task[],
  { from, until }: DueWindow,
  describe: (task: Task) => Pick<z.infer<typeof dueRunRecord>, 'what' | 'did'>,
): Promise<z.infer<typeof dueRuns>> => {
  const waiting = await Promise.all(tasks.map(task => firstTimes(task, from)))
  const runs: z.infer<typeof dueRunRecord>[] = []
  for (;;) {
    const next = waiting.filter(hasTime).reduce(earlier, undefined)
    const at = next?.times.shift()
    if (next === undefined || at === undefined || at >= until) return { runs, until: isoTime(until) }
    if (runs.length === maxRuns) return { runs, until: isoTime(at) }
    const { task } = next
    runs.push({ task: task.id, at: isoTime(at), timeZone: task.timeZone, ...describe(task) })
    if (next.times.length === 0) next.times = [...(await nextTimes(task, at, atOnce))]
  }
}

interface Waiting {
  readonly task: Task
  /** Its next times, ascending. */
  times: number[]
}

const firstTimes = async (task: Task, from: number): Promise<Waiting> => {
  const { nextAt } = task
  if (nextAt === undefined) return { task, times: [] }
  return { task, times: nextAt < from ? [...(await nextTimes(task, from - 1, atOnce))] : [nextAt] }
}

const hasTime = ({ times }: Waiting): boolean => times.length > 0

const earlier = (one: Waiting | undefined, other: Waiting): Waiting =>
  one === undefined || other.times[0]! < one.times[0]! ? other : one

import { StorageError } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { timeInvalid } from '../definitions/tasks-errors.ts'
import { isTimeZone, nextTimes, readTime, type Schedule, type ZonedSchedule } from './schedule.ts'

/** Days of the week, in the order of cron's 0 to 6. */
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const timeForm = /^([01]?\d|2[0-4])([:.][0-5]\d)?( ?[aApP][mM])?$/

/** Time of a task: exactly one of `at`, `inMinutes`, `every` and `cron`. */
export const whenInput = z.object({
  at: z
    .string()
    .max(40)
    .optional()
    .describe("Once: '2026-12-01T07:00', or with an offset")
    .meta({ example: '2026-12-01T07:00' }),
  inMinutes: z.int().min(1).max(527_040).optional().describe('Once, from now'),
  every: z.enum(['hour', 'day', 'weekday', 'week', 'month']).optional(),
  time: z.string().max(10).regex(timeForm).optional().describe("With every: '07:00'; of an hour '00:15'"),
  on: z.enum(weekdays).optional().describe('With week'),
  dayOfMonth: z
    .union([z.int().min(1).max(31), z.literal('last')])
    .optional()
    .describe('With month'),
  cron: z.string().max(100).optional().describe("Else: '0 7 1 */3 *'"),
})

/** Parsed time of a task. */
export type WhenInput = z.output<typeof whenInput>

const minute = 60_000
/** Maximum time until a run, in milliseconds. */
const horizon = 366 * 24 * 60 * minute
/** Number of gaps between runs that are checked. */
const gapsChecked = 60

export interface ReadWhenDependencies {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly minIntervalMinutes: number
}

/**
 * Returns the schedule of a task's input.
 *
 * @throws `task_time_invalid`
 */
export const readWhen = async (
  when: WhenInput,
  timeZone: string,
  parts: ReadWhenDependencies,
): Promise<ZonedSchedule> => {
  if (!isTimeZone(timeZone)) {
    throw timeInvalid(
      `The time zone '${timeZone.slice(0, 40)}' is unknown. Use an IANA name such as Africa/Lusaka or Europe/Berlin.`,
    )
  }
  const given = [when.at, when.inMinutes, when.every, when.cron].filter(one => one !== undefined)
  if (given.length !== 1) {
    throw timeInvalid('Set exactly one of at, inMinutes, every and cron.')
  }
  const zoned = { schedule: scheduleOf(when, timeZone, parts), timeZone }
  if (zoned.schedule.kind === 'cron') await checkGaps(zoned, parts)
  return zoned
}

const scheduleOf = (when: WhenInput, timeZone: string, { now }: ReadWhenDependencies): Schedule => {
  if (when.cron !== undefined) {
    const cron = when.cron.trim().replace(/\s+/g, ' ')
    if (!/^[^ @]+( [^ ]+){4}$/.test(cron)) {
      throw timeInvalid("A cron pattern has five fields: minute hour day month weekday, such as '0 7 * * 1'.")
    }
    return { kind: 'cron', cron, words: `by the cron pattern ${cron}` }
  }
  if (when.every !== undefined) return { kind: 'cron', ...patternOf({ ...when, every: when.every }) }
  const at = when.inMinutes === undefined ? readTime(when.at ?? '', timeZone) : now + when.inMinutes * minute
  if (at === undefined) throw timeInvalid("The time is invalid. Write it like '2026-12-01T07:00'.")
  if (at <= now) throw timeInvalid('The time is in the past. Use a time in the future.')
  if (at > now + horizon) throw timeInvalid('The time is more than a year ahead. Use a time within a year.')
  return { kind: 'once', at }
}

type EveryInput = WhenInput & { readonly every: NonNullable<WhenInput['every']> }

const patternOf = ({ every, time, on, dayOfMonth }: EveryInput): { cron: string; words: string } => {
  const [hours, minutes] = clockTime(time, every)
  const shown = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  if (on !== undefined && every !== 'week') throw timeInvalid("A day of the week needs every: 'week'.")
  if (dayOfMonth !== undefined && every !== 'month') {
    throw timeInvalid("A day of the month needs every: 'month'.")
  }
  switch (every) {
    case 'hour':
      return { cron: `${minutes} * * * *`, words: `every hour, ${minutes} minutes past` }
    case 'day':
      return { cron: `${minutes} ${hours} * * *`, words: `every day at ${shown}` }
    case 'weekday':
      return { cron: `${minutes} ${hours} * * 1-5`, words: `Monday to Friday at ${shown}` }
    case 'week': {
      if (on === undefined) throw timeInvalid('The day of the week is missing. Set `on`.')
      const name = `${on[0]!.toUpperCase()}${on.slice(1)}`
      return { cron: `${minutes} ${hours} * * ${weekdays.indexOf(on)}`, words: `every ${name} at ${shown}` }
    }
    case 'month': {
      if (dayOfMonth === undefined) throw timeInvalid('The day of the month is missing. Set `dayOfMonth`.')
      const words = dayOfMonth === 'last' ? 'the last day' : `day ${dayOfMonth}`
      const cron = `${minutes} ${hours} ${dayOfMonth === 'last' ? 'L' : dayOfMonth} * *`
      return { cron, words: `every month on ${words} at ${shown}` }
    }
  }
}

const clockTime = (time: string | undefined, every: EveryInput['every']): readonly [number, number] => {
  if (time === undefined) {
    if (every === 'hour') return [0, 0]
    throw timeInvalid("The time of day is missing. Set `time`, like '07:00'.")
  }
  const [, hour, minutes, half] = /^(\d{1,2})(?:[:.](\d\d))? ?([aApP])?/.exec(time) ?? []
  let hours = Number(hour)
  if (half !== undefined) {
    if (hours < 1 || hours > 12) throw timeInvalid(`The time of day '${time}' is invalid. Write it like '07:00'.`)
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hours > 23) throw timeInvalid(`The time of day '${time}' is invalid. Write it like '07:00'.`)
  return [hours, Number(minutes ?? 0)]
}

const checkGaps = async (zoned: ZonedSchedule, { now, minIntervalMinutes }: ReadWhenDependencies): Promise<void> => {
  const times = await nextTimes(zoned, now, gapsChecked + 1).catch((error: unknown) => {
    if (error instanceof StorageError) throw timeInvalid(error.message)
    throw error
  })
  if (times[0]! > now + horizon * 5)
    throw timeInvalid('The next run would be more than five years ahead. Use an earlier time.')
  const tooNear = times.some((at, place) => place > 0 && at - times[place - 1]! < minIntervalMinutes * minute)
  if (tooNear) {
    throw timeInvalid(`The runs are too frequent: the minimum interval is ${minIntervalMinutes} minutes.`)
  }
}

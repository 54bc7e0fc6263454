import { StorageError } from '@sibyl/plugin/storage'
import { z } from 'zod'
import { timeInvalid } from '../definitions/tasks-errors.ts'
import { isTimeZone, nextTimes, readTime, type Schedule, type ZonedSchedule } from './schedule.ts'

/** The days of the week, the first one as in cron's 0. */
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

const timeForm = /^([01]?\d|2[0-4])([:.][0-5]\d)?( ?[aApP][mM])?$/

/** When a task is to run: exactly one of `at`, `inMinutes`, `every` and `cron`. */
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

/** What was said about when. */
export type WhenInput = z.output<typeof whenInput>

const minute = 60_000
/** How far ahead a task may lie, in milliseconds. */
const horizon = 366 * 24 * 60 * minute
/** How many gaps between runs are looked at. */
const gapsLookedAt = 60

export interface ReadWhenParts {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly minIntervalMinutes: number
}

/**
 * Makes a schedule of what was said about when.
 *
 * @throws `task_time_invalid`
 */
export const readWhen = async (when: WhenInput, timeZone: string, parts: ReadWhenParts): Promise<ZonedSchedule> => {
  if (!isTimeZone(timeZone)) {
    throw timeInvalid(`'${timeZone.slice(0, 40)}' is no time zone. Name one like Africa/Lusaka or Europe/Berlin.`)
  }
  const given = [when.at, when.inMinutes, when.every, when.cron].filter(one => one !== undefined)
  if (given.length !== 1) {
    throw timeInvalid('Say when in one way: at a time, in some minutes, every day, week or month, or by cron.')
  }
  const zoned = { schedule: scheduleOf(when, timeZone, parts), timeZone }
  if (zoned.schedule.kind === 'cron') await checkGaps(zoned, parts)
  return zoned
}

const scheduleOf = (when: WhenInput, timeZone: string, { now }: ReadWhenParts): Schedule => {
  if (when.cron !== undefined) {
    const cron = when.cron.trim().replace(/\s+/g, ' ')
    if (!/^[^ @]+( [^ ]+){4}$/.test(cron)) {
      throw timeInvalid("A cron pattern has five fields: minute hour day month weekday, such as '0 7 * * 1'.")
    }
    return { kind: 'cron', cron, words: `by the cron pattern ${cron}` }
  }
  if (when.every !== undefined) return { kind: 'cron', ...patternOf({ ...when, every: when.every }) }
  const at = when.inMinutes === undefined ? readTime(when.at ?? '', timeZone) : now + when.inMinutes * minute
  if (at === undefined) throw timeInvalid("That is no time. Write it like '2026-12-01T07:00'.")
  if (at <= now) throw timeInvalid('That time is over. Name one that is to come.')
  if (at > now + horizon) throw timeInvalid('That is more than a year ahead. A task may wait a year at most.')
  return { kind: 'once', at }
}

type EveryInput = WhenInput & { readonly every: NonNullable<WhenInput['every']> }

const patternOf = ({ every, time, on, dayOfMonth }: EveryInput): { cron: string; words: string } => {
  const [hours, minutes] = clockTime(time, every)
  const shown = `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  if (on !== undefined && every !== 'week') throw timeInvalid('A day of the week goes with every week alone.')
  if (dayOfMonth !== undefined && every !== 'month') {
    throw timeInvalid('A day of the month goes with every month alone.')
  }
  switch (every) {
    case 'hour':
      return { cron: `${minutes} * * * *`, words: `every hour, ${minutes} minutes past` }
    case 'day':
      return { cron: `${minutes} ${hours} * * *`, words: `every day at ${shown}` }
    case 'weekday':
      return { cron: `${minutes} ${hours} * * 1-5`, words: `Monday to Friday at ${shown}` }
    case 'week': {
      if (on === undefined) throw timeInvalid('Say on which day of the week.')
      const name = `${on[0]!.toUpperCase()}${on.slice(1)}`
      return { cron: `${minutes} ${hours} * * ${weekdays.indexOf(on)}`, words: `every ${name} at ${shown}` }
    }
    case 'month': {
      if (dayOfMonth === undefined) throw timeInvalid('Say on which day of the month.')
      const words = dayOfMonth === 'last' ? 'the last day' : `day ${dayOfMonth}`
      const cron = `${minutes} ${hours} ${dayOfMonth === 'last' ? 'L' : dayOfMonth} * *`
      return { cron, words: `every month on ${words} at ${shown}` }
    }
  }
}

const clockTime = (time: string | undefined, every: EveryInput['every']): readonly [number, number] => {
  if (time === undefined) {
    if (every === 'hour') return [0, 0]
    throw timeInvalid("Say at what time, like '07:00'.")
  }
  const [, hour, minutes, half] = /^(\d{1,2})(?:[:.](\d\d))? ?([aApP])?/.exec(time) ?? []
  let hours = Number(hour)
  if (half !== undefined) {
    if (hours < 1 || hours > 12) throw timeInvalid(`'${time}' is no time of day. Write it like '07:00'.`)
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  if (hours > 23) throw timeInvalid(`'${time}' is no time of day. Write it like '07:00'.`)
  return [hours, Number(minutes ?? 0)]
}

const checkGaps = async (zoned: ZonedSchedule, { now, minIntervalMinutes }: ReadWhenParts): Promise<void> => {
  const times = await nextTimes(zoned, now, gapsLookedAt + 1).catch((error: unknown) => {
    if (error instanceof StorageError) throw timeInvalid(error.message)
    throw error
  })
  if (times[0]! > now + horizon * 5) throw timeInvalid('That comes up in many years only. Name a nearer time.')
  const tooNear = times.some((at, place) => place > 0 && at - times[place - 1]! < minIntervalMinutes * minute)
  if (tooNear) {
    throw timeInvalid(`That is too often: there are at least ${minIntervalMinutes} minutes between two runs.`)
  }
}

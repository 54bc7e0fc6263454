import { type Actor, cleanText, holdsAbility } from '@sibyl/plugin'
import type { UserPreferences } from '@sibyl/protocol'
import { tasksErrors } from './definitions/tasks-errors.ts'
import type { NoticeServices } from './runs/deliver-run.ts'
import { clip } from './runs/word-run.ts'
import type { NoticeChannel } from './store/task.ts'
import type { TaskInput } from './task-input.ts'
import { readWhen } from './when/read-when.ts'
import { nextTimes, timesInWords, type ZonedSchedule } from './when/schedule.ts'

export interface PlanParts {
  readonly notices: NoticeServices
  readonly preferences: UserPreferences | undefined
  readonly now: () => number
  readonly minIntervalMinutes: number
}

/** Whoever asks for a task, with the abilities that they hold. */
export type TaskAsker = Pick<Actor, 'did' | 'scopes'>

/** A task as it would be. */
export interface TaskPlan extends ZonedSchedule {
  readonly what: string
  readonly context: string
  readonly remind: boolean
  readonly deliver: readonly NoticeChannel[]
  /** The next times, at least one. */
  readonly next: readonly number[]
  /** What might be said better. */
  readonly hints: readonly string[]
}

/**
 * Works out what a task would be, and refuses what cannot be.
 *
 * @throws `task_time_invalid`, `task_address_invalid`, `task_empty`,
 * `scope_missing` for work of the agent without `chat/send`, `scope_missing` for an address
 * that is not the asker's own, and what the channels say of an address
 */
export const planTask = async (parts: PlanParts, asker: TaskAsker, input: TaskInput): Promise<TaskPlan> => {
  const { now, minIntervalMinutes } = parts
  const [what = '', context = ''] = [input.what, input.context].map(text => cleanText(text, { lines: true }).trim())
  if (what === '') throw tasksErrors.task_empty()
  if (!input.remind) demandChat(asker)
  const own = input.timeZone === undefined ? (await parts.preferences?.get(asker.did))?.timeZone : undefined
  const timeZone = input.timeZone ?? own ?? 'UTC'
  const at = now()
  const zoned = await readWhen(input.when, timeZone, { now: at, minIntervalMinutes })
  const deliver = await addressesOf(parts.notices, asker, input.deliver)
  const next = await nextTimes(zoned, at, 3)
  const hints = hintsOf({ ...input, what }, { isKnown: (input.timeZone ?? own) !== undefined, next })
  return { ...zoned, what, context, remind: input.remind, deliver, next, hints }
}

/**
 * Checks that somebody may have the agent work.
 *
 * @throws `scope_missing`
 */
export const demandChat = ({ scopes }: Pick<Actor, 'scopes'>): void => {
  if (!holdsAbility(scopes, 'chat/send')) throw tasksErrors.task_agent_denied()
}

const addressesOf = async (
  notices: NoticeServices,
  { did, scopes }: TaskAsker,
  wanted: TaskInput['deliver'],
): Promise<readonly NoticeChannel[]> => {
  const found: NoticeChannel[] = []
  for (const channel of ['sms', 'matrix'] as const) {
    const to = wanted[channel]
    if (to === undefined || to === false) continue
    const service = notices[channel]
    const name = channel === 'sms' ? 'SMS' : 'Matrix'
    if (!service)
      throw tasksErrors.task_address_invalid({
        fault: `${name} is not set up here, so nothing can be sent that way. Leave it out.`,
      })
    // A phone is always the asker's own: one that they write from, or linked by a code.
    if (channel === 'matrix' && to !== true && !holdsAbility(scopes, 'matrix/send')) throw tasksErrors.scope_missing()
    found.push({ channel, ...(await service.addressOf({ did, ...(to === true ? {} : { to }) })) })
  }
  return found
}

const hintsOf = (
  input: TaskInput,
  { isKnown, next }: { readonly isKnown: boolean; readonly next: readonly number[] },
): readonly string[] => {
  const { when, what, context } = input
  const gap = next[1] === undefined ? Number.POSITIVE_INFINITY : next[1] - next[0]!
  const isVague = context === '' && !input.remind && /\b(this|that|these|those|it|them|above)\b/i.test(what)
  return [
    ...(isKnown || when.inMinutes !== undefined
      ? []
      : ['No time zone is known, so UTC counts. Name one, such as Africa/Lusaka.']),
    ...(gap < 3_600_000 ? [`That is a run every ${Math.round(gap / 60_000)} minutes.`] : []),
    ...(typeof when.dayOfMonth === 'number' && when.dayOfMonth > 28
      ? [`Months without day ${when.dayOfMonth} are left out; 'last' takes the last day of each.`]
      : []),
    ...(isVague ? ['A run begins anew: say in the context what the instruction refers to.'] : []),
  ]
}

/** A plan in plain words: what, when with the next times, and where the result goes. */
export const planInWords = (plan: TaskPlan, session: 'conversation' | 'own' = 'conversation'): string => {
  const { schedule, timeZone, next, deliver, hints } = plan
  const times = next.map(timesInWords(timeZone))
  const when = schedule.kind === 'once' ? `once, on ${times[0]}` : `${schedule.words}; next ${times.join('; ')}`
  const places = deliver.map(({ channel, shown }) => `${channel === 'sms' ? 'by SMS to' : 'by Matrix to'} ${shown}`)
  const where = [session === 'own' ? 'a session of the task' : 'this conversation', ...places]
  return [
    `${plan.remind ? 'Reminder' : 'Task'}: ${clip(plan.what.replace(/\s+/g, ' '), 400)}`,
    `When: ${when} (${timeZone})`,
    `Result: in ${where.join(', ')}`,
    ...hints.map(hint => `Note: ${hint}`),
  ].join('\n')
}

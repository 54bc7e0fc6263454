import { type Actor, cleanText, holdsAbility } from '@sibyl/plugin'
import type { ServiceOf, userPreferences } from '@sibyl/protocol'
import { tasksErrors } from './definitions/tasks-errors.ts'
import type { NoticeServices } from './runs/deliver-run.ts'
import { clip } from './runs/word-run.ts'
import type { NoticeChannel } from './store/task.ts'
import type { TaskInput } from './task-input.ts'
import { readWhen } from './when/read-when.ts'
import { nextTimes, timesInWords, type ZonedSchedule } from './when/schedule.ts'

export interface PlanDependencies {
  readonly notices: NoticeServices
  readonly preferences: ServiceOf<typeof userPreferences> | undefined
  readonly now: () => number
  readonly minIntervalMinutes: number
}

/** Creator of a task, with their abilities. */
export type TaskAsker = Pick<Actor, 'did' | 'scopes'>

export interface TaskPlan extends ZonedSchedule {
  readonly what: string
  readonly context: string
  readonly remind: boolean
  readonly deliver: readonly NoticeChannel[]
  /** The next run times, at least one. */
  readonly next: readonly number[]
  /** Suggestions for a better instruction. */
  readonly hints: readonly string[]
}

/**
 * Plans a task, and rejects invalid ones.
 *
 * @throws `task_time_invalid`, `task_address_invalid`, `task_empty`,
 * `scope_missing` for work of the agent without `chat/send`, `scope_missing` for an address
 * that is not the caller's own, and the errors of the channels for an address
 */
export const planTask = async (parts: PlanDependencies, asker: TaskAsker, input: TaskInput): Promise<TaskPlan> => {
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
 * Checks that a caller may use the agent.
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
        problem: `${name} is not configured here, so nothing can be sent that way. Omit it.`,
      })
    // A phone is always the caller's own: one that they write from, or linked by a code.
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
      : ['No time zone is known, so UTC is used. Name a time zone, such as Africa/Lusaka.']),
    ...(gap < 3_600_000 ? [`This means a run every ${Math.round(gap / 60_000)} minutes.`] : []),
    ...(typeof when.dayOfMonth === 'number' && when.dayOfMonth > 28
      ? [`Months without day ${when.dayOfMonth} are skipped; 'last' selects the last day of each month.`]
      : []),
    ...(isVague
      ? ['Each run starts without this conversation. State in the context what the instruction refers to.']
      : []),
  ]
}

/** Describes a plan: its instruction, its next times, and where the result goes. */
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

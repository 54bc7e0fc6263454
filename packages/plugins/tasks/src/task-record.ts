import { type Host, isoTime, type PersonalRecords } from '@sibyl/plugin'
import { z } from 'zod'
import { runStates, type Task, type TaskRun, taskStates } from './store/task.ts'
import type { TaskStore } from './store/task-store.ts'
import { type Schedule, timeInWords } from './when/schedule.ts'

const time = z.iso.datetime()
const channel = z.enum(['sms', 'matrix'])

/** A task for its owner: phone numbers are masked. */
export const taskRecord = z.object({
  id: z.string(),
  what: z.string(),
  context: z.string(),
  remind: z.boolean(),
  when: z.string().meta({ description: 'The schedule as text', example: 'every Monday at 07:00' }),
  at: time.optional().meta({ description: 'Time of a one-time task' }),
  cron: z
    .string()
    .optional()
    .meta({ description: 'Pattern of a recurring task; `timeZone` applies', example: '0 7 * * 1' }),
  timeZone: z.string(),
  state: z.enum(taskStates),
  next: time.optional(),
  nextInWords: z.string().optional(),
  session: z.string().meta({ description: 'Session for results' }),
  deliver: z.array(z.object({ channel, to: z.string() })),
  failures: z.int().meta({ description: 'Number of consecutive failures' }),
  stopReason: z
    .string()
    .optional()
    .meta({ description: 'Code of the reason why it was stopped', example: 'grant_revoked' }),
  createdAt: time,
})

/** A run for the owner of its task. */
export const runRecord = z.object({
  id: z.string(),
  dueAt: time,
  state: z.enum(runStates),
  late: z.boolean(),
  manual: z.boolean().meta({ description: 'Requested outside the schedule' }),
  attempts: z.int(),
  text: z.string(),
  code: z.string().optional().meta({ description: 'Reason why it failed or was missed' }),
  sent: z.array(z.object({ channel, to: z.string(), fault: z.string().optional() })),
  startedAt: time,
  endedAt: time.optional(),
})

/** Describes a schedule. */
const whenOf = (schedule: Schedule, timeZone: string): string =>
  schedule.kind === 'once' ? `once, on ${timeInWords(schedule.at, timeZone)}` : schedule.words

export const taskRecordOf = (task: Task): z.infer<typeof taskRecord> => ({
  id: task.id,
  what: task.what,
  context: task.context,
  remind: task.remind,
  when: whenOf(task.schedule, task.timeZone),
  ...(task.schedule.kind === 'once' ? { at: isoTime(task.schedule.at) } : { cron: task.schedule.cron }),
  timeZone: task.timeZone,
  state: task.state,
  ...(task.nextAt === undefined
    ? {}
    : { next: isoTime(task.nextAt), nextInWords: timeInWords(task.nextAt, task.timeZone) }),
  session: task.session,
  deliver: task.deliver.map(({ channel, shown }) => ({ channel, to: shown })),
  failures: task.failures,
  stopReason: task.stopReason,
  createdAt: isoTime(task.createdAt),
})

export const runRecordOf = (run: TaskRun): z.infer<typeof runRecord> => ({
  id: run.id,
  dueAt: isoTime(run.dueAt),
  state: run.state,
  late: run.late,
  manual: run.manual,
  attempts: run.attempt,
  text: run.text,
  code: run.code,
  sent: run.deliveries.map(({ channel, shown, fault }) => ({
    channel,
    to: shown,
    fault,
  })),
  startedAt: isoTime(run.startedAt),
  ...(run.endedAt === undefined ? {} : { endedAt: isoTime(run.endedAt) }),
})

export const taskRecords = (store: TaskStore, log: Host['log']): PersonalRecords => ({
  async export(did) {
    const kept = await store.exportOf(did)
    if (kept.length === 0) return undefined
    return kept.map(({ task, runs }) => ({ ...taskRecordOf(task), runs: runs.map(runRecordOf) }))
  },
  async erase(did) {
    log.info('all tasks of a user were erased', { tasks: await store.erase(did) })
  },
})

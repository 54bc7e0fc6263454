import { type Host, isoTime, type PersonalRecords } from '@sibyl/plugin'
import type { RunRecord, TaskRecord } from './records/task-records.ts'
import type { Task, TaskRun } from './store/task.ts'
import type { TaskStore } from './store/task-store.ts'
import { type Schedule, timeInWords } from './when/schedule.ts'

/** Describes a schedule. */
const whenOf = (schedule: Schedule, timeZone: string): string =>
  schedule.kind === 'once' ? `once, on ${timeInWords(schedule.at, timeZone)}` : schedule.words

export const taskRecordOf = (task: Task): TaskRecord => ({
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

export const runRecordOf = (run: TaskRun): RunRecord => ({
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

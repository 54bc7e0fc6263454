import type { Actor } from '@sibyl/plugin'
import type { Schedule } from '../when/schedule.ts'

/**
 * `active` runs when it is due; `paused` misses its times; `stopped` failed too often, or failed once and for all; `done`
 * ran the one time that it was to; `cancelled`.
 */
export const taskStates = ['active', 'paused', 'stopped', 'done', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

/** States in which a task counts among those that a person may have. */
export const openStates: readonly TaskState[] = ['active', 'paused', 'stopped']

/** `waiting` is tried again later; `missed` did not take place; `stopped` was stopped by somebody. */
export const runStates = ['running', 'waiting', 'done', 'failed', 'missed', 'stopped'] as const
export type RunState = (typeof runStates)[number]

/** The maker of a task, besides their DID and scopes: whom limits count, and where the right comes from. */
export type TaskMaker = Omit<Actor, 'did' | 'via' | 'scopes'>

/** Where a result is sent besides the session. */
export interface NoticeChannel {
  readonly channel: 'sms' | 'matrix'
  readonly to: string
  /** The address as people may see it. */
  readonly shown: string
}

/** What became of a notice. */
export interface Delivery {
  readonly channel: NoticeChannel['channel']
  readonly shown: string
  /** Why it was not sent. */
  readonly fault?: string
}

/** Work for later. Times are milliseconds since 1970. */
export interface Task {
  readonly id: string
  readonly owner: string
  readonly what: string
  /** What was known when it was created. */
  readonly context: string
  /** Whether it is only said, without the agent. */
  readonly remind: boolean
  readonly schedule: Schedule
  readonly timeZone: string
  /** The session that results go to. */
  readonly session: string
  readonly deliver: readonly NoticeChannel[]
  /** The abilities of its runs. */
  readonly scopes: readonly string[]
  readonly maker: TaskMaker
  readonly state: TaskState
  readonly nextAt: number | undefined
  readonly failures: number
  readonly stopReason: string | undefined
  readonly createdAt: number
}

/** One time that a task was due. */
export interface TaskRun {
  readonly id: string
  readonly task: string
  readonly dueAt: number
  readonly state: RunState
  readonly late: boolean
  readonly manual: boolean
  readonly attempt: number
  readonly text: string
  readonly code: string | undefined
  readonly message: string | undefined
  readonly deliveries: readonly Delivery[]
  readonly startedAt: number
  readonly endedAt: number | undefined
  readonly told: boolean
}

/** The longest instruction and the longest saved context, in characters. */
export const maxWhat = 2_000
/** The longest result that is kept, in characters. */
export const maxResult = 20_000
/** Runs of a task that are kept. */
export const maxRuns = 100
/** Ended tasks of a person that are kept. */
export const maxEnded = 100
/** How long runs and ended tasks are kept, in milliseconds. */
export const keptMs = 90 * 86_400_000

/** The actor of a task's runs. */
export const actorOf = ({ owner, scopes, maker }: Pick<Task, 'owner' | 'scopes' | 'maker'>): Actor => ({
  ...maker,
  did: owner,
  via: 'task',
  scopes,
})

/** The session in which the agent works on a run: one for each attempt. */
export const workingSessionOf = ({ id, attempt }: Pick<TaskRun, 'id' | 'attempt'>): string =>
  `task-${id}${attempt > 1 ? `-${attempt}` : ''}`

/** The id of the run of a task at a due time. */
export const runIdOf = (task: string, dueAt: number): string => `${task}-${dueAt.toString(36)}`

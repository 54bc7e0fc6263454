import type { Actor } from '@sibyl/plugin'
import type { RunState, TaskState } from '../records/task-records.ts'
import type { Schedule } from '../when/schedule.ts'

/** States in which a task counts toward a user's limit. */
export const openStates: readonly TaskState[] = ['active', 'paused', 'stopped']

/** Maker of a task, besides DID and scopes: for limits, and for the origin of the right. */
export type TaskMaker = Omit<Actor, 'did' | 'via' | 'scopes'>

/** Channel for a result besides the session. */
export interface NoticeChannel {
  readonly channel: 'sms' | 'matrix'
  readonly to: string
  /** The address as shown to users. */
  readonly shown: string
}

export interface Delivery {
  readonly channel: NoticeChannel['channel']
  readonly shown: string
  /** Reason why it was not sent. */
  readonly fault?: string
}

/** A task. Times are milliseconds since 1970. */
export interface Task {
  readonly id: string
  readonly owner: string
  readonly what: string
  /** Context from the conversation in which it was created. */
  readonly context: string
  /** True if it is only a reminder, without the agent. */
  readonly remind: boolean
  readonly schedule: Schedule
  readonly timeZone: string
  readonly session: string
  readonly deliver: readonly NoticeChannel[]
  /** Abilities of its runs. */
  readonly scopes: readonly string[]
  readonly maker: TaskMaker
  readonly state: TaskState
  readonly nextAt: number | undefined
  readonly failures: number
  readonly stopReason: string | undefined
  readonly createdAt: number
}

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

/** Maximum length of an instruction, and of a saved context, in characters. */
export const maxWhat = 2_000
/** Maximum length of a stored result, in characters. */
export const maxResult = 20_000
/** Number of runs of a task that are stored. */
export const maxRuns = 100
/** Number of a user's ended tasks that are stored. */
export const maxEnded = 100
/** Retention of runs and ended tasks, in milliseconds. */
export const keptMs = 90 * 86_400_000

/** Returns the actor of a task's runs. */
export const actorOf = ({ owner, scopes, maker }: Pick<Task, 'owner' | 'scopes' | 'maker'>): Actor => ({
  ...maker,
  did: owner,
  via: 'task',
  scopes,
})

/** Returns the session in which the agent works on a run: one for each attempt. */
export const workingSessionOf = ({ id, attempt }: Pick<TaskRun, 'id' | 'attempt'>): string =>
  `task-${id}${attempt > 1 ? `-${attempt}` : ''}`

/** Returns the id of the run of a task at a due time. */
export const runIdOf = (task: string, dueAt: number): string => `${task}-${dueAt.toString(36)}`

import type { Host } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { Schedule } from '../when/schedule.ts'
import type { Delivery, NoticeChannel, RunState, TaskMaker, TaskState } from './task.ts'

/** The tables of the plugin. Times are milliseconds since 1970. */
export interface TasksTables {
  /** A row per holder, which concurrent creations lock. */
  tasks_people: { did: string }
  tasks_tasks: {
    id: string
    owner: string
    /** DID whose limit the task counts toward. */
    holder: string
    /** Network that it was created from, for limits by address. */
    origin: string | null
    what: string
    context: string
    /** 1 if it is only a reminder, without the agent. */
    remind: number
    schedule: JsonColumn<Schedule>
    time_zone: string
    /** Session for results; null for one of the task's own. */
    session: string | null
    deliver: JsonColumn<readonly NoticeChannel[]>
    /** Abilities of its turns. */
    scopes: JsonColumn<readonly string[]>
    /** Null in rows from before the column existed. */
    maker: JsonColumn<TaskMaker, null>
    state: TaskState
    /** Next run; null otherwise. */
    next_at: number | null
    /** Time at which `next_at` was computed. */
    planned_at: number
    /** Number of consecutive failures. */
    failures: number
    stop_reason: string | null
    create_key: string
    create_hash: string
    created_at: number
    ended_at: number | null
  }
  tasks_runs: {
    id: string
    task: string
    owner: string
    due_at: number
    state: RunState
    late: number
    /** 1 if the user requested it outside the schedule. */
    manual: number
    attempt: number
    text: string
    code: string | null
    /** Message to the user; null otherwise. */
    message: string | null
    deliveries: JsonColumn<readonly Delivery[]>
    started_at: number
    ended_at: number | null
    /** 1 once the user was notified. */
    told: number
  }
}

export type TasksStorage = Host<unknown, TasksTables>['storage']

export type TasksTransaction = Parameters<Parameters<TasksStorage['write']>[0]>[0]

/** Transaction options for statements that decide by the rows that they change. */
export const rowByRow = { isolation: 'read committed' } as const

export type RowOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { readonly __select__: infer Value } ? Value : Table[Key]
}

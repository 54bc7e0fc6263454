import type { Host } from '@sibyl/plugin'
import type { JsonColumn } from '@sibyl/plugin/storage'
import type { Schedule } from '../when/schedule.ts'
import type { Delivery, NoticeChannel, RunState, TaskMaker, TaskState } from './task.ts'

/** The tables of the plugin. Times are milliseconds since 1970. */
export interface TasksTables {
  /** A row a holder, which creations under its rights lock. */
  tasks_people: { did: string }
  tasks_tasks: {
    id: string
    owner: string
    /** The DID that the task counts for. */
    holder: string
    /** The network that it was created from, where addresses share the room. */
    origin: string | null
    what: string
    context: string
    /** 1 where it is only said, without the agent. */
    remind: number
    schedule: JsonColumn<Schedule>
    time_zone: string
    /** The session that results go to; null stands for one of the task's own. */
    session: string | null
    deliver: JsonColumn<readonly NoticeChannel[]>
    /** What its turns may do. */
    scopes: JsonColumn<readonly string[]>
    /** Null in rows of before it was stored. */
    maker: JsonColumn<TaskMaker, null>
    state: TaskState
    /** When it runs next; null when it does not. */
    next_at: number | null
    /** When `next_at` was worked out. */
    planned_at: number
    /** Runs that failed one after the other. */
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
    /** 1 where the person asked for it out of turn. */
    manual: number
    attempt: number
    text: string
    code: string | null
    /** What the person is told of it; null where that is nothing. */
    message: string | null
    deliveries: JsonColumn<readonly Delivery[]>
    started_at: number
    ended_at: number | null
    /** 1 once the person was told. */
    told: number
  }
}

export type TasksStorage = Host<unknown, TasksTables>['storage']

export type TasksTransaction = Parameters<Parameters<TasksStorage['write']>[0]>[0]

/** Each statement decides by the rows that it changes itself. */
export const rowByRow = { isolation: 'read committed' } as const

export type RowOf<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends { readonly __select__: infer Value } ? Value : Table[Key]
}

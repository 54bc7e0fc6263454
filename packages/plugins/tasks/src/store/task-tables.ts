import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { z } from 'zod'
import type { RunState, TaskState } from '../records/task-records.ts'
import type { Schedule } from '../when/schedule.ts'
import type { Delivery, NoticeChannel, TaskMaker } from './task.ts'

/** A row per holder, which concurrent creations lock. */
const people = defineTable('tasks_people', {
  did: column.text().primaryKey(),
})

const tasks = defineTable(
  'tasks_tasks',
  {
    id: column.text().primaryKey(),
    owner: column.text(),
    /** DID whose limit the task counts toward. */
    holder: column.text().filled(),
    /** Network that it was created from, for limits by address. */
    origin: column.text().nullable(),
    what: column.text(),
    context: column.text(),
    /** 1 if it is only a reminder, without the agent. */
    remind: column.integer(),
    schedule: column.json(z.custom<Schedule>()),
    time_zone: column.text(),
    /** Session for results; null for one of the task's own. */
    session: column.text().nullable(),
    deliver: column.json(z.custom<readonly NoticeChannel[]>()),
    /** Abilities of its turns. */
    scopes: column.json(z.custom<readonly string[]>()),
    /** Null in rows from before the column existed. */
    maker: column.json(z.custom<TaskMaker>()).nullable(),
    state: column.text<TaskState>(),
    /** Next run; null otherwise. */
    next_at: column.timestamp().nullable(),
    /** Time at which `next_at` was computed. */
    planned_at: column.timestamp(),
    /** Number of consecutive failures. */
    failures: column.integer(),
    stop_reason: column.text().nullable(),
    create_key: column.text(),
    create_hash: column.text(),
    created_at: column.timestamp(),
    ended_at: column.timestamp().nullable(),
  },
  {
    unique: { tasks_tasks_key: ['owner', 'create_key'] },
    indexes: {
      tasks_tasks_age: ['created_at', 'id'],
      tasks_tasks_shares: ['state', 'holder', 'origin'],
      tasks_tasks_state: ['state', 'next_at'],
    },
  },
)

const runs = defineTable(
  'tasks_runs',
  {
    id: column.text().primaryKey(),
    task: column.text(),
    owner: column.text(),
    due_at: column.timestamp(),
    state: column.text<RunState>(),
    late: column.integer(),
    /** 1 if the user requested it outside the schedule. */
    manual: column.integer(),
    attempt: column.integer(),
    text: column.text(),
    code: column.text().nullable(),
    /** Message to the user; null otherwise. */
    message: column.text().nullable(),
    deliveries: column.json(z.custom<readonly Delivery[]>()),
    started_at: column.timestamp(),
    ended_at: column.timestamp().nullable(),
    /** 1 once the user was notified. */
    told: column.integer(),
  },
  {
    unique: { tasks_runs_due: ['task', 'due_at'] },
    indexes: { tasks_runs_open: ['told', 'started_at'], tasks_runs_owner: ['owner'] },
  },
)

const tasksTables = [people, tasks, runs] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type TasksTables = TablesOf<typeof tasksTables>

export const taskMigrations = { '0100-base': createTables(tasksTables) }

export type TasksStorage = Host<unknown, TasksTables>['storage']

export type TasksTransaction = Parameters<Parameters<TasksStorage['write']>[0]>[0]

/** Transaction options for statements that decide by the rows that they change. */
export const rowByRow = { isolation: 'read committed' } as const

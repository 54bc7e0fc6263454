import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'
import type { Migrations } from '@sibyl/plugin/storage'
import { jsonValue } from '@sibyl/protocol'
import { z } from 'zod'
import { storedPart } from '../wire/part.ts'
import type { TaskState } from '../wire/task-state.ts'

/** A question that a task waits for: an approval, or the question of a tool. */
const question = z.object({
  approvalId: z.string(),
  text: z.string(),
  /** JSON Schema of the answer, where yes or no is not enough. */
  schema: z.record(z.string(), jsonValue).optional(),
})

export type Question = z.output<typeof question>

/** Output of one turn of a task: the text of its answer, or a file of the caller. */
const artifact = z.object({
  turn: z.string(),
  text: z.string(),
  file: z.object({ path: z.string(), mediaType: z.string(), url: z.string() }).optional(),
})

export type Artifact = z.output<typeof artifact>

/** Tasks, each of one turn or of several with the answers to questions between. Times are milliseconds since 1970. */
export const tasks = defineTable(
  'a2a_tasks',
  {
    id: column.text().primaryKey(),
    owner: column.text(),
    /** The session. */
    context: column.text(),
    /** The last turn. */
    turn: column.text(),
    state: column.text<TaskState>(),
    statusText: column.text().nullable(),
    questions: column.json(z.array(question)),
    artifacts: column.json(z.array(artifact)),
    /** Before the last turn. */
    startedAt: column.timestamp(),
    updatedAt: column.timestamp(),
    /** As counted for its owner; null in rows that are not counted yet. */
    bytes: column.integer().nullable().since('0101-bytes'),
  },
  {
    indexes: {
      a2a_tasks_by_owner: ['owner', 'updatedAt', 'id'],
      a2a_tasks_by_context: ['owner', 'context'],
      a2a_tasks_by_turn: ['turn'],
      a2a_tasks_by_time: ['updatedAt'],
    },
  },
)

/** Messages of tasks; a repeated id of a client's message is the same message. */
export const messages = defineTable(
  'a2a_messages',
  {
    place: column.serial(),
    owner: column.text(),
    /** The id, of the client or of the oracle. */
    message: column.text(),
    task: column.text(),
    role: column.text<'user' | 'agent'>(),
    parts: column.json(z.array(storedPart)),
    /** As counted for its owner; null in rows that are not counted yet. */
    bytes: column.integer().nullable().since('0101-bytes'),
  },
  {
    unique: { a2a_messages_once: ['owner', 'message'] },
    indexes: { a2a_messages_by_task: ['task', 'place'] },
  },
)

/** Receivers of push notifications. */
export const pushTargets = defineTable(
  'a2a_push_targets',
  {
    place: column.serial(),
    owner: column.text(),
    task: column.text(),
    id: column.text(),
    url: column.text(),
    /** Encrypted JSON of what the receiver expects in the header. */
    secret: column.text().nullable(),
    /** The caller who registered it. */
    maker: column.json(z.record(z.string(), jsonValue)),
  },
  { unique: { a2a_push_once: ['task', 'id'] }, indexes: { a2a_push_by_owner: ['owner'] } },
)

/** Push notifications that were not accepted yet. */
export const notifications = defineTable(
  'a2a_notifications',
  {
    place: column.serial(),
    target: column.integer(),
    /** JSON of the task as it was then. */
    snapshot: column.text(),
  },
  { indexes: { a2a_notifications_by_target: ['target', 'place'] } },
)

const tables = [tasks, messages, pushTargets, notifications] as const

export type A2aTables = TablesOf<typeof tables>

export const a2aMigrations: Migrations & { readonly '0100-base': ReturnType<typeof createTables> } = {
  '0100-base': createTables(tables),
  '0101-bytes': async (db, types) => {
    for (const table of [tasks, messages]) await table.addColumns('0101-bytes')(db, types)
  },
}

import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'

/** Sessions of clients that hold their conversation themselves. Times are milliseconds since 1970. */
export const threads = defineTable(
  'openai_threads',
  {
    owner: column.text(),
    session: column.text(),
    /** Hash of the conversation up to the last answer. */
    head: column.text(),
    usedAt: column.timestamp(),
  },
  {
    primaryKey: ['owner', 'session'],
    indexes: { openai_threads_by_head: ['owner', 'head'], openai_threads_by_use: ['usedAt'] },
  },
)

/** Answers of `POST /v1/responses`, for `previous_response_id` and `GET /v1/responses/{id}`. */
export const responses = defineTable(
  'openai_responses',
  {
    place: column.serial(),
    id: column.text().unique(),
    owner: column.text(),
    session: column.text(),
    previous: column.text().nullable(),
    input: column.text(),
    output: column.text(),
    /** The response object as it was sent. */
    body: column.text(),
    /** Whether the client may read it again. */
    isStored: column.boolean(),
    createdAt: column.timestamp(),
  },
  { indexes: { openai_responses_by_session: ['owner', 'session'], openai_responses_by_time: ['createdAt'] } },
)

const tables = [threads, responses] as const

export type OpenAiTables = TablesOf<typeof tables>

export const openaiMigrations = { '0100-base': createTables(tables) }

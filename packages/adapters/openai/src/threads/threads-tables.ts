import { column, createTables, defineTable, type TablesOf } from '@sibyl/plugin'
import { type camelCaseTransaction, requestTable } from '@sibyl/plugin/host'
import type { Migrations } from '@sibyl/plugin/storage'

/** Sessions of clients that hold their conversation themselves. Times are milliseconds since 1970. */
export const threads = defineTable(
  'openai_threads',
  {
    owner: column.text(),
    session: column.text(),
    /** Hash of the conversation up to the last answer. */
    head: column.text(),
    /** JSON of the approvals whose questions the last answer showed: only a yes to these is one. */
    asked: column.text().nullable().since('0102-asked'),
    usedAt: column.timestamp(),
    /** As counted for its owner; null in rows that are not counted yet. */
    bytes: column.integer().nullable().since('0101-bytes'),
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
    /** As counted for its owner; null in rows that are not counted yet. */
    bytes: column.integer().nullable().since('0101-bytes'),
    /** Its turn, until it has ended. */
    turn: column.text().nullable().since('0103-requests'),
  },
  { indexes: { openai_responses_by_session: ['owner', 'session'], openai_responses_by_time: ['createdAt'] } },
)

/** Requests of a day, by which a repeated one finds the turn of the first. */
export const requests = requestTable('openai_requests')

/** Bytes of a response besides its texts, rounded up. */
export const responseRowBytes = 1_000

const tables = [threads, responses] as const

export type OpenAiTables = TablesOf<readonly [...typeof tables, typeof requests]>

/** A transaction on the tables of the adapter. */
export type OpenAiTransaction = ReturnType<typeof camelCaseTransaction<OpenAiTables>>

export const openaiMigrations: Migrations & { readonly '0100-base': ReturnType<typeof createTables> } = {
  '0100-base': createTables(tables),
  '0101-bytes': async (db, types) => {
    for (const table of tables) await table.addColumns('0101-bytes')(db, types)
  },
  '0102-asked': threads.addColumns('0102-asked'),
  '0103-requests': async (db, types) => {
    await responses.addColumns('0103-requests')(db, types)
    await createTables([requests])(db, types)
  },
}

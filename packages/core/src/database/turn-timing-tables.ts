import type { Outcome } from '@sibyl/protocol'
import { column, defineTable, type TablesOf } from '@sibyl/storage'

/** Timings of turns. They contain no text of a conversation. */
export const turnTimings = defineTable(
  'core_turn_timings',
  {
    owner: column.text(),
    session_id: column.text(),
    started_at: column.timestamp(),
    turn_id: column.text(),
    channel: column.text(),
    model: column.text(),
    duration_ms: column.integer(),
    outcome: column.text<Outcome>(),
    code: column.text().nullable(),
    input_tokens: column.integer(),
    cached_input_tokens: column.integer(),
    output_tokens: column.integer(),
    /** In millionths of a credit; null if unknown. */
    cost: column.integer().nullable(),
    /** From the first call of the model to its first part; null if there was none. */
    first_part_ms: column.integer().nullable(),
    tool_calls: column.integer(),
    /** JSON: TurnSpan[]. */
    spans: column.text(),
    /** The number of spans beyond the most that are stored. */
    omitted_spans: column.integer(),
  },
  {
    primaryKey: ['owner', 'session_id', 'started_at', 'turn_id'], // Has all that a summary counts, so that it reads no rows.
    indexes: {
      core_turn_timings_time: [
        'started_at',
        'model',
        'channel',
        'outcome',
        'code',
        'input_tokens',
        'cached_input_tokens',
        'output_tokens',
        'cost',
        'duration_ms',
        'first_part_ms',
      ],
    },
    storedByKey: true,
  },
)

export const turnTimingTables = [turnTimings] as const

export type TurnTimingTables = TablesOf<typeof turnTimingTables>

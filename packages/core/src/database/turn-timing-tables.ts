import type { Outcome } from '@sibyl/protocol'
import type { Migrations } from '@sibyl/storage'

/** The table of the timings of turns. It contains no text of a conversation. */
export interface TurnTimingTables {
  core_turn_timings: {
    owner: string
    session_id: string
    started_at: number
    turn_id: string
    channel: string
    model: string
    duration_ms: number
    outcome: Outcome
    code: string | null
    input_tokens: number
    cached_input_tokens: number
    output_tokens: number
    /** In millionths of a credit; null if unknown. */
    cost: number | null
    /** From the first call of the model to its first part; null if there was none. */
    first_part_ms: number | null
    tool_calls: number
    /** JSON: TurnSpan[]. */
    spans: string
    /** The number of spans beyond the most that are stored. */
    omitted_spans: number
  }
}

/** The migrations of that table. */
export const turnTimingMigrations: Migrations = {
  '0014-turn-timings': async (db, { text, integer, timestamp, storedByKey }) => {
    await db.schema
      .createTable('core_turn_timings')
      .addColumn('owner', text, column => column.notNull())
      .addColumn('session_id', text, column => column.notNull())
      .addColumn('started_at', timestamp, column => column.notNull())
      .addColumn('turn_id', text, column => column.notNull())
      .addColumn('channel', text, column => column.notNull())
      .addColumn('model', text, column => column.notNull())
      .addColumn('duration_ms', 'bigint', column => column.notNull())
      .addColumn('outcome', text, column => column.notNull())
      .addColumn('code', text)
      .addColumn('input_tokens', 'bigint', column => column.notNull())
      .addColumn('cached_input_tokens', 'bigint', column => column.notNull())
      .addColumn('output_tokens', 'bigint', column => column.notNull())
      .addColumn('cost', 'bigint')
      .addColumn('first_part_ms', 'bigint')
      .addColumn('tool_calls', integer, column => column.notNull())
      .addColumn('spans', text, column => column.notNull())
      .addColumn('omitted_spans', integer, column => column.notNull())
      .addPrimaryKeyConstraint('core_turn_timings_key', ['owner', 'session_id', 'started_at', 'turn_id'])
      .modifyEnd(storedByKey)
      .execute()
    // Has all that a summary counts, so that it reads no rows.
    await db.schema
      .createIndex('core_turn_timings_time')
      .on('core_turn_timings')
      .columns([
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
      ])
      .execute()
  },
}

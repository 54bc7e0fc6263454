import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'
import type { MatrixEnv } from './matrix-env.ts'

/** The tables of the plugin. Times are milliseconds since 1970. */
export interface MatrixTables {
  /** Which process reads Matrix for all that share the database; one row, `bot`. */
  matrix_lease: { name: string; holder: string; held_until: number }
  /** How far the events of a bot's user were taken in. */
  matrix_accounts: { user_id: string; next_batch: string }
  /** Rooms that the bot is in, is invited to, or is about to leave. */
  matrix_rooms: {
    room_id: string
    stands: 'invited' | 'joined' | 'leaving'
    name: string | null
    alias: string | null
    /** Whether it was made as a direct room. */
    is_direct: boolean
    is_encrypted: boolean
    /** Whether people were told that the bot cannot read there. */
    told_encrypted: boolean
    /** When somebody last wrote. */
    touched_at: number
  }
  matrix_members: { room_id: string; user_id: string; stands: 'joined' | 'invited'; name: string | null }
  /** Messages to answer, by their event; those that are answered stay for a time without their text. */
  matrix_inbox: {
    place: Generated<number>
    event_id: string
    room_id: string
    sender: string
    thread: string | null
    body: string
    /** The file that it brings, as the JSON of `RoomMedia`; blank for none. */
    media: Generated<string>
    state: 'waiting' | 'done'
    /** How often answering began. */
    tries: number
    /** How many messages its answer grew to while it was shown; 0 for one. */
    parts: Generated<number>
    /** When its room is tried again, where it took no answer; 0 where it was not. */
    retry_at: Generated<number>
    at: number
  }
  /** The bot's own messages, so that replies to them are known. */
  matrix_sent: { event_id: string; room_id: string; thread: string | null; at: number }
  /** Which Matrix user a person is. */
  matrix_people: { did: string; user_id: string; since: number }
  /** What people were asked and have not answered. */
  matrix_questions: {
    place: Generated<number>
    approval_id: string
    /** The message whose turn asked it. */
    event_id: string
    room_id: string
    user_id: string
    thread: string | null
    text: string
    /** What a tool wants to know beside yes or no: one member of an object. */
    field: JsonColumn<QuestionField | null>
    at: number
  }
  /** The latest talk of groups. */
  matrix_room_messages: {
    place: Generated<number>
    event_id: string
    room_id: string
    sender: string
    name: string
    text: string
    at: number
  }
  /** What was talked about before that, compacted. */
  matrix_room_summaries: { room_id: string; text: string; covers: JsonColumn<readonly string[]>; at: number }
  /** Messages that wait to be sent. */
  matrix_outbox: {
    place: Generated<number>
    id: string
    room_id: string
    text: string
    /** On whose behalf; blank for what the bot says by itself. */
    did: string
    state: 'waiting' | 'done' | 'failed'
    at: number
  }
  /** Where a session takes place. */
  matrix_conversations: { session: string; room_id: string; thread: string | null }
}

/** The one thing that a tool's question wants to know. */
export interface QuestionField {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly choices?: readonly string[]
}

export type MatrixHost = Host<MatrixEnv, MatrixTables>
export type MatrixStorage = MatrixHost['storage']
export type MatrixTransaction = Parameters<Parameters<MatrixStorage['write']>[0]>[0]

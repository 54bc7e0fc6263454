import type { Host } from '@sibyl/plugin'
import type { Generated, JsonColumn } from '@sibyl/plugin/storage'
import type { MatrixEnv } from './matrix-env.ts'

/** The tables of the plugin. Times are milliseconds since 1970. */
export interface MatrixTables {
  /** The process that reads Matrix for all that share the database; one row, `bot`. */
  matrix_lease: { name: string; holder: string; held_until: number }
  /** Position of each user's stored events. */
  matrix_accounts: { user_id: string; next_batch: string }
  /** Rooms that the bot is in, is invited to, or will leave. */
  matrix_rooms: {
    room_id: string
    stands: 'invited' | 'joined' | 'leaving'
    name: string | null
    alias: string | null
    /** True if it was created as a direct room. */
    is_direct: boolean
    is_encrypted: boolean
    /** True once members were informed that the bot cannot read there. */
    told_encrypted: boolean
    /** Time of the last message. */
    touched_at: number
  }
  matrix_members: { room_id: string; user_id: string; stands: 'joined' | 'invited'; name: string | null }
  /** Messages to answer, by event; answered ones stay for a time without their text. */
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
    /** Number of attempts. */
    tries: number
    /** Number of messages of the answer while it was shown; 0 for one. */
    parts: Generated<number>
    /** Time of the room's retry; 0 if it did not reject an answer. */
    retry_at: Generated<number>
    at: number
  }
  /** The bot's own messages, to recognize replies to them. */
  matrix_sent: { event_id: string; room_id: string; thread: string | null; at: number }
  /** Matrix users by DID. */
  matrix_people: { did: string; user_id: string; since: number }
  /** Open questions to users. */
  matrix_questions: {
    place: Generated<number>
    approval_id: string
    /** The message whose turn asked it. */
    event_id: string
    room_id: string
    user_id: string
    thread: string | null
    text: string
    /** The requested value of a tool besides yes or no: one member of an object. */
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
  /** Summaries of earlier talk. */
  matrix_room_summaries: { room_id: string; text: string; covers: JsonColumn<readonly string[]>; at: number }
  /** Messages to send. */
  matrix_outbox: {
    place: Generated<number>
    id: string
    room_id: string
    text: string
    /** DID of the user on whose behalf it is sent; blank for messages of the bot itself. */
    did: string
    state: 'waiting' | 'done' | 'failed'
    at: number
  }
  /** The device of the bot's user whose keys are stored. */
  matrix_devices: {
    user_id: string
    device_id: string
    /** Fingerprint of the key that encrypts its records. */
    key_id: string
    /** `host.restoredAt` when it was created; 0 for none. */
    restored_at: number
    /** True once the homeserver has its keys. */
    is_published: boolean
  }
  /** Encrypted records of that device: its keys, and the sessions with others. */
  matrix_crypto: { place: string; value: Uint8Array }
  /** Encrypted contents of messages that are being sent, by room and transaction, so that a retry sends the same. */
  matrix_sealed: { id: string; room_id: string; content: string; at: number }
  /** Encrypted messages whose key has not arrived. */
  matrix_undecrypted: {
    place: Generated<number>
    event_id: string
    room_id: string
    sender: string
    /** JSON. */
    content: string
    /** Time of the message as reported by its homeserver. */
    sent_at: number
    at: number
  }
  /** Rooms of sessions. */
  matrix_conversations: { session: string; room_id: string; thread: string | null }
}

/** The requested value of a tool's question. */
export interface QuestionField {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly choices?: readonly string[]
}

export type MatrixHost = Host<MatrixEnv, MatrixTables>
export type MatrixStorage = MatrixHost['storage']
export type MatrixTransaction = Parameters<Parameters<MatrixStorage['write']>[0]>[0]

import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import { z } from 'zod'
import type { MatrixEnv } from './matrix-env.ts'

/** The process that reads Matrix for all that share the database; one row, `bot`. */
const lease = defineTable('matrix_lease', {
  name: column.text().primaryKey(),
  holder: column.text(),
  held_until: column.timestamp(),
})

/** Position of each user's stored events. */
const accounts = defineTable('matrix_accounts', {
  user_id: column.text().primaryKey(),
  next_batch: column.text(),
})

/** Rooms that the bot is in, is invited to, or will leave. */
const rooms = defineTable('matrix_rooms', {
  room_id: column.text().primaryKey(),
  stands: column.text<'invited' | 'joined' | 'leaving'>(),
  name: column.text().nullable(),
  alias: column.text().nullable(),
  /** True if it was created as a direct room. */
  is_direct: column.boolean(),
  is_encrypted: column.boolean(),
  /** True once members were informed that the bot cannot read there. */
  told_encrypted: column.boolean(),
  /** Time of the last message. */
  touched_at: column.timestamp(),
})

const members = defineTable(
  'matrix_members',
  {
    room_id: column.text(),
    user_id: column.text(),
    stands: column.text<'joined' | 'invited'>(),
    name: column.text().nullable(),
  },
  { primaryKey: ['room_id', 'user_id'], indexes: { matrix_members_by_user: ['user_id'] } },
)

/** Messages to answer, by event; answered ones stay for a time without their text. */
const inbox = defineTable(
  'matrix_inbox',
  {
    place: column.serial(),
    event_id: column.text().unique(),
    room_id: column.text(),
    sender: column.text(),
    thread: column.text().nullable(),
    body: column.text(),
    /** The file that it brings, as the JSON of `RoomMedia`; blank for none. */
    media: column.text().default(''),
    state: column.text<'waiting' | 'done'>(),
    /** Number of attempts. */
    tries: column.integer(),
    /** Number of messages of the answer while it was shown; 0 for one. */
    parts: column.integer().default(0),
    /** Time of the room's retry; 0 if it did not reject an answer. */
    retry_at: column.timestamp().default(0),
    at: column.timestamp(),
  },
  { indexes: { matrix_inbox_by_state: ['state', 'place'] } },
)

/** The bot's own messages, to recognize replies to them. */
const sent = defineTable(
  'matrix_sent',
  {
    event_id: column.text().primaryKey(),
    room_id: column.text(),
    thread: column.text().nullable(),
    at: column.timestamp(),
  },
  { indexes: { matrix_sent_by_thread: ['room_id', 'thread'] } },
)

const people = defineTable('matrix_people', {
  did: column.text().primaryKey(),
  user_id: column.text(),
  since: column.timestamp(),
})

/** Open questions to users. */
const questions = defineTable(
  'matrix_questions',
  {
    place: column.serial(),
    approval_id: column.text().unique(),
    /** The message whose turn asked it. */
    event_id: column.text(),
    room_id: column.text(),
    user_id: column.text(),
    thread: column.text().nullable(),
    text: column.text(),
    /** The requested value of a tool besides yes or no: one member of an object. */
    field: column.json(z.custom<QuestionField | null>()),
    at: column.timestamp(),
  },
  { indexes: { matrix_questions_by_person: ['room_id', 'user_id', 'place'] } },
)

/** The latest talk of groups. */
const roomMessages = defineTable(
  'matrix_room_messages',
  {
    place: column.serial(),
    event_id: column.text().unique(),
    room_id: column.text(),
    sender: column.text(),
    name: column.text(),
    text: column.text(),
    at: column.timestamp(),
  },
  { indexes: { matrix_room_messages_by_room: ['room_id', 'place'] } },
)

/** Summaries of earlier talk. */
const roomSummaries = defineTable('matrix_room_summaries', {
  room_id: column.text().primaryKey(),
  text: column.text(),
  covers: column.json(z.custom<readonly string[]>()),
  at: column.timestamp(),
})

/** Messages to send. */
const outbox = defineTable(
  'matrix_outbox',
  {
    place: column.serial(),
    id: column.text().unique(),
    room_id: column.text(),
    text: column.text(),
    /** DID of the user on whose behalf it is sent; blank for messages of the bot itself. */
    did: column.text(),
    state: column.text<'waiting' | 'done' | 'failed'>(),
    at: column.timestamp(),
  },
  { indexes: { matrix_outbox_by_state: ['state', 'place'] } },
)

/** The device of the bot's user whose keys are stored. */
const devices = defineTable('matrix_devices', {
  user_id: column.text().primaryKey(),
  device_id: column.text(),
  /** Fingerprint of the key that encrypts its records. */
  key_id: column.text(),
  /** `host.restoredAt` when it was created; 0 for none. */
  restored_at: column.timestamp(),
  /** True once the homeserver has its keys. */
  is_published: column.boolean(),
})

/** Encrypted records of that device: its keys, and the sessions with others. */
const crypto = defineTable('matrix_crypto', {
  place: column.text().primaryKey(),
  value: column.bytes(),
})

/** Encrypted contents of messages that are being sent, by room and transaction, so that a retry sends the same. */
const sealed = defineTable(
  'matrix_sealed',
  {
    id: column.text().primaryKey(),
    room_id: column.text(),
    content: column.text(),
    at: column.timestamp(),
  },
  { indexes: { matrix_sealed_by_room: ['room_id'] } },
)

/** Encrypted messages whose key has not arrived. */
const undecrypted = defineTable(
  'matrix_undecrypted',
  {
    place: column.serial(),
    event_id: column.text().unique(),
    room_id: column.text(),
    sender: column.text(),
    /** JSON. */
    content: column.text(),
    /** Time of the message as reported by its homeserver. */
    sent_at: column.timestamp(),
    at: column.timestamp(),
  },
  { indexes: { matrix_undecrypted_by_room: ['room_id'] } },
)

/** Place of the last message read of each Megolm session; kept as long as the keys of the device. */
const ratchets = defineTable('matrix_ratchets', {
  /** A room and the id of the session. */
  session: column.text().primaryKey(),
  place: column.integer(),
})

/** Rooms of sessions. */
const conversations = defineTable('matrix_conversations', {
  session: column.text().primaryKey(),
  room_id: column.text(),
  thread: column.text().nullable(),
})

const baseTables = [
  lease,
  accounts,
  rooms,
  members,
  inbox,
  sent,
  people,
  questions,
  roomMessages,
  roomSummaries,
  outbox,
  devices,
  crypto,
  sealed,
  undecrypted,
  conversations,
] as const

const matrixTables = [...baseTables, ratchets] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type MatrixTables = TablesOf<typeof matrixTables>

export const matrixMigrations = { '0100-base': createTables(baseTables), '0101-ratchets': createTables([ratchets]) }

/** The requested value of a tool's question. */
export interface QuestionField {
  readonly name: string
  readonly type: 'string' | 'number' | 'integer' | 'boolean'
  readonly choices?: readonly string[]
}

export type MatrixHost = Host<MatrixEnv, MatrixTables>
export type MatrixStorage = MatrixHost['storage']
export type MatrixTransaction = Parameters<Parameters<MatrixStorage['write']>[0]>[0]

import { column, defineTable, type Host, type Table, type TablesOf } from '@sibyl/plugin'

/** Sessions. Input, replies and phone numbers are sealed. */
export const sessionTable = defineTable(
  'ussd_sessions',
  {
    /** A keyed hash over provider, session id, phone number and base service code. */
    key: column.text().primaryKey(),
    session_id: column.text(),
    provider: column.text(),
    /** The base code, without what was dialled behind it. */
    service_code: column.text(),
    /** Sealed for `ussd_sessions.phone:<key>`. */
    phone: column.text(),
    /** A keyed hash over provider, phone number and base service code; null where no call may be resumed. */
    caller: column.text().nullable(),
    status: column.text<SessionStatus>(),
    /** Number of moves: a write of move n needs n - 1. */
    version: column.integer(),
    born_at: column.timestamp(),
    /** Time of the caller's last input. */
    updated_at: column.timestamp(),
    expires_at: column.timestamp(),
    /** Until when the row is kept for the outcome of its action; null while none runs. */
    run_until: column.timestamp().nullable(),
    /** A `SessionRecord`, sealed for `ussd_sessions.state:<key>`. */
    state: column.text(),
  },
  { indexes: { ussd_sessions_id: ['session_id'], ussd_sessions_born: ['born_at'] } },
)

/** `ended`: the flow or the person ended it; `dropped`: the network did, or another call took it over. */
export type SessionStatus = 'active' | 'ended' | 'dropped'

/** The oldest key that a row needs. */
const key_id = column.text()

export const customerTable = defineTable(
  'ussd_customers',
  {
    id: column.text().primaryKey(),
    /** Finds the customers of a phone; several may share one. */
    phone_hash: column.text(),
    /** Sealed JSON: name, e-mail, phone number. */
    profile: column.text(),
    /** Sealed, with this row as its place. */
    pin: column.text(),
    /** When a one-time PIN ends; null for one that the customer chose. */
    pin_until: column.timestamp().nullable(),
    created_at: column.timestamp(),
    key_id,
  },
  { storedByKey: true, indexes: { ussd_customers_phone: ['phone_hash'], ussd_customers_key: ['key_id'] } },
)

/** Languages of phones. */
export const phoneTable = defineTable(
  'ussd_phones',
  {
    phone_hash: column.text().primaryKey(),
    /** Sealed phone number. */
    phone: column.text(),
    language: column.text(),
    updated_at: column.timestamp(),
    key_id,
  },
  { storedByKey: true, indexes: { ussd_phones_key: ['key_id'] } },
)

export const attemptTable = defineTable(
  'ussd_attempts',
  {
    /** Keyed hash of what attempts are counted for: an account, known or not, or a phone. */
    subject: column.text().primaryKey(),
    /** Sealed: what the hash is of. */
    who: column.text(),
    /** Number of attempts ever made. */
    attempts: column.integer(),
    /** Up to which of them they are forgiven. */
    cleared: column.integer(),
    last_at: column.timestamp(),
    key_id,
    /** Of a part, the hash of the subject that it is a part of: of an account that a phone tried, the hash of the phone. */
    whole: column.text().nullable().since('0004-attempts-of-parts'),
  },
  {
    storedByKey: true,
    indexes: { ussd_attempts_age: ['last_at'], ussd_attempts_key: ['key_id'], ussd_attempts_whole: ['whole'] },
  },
)

export const resetCodeTable = defineTable(
  'ussd_reset_codes',
  {
    /** Keyed hash of the customer id that it was asked for, known or not. */
    subject: column.text().primaryKey(),
    /** Sealed. */
    code: column.text(),
    tries: column.integer(),
    sent_at: column.timestamp(),
  },
  { storedByKey: true, indexes: { ussd_reset_codes_age: ['sent_at'] } },
)

/** Requests of operators. */
export const actionTable = defineTable(
  'ussd_actions',
  {
    id: column.text().primaryKey(),
    kind: column.text(),
    /** Finds the requests about a phone; null once it is erased, and where none is stored. */
    phone_hash: column.text().nullable(),
    /** Sealed JSON: operator, reason, customer id, phone number. */
    details: column.text(),
    /** Keyed hash of the word that confirms it; null where nothing is to be confirmed. */
    confirmation: column.text().nullable(),
    tries: column.integer(),
    requested_at: column.timestamp(),
    done_at: column.timestamp().nullable(),
    key_id,
  },
  {
    storedByKey: true,
    indexes: {
      ussd_actions_phone: ['phone_hash'],
      ussd_actions_age: ['requested_at', 'id'],
      ussd_actions_key: ['key_id'],
    },
  },
)

/** Phones that something is stored of; a row `noted:<did>` marks that they are complete for a key of the oracle. */
export const personTable = defineTable(
  'ussd_people',
  {
    /** The pairwise DID of the phone. */
    did: column.text().primaryKey(),
    /** Sealed phone number. */
    phone: column.text(),
    key_id,
  },
  { storedByKey: true, indexes: { ussd_people_key: ['key_id'] } },
)

/** Questions to the oracle and their answers. */
export const questionTable = defineTable(
  'ussd_questions',
  {
    /** The idempotency key it was asked with. */
    id: column.text().primaryKey(),
    /** Keyed hash of the phone number: what export and erasure go by. */
    phone_hash: column.text(),
    /** Keyed hash of phone number and customer: who may read it. */
    owner_hash: column.text(),
    /** Sealed. */
    question: column.text(),
    /** Sealed; null unless `outcome` is `answered`. */
    answer: column.text().nullable(),
    /** Null until the turn has ended. */
    outcome: column.text<'answered' | 'failed' | 'interrupted'>().nullable(),
    asked_at: column.timestamp(),
    expires_at: column.timestamp(),
  },
  {
    indexes: {
      ussd_questions_phone_hash: ['phone_hash'],
      ussd_questions_owner_hash: ['owner_hash'],
      ussd_questions_expires_at: ['expires_at'],
    },
  },
)

/** Tables of the plugin. Times are milliseconds since 1970. */
export type UssdTables = TablesOf<
  [
    typeof sessionTable,
    typeof customerTable,
    typeof phoneTable,
    typeof attemptTable,
    typeof resetCodeTable,
    typeof actionTable,
    typeof personTable,
    typeof questionTable,
  ]
>

/** A row of a table, as it is read. */
export type RowOf<Defined extends Table> = {
  readonly [Name in keyof Defined['columns']]: Defined['columns'][Name]['types']['selected']
}

/** Storage with the plugin's tables. */
export type UssdStorage = Host<unknown, UssdTables>['storage']

/** A transaction of `UssdStorage.write`. */
export type WriteTransaction = Parameters<Parameters<UssdStorage['write']>[0]>[0]

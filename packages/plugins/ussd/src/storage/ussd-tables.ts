import { column, createTables, defineTable, type Host, type Table, type TablesOf } from '@sibyl/plugin'

/**
 * Sessions. Input, replies and phone numbers are sealed. A move changes no indexed column, except at the start or end of an
 * action, so that it writes only its row.
 */
export const sessionTable = defineTable(
  'ussd_sessions',
  {
    /** A keyed hash over provider, session id, phone number and base service code. */
    key: column.text().primaryKey(),
    session_id: column.text(),
    provider: column.text(),
    /** The base code, without the text dialed after it. */
    service_code: column.text(),
    /** Sealed for `ussd_sessions.phone:<key>`. */
    phone: column.text(),
    /** A keyed hash over provider, phone number and base service code; null if calls cannot be resumed. */
    caller: column.text().nullable(),
    status: column.text<SessionStatus>(),
    /** Number of moves: a write of move n needs n - 1. */
    version: column.integer(),
    born_at: column.timestamp(),
    /** Time of the caller's last input. */
    updated_at: column.timestamp(),
    expires_at: column.timestamp(),
    /** Time until which the row is kept for the outcome of its action; null while none runs. */
    run_until: column.timestamp().nullable(),
    /** A `SessionRecord`, sealed for `ussd_sessions.state:<key>`. */
    state: column.text(),
  },
  {
    indexes: {
      ussd_sessions_id: ['session_id'],
      ussd_sessions_born: ['born_at'],
      ussd_sessions_caller: { columns: ['caller'], where: 'caller is not null' },
      ussd_sessions_running: { columns: ['run_until'], where: 'run_until is not null' },
    },
  },
)

/** `ended`: by the flow or the user; `dropped`: by the network, or taken over by another call. */
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
    /** Sealed, bound to this row. */
    pin: column.text(),
    /** End of a one-time PIN's validity; null for a PIN that the customer chose. */
    pin_until: column.timestamp().nullable(),
    created_at: column.timestamp(),
    key_id,
  },
  { storedByKey: true, indexes: { ussd_customers_phone: ['phone_hash'], ussd_customers_key: ['key_id'] } },
)

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
    /** Keyed hash of the subject of the attempts: an account, known or not, or a phone. */
    subject: column.text().primaryKey(),
    /** Sealed input of the hash. */
    who: column.text(),
    /** Number of all attempts. */
    attempts: column.integer(),
    /** Number of cleared attempts. */
    cleared: column.integer(),
    last_at: column.timestamp(),
    key_id,
    /** Of a part, the hash of its whole: of an account that a phone tried, the hash of the phone. */
    whole: column.text().nullable(),
  },
  {
    storedByKey: true,
    indexes: { ussd_attempts_age: ['last_at'], ussd_attempts_key: ['key_id'], ussd_attempts_whole: ['whole'] },
  },
)

export const resetCodeTable = defineTable(
  'ussd_reset_codes',
  {
    /** Keyed hash of the requested customer ID, known or not. */
    subject: column.text().primaryKey(),
    /** Sealed. */
    code: column.text(),
    tries: column.integer(),
    sent_at: column.timestamp(),
  },
  { storedByKey: true, indexes: { ussd_reset_codes_age: ['sent_at'] } },
)

export const actionTable = defineTable(
  'ussd_actions',
  {
    id: column.text().primaryKey(),
    kind: column.text(),
    /** Finds the requests about a phone; null once it is erased, and if none is stored. */
    phone_hash: column.text().nullable(),
    /** Sealed JSON: operator, reason, customer id, phone number. */
    details: column.text(),
    /** Keyed hash of the word that confirms it; null without a confirmation. */
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

/** Phones with stored data; a row `noted:<did>` marks that they are complete for a key of the oracle. */
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
    /** The idempotency key of the question. */
    id: column.text().primaryKey(),
    /** Keyed hash of the phone number, for export and erasure. */
    phone_hash: column.text(),
    /** Keyed hash of phone number and customer, who may read it. */
    owner_hash: column.text(),
    /** Sealed. */
    question: column.text(),
    /** Sealed; null unless `outcome` is `answered`. */
    answer: column.text().nullable(),
    /** Null until the turn has ended. */
    outcome: column.text<'answered' | 'failed' | 'interrupted' | 'acted'>().nullable(),
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

/** Counts of where sessions stop, without phones and sessions. */
export const flowCountTable = defineTable(
  'ussd_flow_counts',
  {
    /** UTC: `2026-11-28`. */
    day: column.text(),
    screen: column.text(),
    entered: column.integer(),
    /** Moves from here to another screen. */
    continued: column.integer(),
    flow_ended: column.integer(),
    user_ended: column.integer(),
    timed_out: column.integer(),
    errors: column.integer(),
  },
  { primaryKey: ['day', 'screen'], storedByKey: true },
)

const tables = [
  sessionTable,
  customerTable,
  phoneTable,
  attemptTable,
  resetCodeTable,
  actionTable,
  personTable,
  questionTable,
  flowCountTable,
] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type UssdTables = TablesOf<typeof tables>

export const ussdMigrations = { '0100-base': createTables(tables) }

export type RowOf<Defined extends Table> = {
  readonly [Name in keyof Defined['columns']]: Defined['columns'][Name]['types']['selected']
}

/** Storage with the plugin's tables. */
export type UssdStorage = Host<unknown, UssdTables>['storage']

export type WriteTransaction = Parameters<Parameters<UssdStorage['write']>[0]>[0]

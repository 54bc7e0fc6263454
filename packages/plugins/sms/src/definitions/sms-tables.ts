import { column, createTables, defineTable, type Host, type TablesOf } from '@sibyl/plugin'
import type { Selectable } from '@sibyl/plugin/storage'

/** An outgoing SMS. */
const messages = defineTable(
  'sms_messages',
  {
    id: column.text().primaryKey(),
    /** Hash of the caller's idempotency key. */
    message_key: column.text().unique(),
    purpose: column.text<Purpose>(),
    /** Number in E.164, encrypted; blank once it is erased. */
    phone: column.text(),
    /** Hash for finding the messages to a phone; blank in rows from before numbers were encrypted. */
    phone_hash: column.text().default(''),
    /** DID of the owner of the phone; blank without a signing key. */
    did: column.text(),
    /** DID of the user who caused it, for limits. */
    cause: column.text().nullable(),
    /** DID whose limit it counts toward. */
    holder: column.text().nullable(),
    /** Network of the request that caused it, for limits by address. */
    origin: column.text().nullable(),
    text: column.text(),
    sensitive: column.boolean(),
    encoding: column.text<'gsm7' | 'ucs2'>(),
    parts: column.integer(),
    state: column.text<MessageState>(),
    /** Reason why it failed or waits, as text. */
    reason: column.text().nullable(),
    /** The provider's id of the message. */
    provider_id: column.text().unique().nullable(),
    attempts: column.integer(),
    /** Cost as reported by the provider: `KES 0.8000`. */
    cost: column.text().nullable(),
    held_until: column.timestamp().nullable(),
    created_at: column.timestamp(),
    /** Start of the last request that sends it. */
    sent_at: column.timestamp().nullable(),
    settled_at: column.timestamp().nullable(),
  },
  {
    indexes: {
      sms_messages_by_cause: ['cause', 'created_at'],
      sms_messages_by_did: ['did', 'created_at'],
      sms_messages_by_holder: ['holder', 'created_at'],
      sms_messages_by_phone: ['phone', 'state'],
      sms_messages_by_phone_hash: ['phone_hash', 'state'],
      sms_messages_by_state: ['state', 'created_at', 'id'],
      sms_messages_by_time: ['created_at', 'id'],
    },
  },
)

/** An incoming SMS. */
const inbound = defineTable(
  'sms_inbound',
  {
    id: column.text().primaryKey(),
    provider: column.text(),
    /** The provider's id of the message; unique together with the provider's name. */
    provider_id: column.text(),
    /** Number in E.164, or the provider's text if it is not a phone; encrypted. */
    phone: column.text(),
    did: column.text(),
    text: column.text(),
    state: column.text<InboundState>(),
    received_at: column.timestamp(),
  },
  {
    unique: { sms_inbound_of_provider: ['provider', 'provider_id'] },
    indexes: { sms_inbound_by_did: ['did', 'received_at'], sms_inbound_by_time: ['received_at'] },
  },
)

/** The known phone of a person. */
const phones = defineTable('sms_phones', {
  did: column.text().primaryKey(),
  phone: column.text(),
  seen_at: column.timestamp(),
})

/** A phone that a person linked without writing from it; linked once `linked_at` is set. */
const links = defineTable(
  'sms_links',
  {
    id: column.text().primaryKey(),
    did: column.text(),
    /** Encrypted. */
    phone: column.text(),
    phone_hash: column.text(),
    /** Keyed hash of the pending code; null otherwise. */
    code: column.text().nullable(),
    code_sent_at: column.timestamp().nullable(),
    /** Number of attempts with the pending code. */
    tries: column.integer(),
    linked_at: column.timestamp().nullable(),
    /** Last use, or time at which the code was sent. */
    used_at: column.timestamp(),
  },
  {
    indexes: {
      sms_links_by_phone: ['phone_hash'],
      sms_links_by_use: ['used_at'],
      sms_links_of: { columns: ['did', 'phone_hash'], unique: true },
    },
  },
)

/** Phones that opted out, by a hash that requires the oracle's key. */
const optOuts = defineTable('sms_opt_outs', {
  phone_hash: column.text().primaryKey(),
  since: column.timestamp(),
})

/** Delivery reports on messages whose provider id is not known yet. */
const earlyReports = defineTable(
  'sms_early_reports',
  {
    provider_id: column.text().primaryKey(),
    /** Encrypted; blank if the report has no number. */
    phone: column.text(),
    phone_hash: column.text().default(''),
    status: column.text<'sent' | 'delivered' | 'failed'>(),
    reason: column.text().nullable(),
    cost: column.text().nullable(),
    at: column.timestamp(),
  },
  { indexes: { sms_early_reports_by_phone: ['phone'], sms_early_reports_by_phone_hash: ['phone_hash'] } },
)

const smsTables = [messages, inbound, phones, links, optOuts, earlyReports] as const

/** Tables of the plugin. Times are milliseconds since 1970. */
export type SmsTables = TablesOf<typeof smsTables>

export type MessageRow = Selectable<SmsTables['sms_messages']>
export type InboundRow = Selectable<SmsTables['sms_inbound']>
export type LinkRow = Selectable<SmsTables['sms_links']>

export const smsMigrations = { '0100-base': createTables(smsTables) }

/** State of an outgoing SMS. `erased` is what remains of one whose person was erased. */
export type MessageState =
  | 'waiting'
  | 'held'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'failed'
  | 'unknown'
  | 'refused'
  | 'erased'

/**
 * Purpose of an outgoing SMS: a user sent it; a notice for a user; a message of another plugin to a phone; the answer
 * to an incoming SMS; a text of the plugin itself; its text that no answer is available; or a code that links a phone.
 */
export type Purpose = 'person' | 'notice' | 'service' | 'answer' | 'word' | 'apology' | 'code'

/** State of an incoming SMS. */
export type InboundState = 'waiting' | 'answered' | 'ignored' | 'limited' | 'erased'

export type SmsStorage = Host<unknown, SmsTables>['storage']

export type SmsTransaction = Parameters<Parameters<SmsStorage['write']>[0]>[0]

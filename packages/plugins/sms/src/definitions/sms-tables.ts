import type { Host } from '@sibyl/plugin'

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

/** An outgoing SMS. */
export interface MessageRow {
  id: string
  /** Hash of the caller's idempotency key. */
  message_key: string
  purpose: Purpose
  /** Number in E.164, encrypted; blank once it is erased. */
  phone: string
  /** Hash for finding the messages to a phone; blank in rows from before numbers were encrypted. */
  phone_hash: string
  /** DID of the owner of the phone; blank without a signing key. */
  did: string
  /** DID of the user who caused it, for limits. */
  cause: string | null
  /** DID whose limit it counts toward. */
  holder: string | null
  /** Network of the request that caused it, for limits by address. */
  origin: string | null
  text: string
  sensitive: boolean
  encoding: 'gsm7' | 'ucs2'
  parts: number
  state: MessageState
  /** Reason why it failed or waits, as text. */
  reason: string | null
  /** The provider's id of the message. */
  provider_id: string | null
  attempts: number
  /** Cost as reported by the provider: `KES 0.8000`. */
  cost: string | null
  held_until: number | null
  created_at: number
  /** Start of the last request that sends it. */
  sent_at: number | null
  settled_at: number | null
}

/** An incoming SMS. */
export interface InboundRow {
  id: string
  provider: string
  /** The provider's id of the message; unique together with the provider's name. */
  provider_id: string
  /** Number in E.164, or the provider's text if it is not a phone; encrypted. */
  phone: string
  did: string
  text: string
  state: InboundState
  received_at: number
}

/** A phone that a person linked without writing from it; linked once `linked_at` is set. */
export interface LinkRow {
  id: string
  did: string
  /** Encrypted. */
  phone: string
  phone_hash: string
  /** Keyed hash of the pending code; null otherwise. */
  code: string | null
  code_sent_at: number | null
  /** Number of attempts with the pending code. */
  tries: number
  linked_at: number | null
  /** Last use, or time at which the code was sent. */
  used_at: number
}

export interface SmsTables {
  sms_messages: MessageRow
  sms_inbound: InboundRow
  /** The known phone of a person. */
  sms_phones: { did: string; phone: string; seen_at: number }
  sms_links: LinkRow
  /** Phones that opted out, by a hash that requires the oracle's key. */
  sms_opt_outs: { phone_hash: string; since: number }
  /** Delivery reports on messages whose provider id is not known yet. */
  sms_early_reports: {
    provider_id: string
    /** Encrypted; blank if the report has no number. */
    phone: string
    phone_hash: string
    status: 'sent' | 'delivered' | 'failed'
    reason: string | null
    cost: string | null
    at: number
  }
}

export type SmsStorage = Host<unknown, SmsTables>['storage']

export type SmsTransaction = Parameters<Parameters<SmsStorage['write']>[0]>[0]

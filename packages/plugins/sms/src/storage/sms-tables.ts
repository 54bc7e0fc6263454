import type { Host } from '@sibyl/core'

/** Where an SMS stands that goes out. `erased` is what is left of one whose person had it erased. */
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
 * Why an SMS goes out: a person had it sent, a notice for a person, another plugin's word to a phone, the answer to an SMS
 * that came in, words of the plugin's own, or its words that there is no answer.
 */
export type Purpose = 'person' | 'notice' | 'service' | 'answer' | 'word' | 'apology'

/** Where an SMS stands that came in. */
export type InboundState = 'waiting' | 'answered' | 'ignored' | 'limited' | 'erased'

/** An SMS that goes out. */
export interface MessageRow {
  id: string
  /** A hash of the caller's idempotency key. */
  message_key: string
  purpose: Purpose
  /** E.164. */
  phone: string
  /** The DID of whoever has the phone; blank where there is no signing key. */
  did: string
  /** The DID of whom it is counted for. */
  cause: string | null
  text: string
  sensitive: boolean
  encoding: 'gsm7' | 'ucs2'
  parts: number
  state: MessageState
  /** Why it failed or waits, in words. */
  reason: string | null
  /** What the provider calls it. */
  provider_id: string | null
  attempts: number
  /** What the provider says it cost: `KES 0.8000`. */
  cost: string | null
  held_until: number | null
  created_at: number
  /** When the last request for it began. */
  sent_at: number | null
  settled_at: number | null
}

/** An SMS that came in. */
export interface InboundRow {
  id: string
  provider: string
  /** What the provider calls it; unique with its name. */
  provider_id: string
  /** E.164, or what the provider said where that is no phone. */
  phone: string
  did: string
  text: string
  state: InboundState
  received_at: number
}

/** The tables of the plugin. */
export interface SmsTables {
  sms_messages: MessageRow
  sms_inbound: InboundRow
  /** The phone of a person, as far as one is known. */
  sms_phones: { did: string; phone: string; seen_at: number }
  /** Phones that want nothing, by a hash that needs the oracle's key. */
  sms_opt_outs: { phone_hash: string; since: number }
  /** Reports on messages that are not known by the provider's id, or not yet. */
  sms_early_reports: {
    provider_id: string
    phone: string
    status: 'sent' | 'delivered' | 'failed'
    reason: string | null
    cost: string | null
    at: number
  }
}

/** The database as this plugin sees it. */
export type SmsStorage = Host<unknown, SmsTables>['storage']

/** A transaction of `SmsStorage.write`. */
export type SmsTransaction = Parameters<Parameters<SmsStorage['write']>[0]>[0]

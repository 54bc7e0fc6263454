import type { Host } from '@sibyl/plugin'

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
 * that came in, words of the plugin's own, its words that there is no answer, or a code that links a phone.
 */
export type Purpose = 'person' | 'notice' | 'service' | 'answer' | 'word' | 'apology' | 'code'

/** Where an SMS stands that came in. */
export type InboundState = 'waiting' | 'answered' | 'ignored' | 'limited' | 'erased'

/** An SMS that goes out. */
export interface MessageRow {
  id: string
  /** A hash of the caller's idempotency key. */
  message_key: string
  purpose: Purpose
  /** The number in E.164, sealed; blank once it is erased. */
  phone: string
  /** Finds the messages to a phone; blank in a row from before numbers were sealed. */
  phone_hash: string
  /** The DID of whoever has the phone; blank where there is no signing key. */
  did: string
  /** The DID of whom it is counted for. */
  cause: string | null
  /** The DID that it counts for. */
  holder: string | null
  /** The network that it was caused from, where addresses share what is for all. */
  origin: string | null
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
  /** The number in E.164, or what the provider said where that is no phone; sealed. */
  phone: string
  did: string
  text: string
  state: InboundState
  received_at: number
}

/** A phone of a person who does not write from it: linked once `linked_at` is set. */
export interface LinkRow {
  id: string
  did: string
  /** Sealed. */
  phone: string
  phone_hash: string
  /** A keyed hash of the code that was sent; null where none is open. */
  code: string | null
  code_sent_at: number | null
  /** How often the open code was tried. */
  tries: number
  linked_at: number | null
  /** When it was last used, or the code was sent. */
  used_at: number
}

export interface SmsTables {
  sms_messages: MessageRow
  sms_inbound: InboundRow
  /** The phone of a person, as far as one is known. */
  sms_phones: { did: string; phone: string; seen_at: number }
  sms_links: LinkRow
  /** Phones that want nothing, by a hash that needs the oracle's key. */
  sms_opt_outs: { phone_hash: string; since: number }
  /** Reports on messages that are not known by the provider's id, or not yet. */
  sms_early_reports: {
    provider_id: string
    /** Sealed; blank where the report names none. */
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

/** A message for a provider. */
export interface OutgoingSms {
  /** Our id, the same for each attempt. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly text: string
}

export type SendOutcome =
  | { readonly kind: 'sent'; readonly providerId?: string; readonly cost?: string }
  /** The provider rejected it temporarily: it may be sent again. */
  | { readonly kind: 'refused'; readonly reason: string; readonly retryAfterMs?: number }
  /** The provider rejected it permanently. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The outcome is unknown: it must not be sent again. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** A provider's report on an accepted message. */
export interface DeliveryReport {
  readonly providerId: string
  /** E.164; missing if the report has no number. */
  readonly phone?: string
  /** `sent`: it is in transit. */
  readonly status: 'sent' | 'delivered' | 'failed'
  readonly reason?: string
  readonly cost?: string
}

export interface IncomingSms {
  readonly providerId: string
  /** As the provider writes it: a number with or without plus, a short code, a name. */
  readonly from: string
  readonly text: string
}

/** Content of a call: a form's fields, JSON, or the query of its URL, still encoded. */
export type CallBody = { readonly form: URLSearchParams } | { readonly json: unknown } | { readonly query: string }

/** A carrier of SMS. */
export interface SmsProvider {
  readonly name: 'africastalking' | 'infobip' | 'kannel' | 'embedded'
  /** True if it uses our ids, so that a message can be identified before its response. */
  readonly takesOurId: boolean
  /** Sends one message. Never rejects. */
  send(message: OutgoingSms): Promise<SendOutcome>
  /** Queries a message; undefined if its state is unknown. Rejects if the provider is unreachable. */
  lookup?(id: string): Promise<DeliveryReport | undefined>
  /** Parses the incoming messages of a call; undefined if the form is invalid. */
  readInbound(body: CallBody): readonly IncomingSms[] | undefined
  readReports(body: CallBody): readonly DeliveryReport[] | undefined
}

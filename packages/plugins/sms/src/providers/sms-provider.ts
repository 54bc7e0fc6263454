/** What goes to a provider. */
export interface OutgoingSms {
  /** Ours; the same at every try. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly text: string
}

/** What became of a request to send. */
export type SendOutcome =
  | { readonly kind: 'sent'; readonly providerId?: string; readonly cost?: string }
  /** The provider has not taken it, and may the next time: it may be sent again. */
  | { readonly kind: 'refused'; readonly reason: string; readonly retryAfterMs?: number }
  /** The provider has not taken it, and will not. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nobody knows whether the provider has it: it must not be sent again. */
  | { readonly kind: 'unknown'; readonly reason: string }

/** What a provider says of a message that it took. */
export interface DeliveryReport {
  readonly providerId: string
  /** E.164; missing where it does not say. */
  readonly phone?: string
  /** `sent`: it is on its way. */
  readonly status: 'sent' | 'delivered' | 'failed'
  readonly reason?: string
  readonly cost?: string
}

/** An SMS that came in, as a provider tells it. */
export interface IncomingSms {
  readonly providerId: string
  /** As the provider says it: a number with or without plus, a short code, a name. */
  readonly from: string
  readonly text: string
}

/** What a call carries: a form's fields, JSON, or the query of its URL, still encoded. */
export type CallBody = { readonly form: URLSearchParams } | { readonly json: unknown } | { readonly query: string }

/** Who carries SMS. */
export interface SmsProvider {
  readonly name: 'africastalking' | 'infobip' | 'kannel' | 'embedded'
  /** Whether it goes by our own ids, so that a message is known to it before it answers. */
  readonly takesOurId: boolean
  /** Sends one message. Never rejects. */
  send(message: OutgoingSms): Promise<SendOutcome>
  /** Asks what became of a message; undefined where it cannot say. Rejects where it cannot be reached. */
  lookUp?(id: string): Promise<DeliveryReport | undefined>
  /** What a call says that came in; undefined where it is none of its form. */
  readInbound(body: CallBody): readonly IncomingSms[] | undefined
  readReports(body: CallBody): readonly DeliveryReport[] | undefined
}

import type { JsonValue } from '@sibyl/protocol'
import type { TextMode, UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { TextLimits } from '../text/measure.ts'

/** A received request, decoded and bounded but not interpreted. */
export interface WireRequest {
  /** In capitals: `POST`. */
  readonly method: string
  /** Path below `/api/ussd/<provider>`: `''` or `/session/abc/start`. */
  readonly path: string
  /** The parameters of the path template. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON or form body, a form as an object of strings; undefined for GET, and for a body that could not be parsed. */
  readonly body: unknown
}

/** A response in a provider's form. */
export interface WireReply {
  readonly status: number
  readonly contentType: 'text/plain' | 'application/json'
  readonly body: string
}

/** Reason for a reply without a screen; `refused`: the gateway is not trusted. */
export type ReplyError = 'invalid' | 'unavailable' | 'rate-limited' | 'refused'

/** A route of the gateway. */
export interface ProviderRoute {
  readonly method: 'post' | 'get' | 'put'
  /** Below `/api/ussd/<name>`, with parameters in braces: `''`, `/session/{id}/start`. */
  readonly path: string
  /** Form of the request. */
  readonly takes: 'json' | 'form' | 'query'
  /** A sentence for the API documentation. */
  readonly summary: string
}

/** Content of a provider's request, before the gateway adds the provider and its limits. */
export interface ProviderMessage extends Omit<UssdRequest, 'provider' | 'limits' | 'textMode'> {
  /** Values that the provider expects in the reply; `write` reads them, and they are not stored. */
  readonly echo?: Readonly<Record<string, JsonValue>>
}

/** The request and reply format of a telecom gateway, created by `defineUssdProvider`. */
export interface UssdProvider {
  /** Its name in the path: `/api/ussd/africas-talking`. */
  readonly name: string
  readonly title: string
  readonly routes: readonly ProviderRoute[]
  readonly textMode: TextMode
  readonly limits: TextLimits
  /** Detection of repeated deliveries; `window`: by the same text within that time. */
  readonly duplicates: 'text' | 'sequence' | { readonly windowMs: number }
  /** Parses a request; undefined if it is invalid. Never throws. */
  read(wire: WireRequest): ProviderMessage | undefined
  /** Returns the response that shows a reply. */
  write(reply: UssdReply, wire: WireRequest, message: ProviderMessage): WireReply
  /** Returns the response to `release` and `timeout`, which show nothing. */
  acknowledge(wire: WireRequest, message: ProviderMessage): WireReply
  /**
   * Returns the response without a screen. `text` is the text of the plain route; `message` is undefined if the request
   * could not be read.
   */
  fault(violation: ReplyError, text: string, wire: WireRequest, message: ProviderMessage | undefined): WireReply
}

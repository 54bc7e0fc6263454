import type { JsonValue } from '@sibyl/protocol'
import type { TextMode, UssdReply, UssdRequest } from '../requests/ussd-request.ts'
import type { TextLimits } from '../text/measure.ts'

/** A request as it came, decoded and bounded but not understood. */
export interface WireRequest {
  /** In capitals: `POST`. */
  readonly method: string
  /** Path below `/api/ussd/<provider>`: `''` or `/session/abc/start`. */
  readonly path: string
  /** The parameters of the path's template. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON or form body, a form as an object of strings; undefined for GET, and for a body that could not be parsed. */
  readonly body: unknown
}

/** An answer in a provider's form. */
export interface WireReply {
  readonly status: number
  readonly contentType: 'text/plain' | 'application/json'
  readonly body: string
}

/** Reason why there is no screen; `refused`: the gateway is not trusted. */
export type ReplyFault = 'invalid' | 'unavailable' | 'rate-limited' | 'refused'

/** One way to call the gateway. */
export interface ProviderRoute {
  readonly method: 'post' | 'get' | 'put'
  /** Below `/api/ussd/<name>`, with parameters in braces: `''`, `/session/{id}/start`. */
  readonly path: string
  /** Form of the request. */
  readonly takes: 'json' | 'form' | 'query'
  /** One sentence for the API's page. */
  readonly summary: string
}

/** Content of a provider's request, before the gateway adds the provider and its limits. */
export interface ProviderMessage extends Omit<UssdRequest, 'provider' | 'limits' | 'textMode'> {
  /** Values that the provider expects in the reply; `write` reads them, and they are not stored. */
  readonly echo?: Readonly<Record<string, JsonValue>>
}

/** A telecom gateway's way of writing requests and replies, made by `defineUssdProvider`. */
export interface UssdProvider {
  /** Its name in the path: `/api/ussd/africas-talking`. */
  readonly name: string
  readonly title: string
  readonly routes: readonly ProviderRoute[]
  readonly textMode: TextMode
  readonly limits: TextLimits
  /** Detection of repeated deliveries; `window`: by the same text within that time. */
  readonly duplicates: 'text' | 'sequence' | { readonly windowMs: number }
  /** Reads a request; undefined for one that does not fit. Never throws. */
  read(wire: WireRequest): ProviderMessage | undefined
  /** Writes what the phone shows. */
  write(reply: UssdReply, wire: WireRequest, message: ProviderMessage): WireReply
  /** Returns the response to `release` and `timeout`, which show nothing. */
  acknowledge(wire: WireRequest, message: ProviderMessage): WireReply
  /**
   * The answer where there is no screen. `text` is what the plain route would say; `message` is undefined where the request
   * could not be read.
   */
  fault(fault: ReplyFault, text: string, wire: WireRequest, message: ProviderMessage | undefined): WireReply
}

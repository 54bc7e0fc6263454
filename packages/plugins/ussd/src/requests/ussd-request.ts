import type { TextLimits } from '../text/measure.ts'

/** Request of a phone, in the common form of all providers. */
export interface UssdRequest {
  /** `plain` for the form of the specification, else the provider's name. */
  readonly provider: string
  /** The network session's id, 1 to 100 characters; chosen by the provider, so neither secret nor unique across providers. */
  readonly sessionId: string
  /** E.164 with its plus: `+260971234567`. */
  readonly phoneNumber: string
  /**
   * The dialed code: `*1234#` or `*1234*1#`; the same in all requests of a session. Empty for a provider that does not
   * send it in each request.
   */
  readonly serviceCode: string
  /**
   * On a dial: the whole dialed text, if the provider sends it in addition to the code: `*1234*1*2#` for the code
   * `*1234#`.
   */
  readonly dialled?: string
  /** `dial` begins a session, `input` answers a screen; `release` and `timeout` report that the network ended it. */
  readonly event: 'dial' | 'input' | 'release' | 'timeout'
  /** Input: all of the session joined by `*` if `textMode` is `cumulative`, else only this answer. Empty on a dial. */
  readonly text: string
  readonly textMode: TextMode
  /** The provider's count of the session's requests, if any: the same number twice is one request. */
  readonly sequence?: number
  /** Time in which the same uncounted last answer is the same request, in milliseconds. @default 2000 */
  readonly duplicateWindowMs?: number
  readonly limits: TextLimits
}

/** Content of `text`: all of a session's answers, or the last one; `auto` decides by how it grows. */
export type TextMode = 'cumulative' | 'last' | 'auto'

/** Reply for the phone: a screen that waits for an answer, or the last text of a session. */
export interface UssdReply {
  readonly kind: 'continue' | 'end'
  readonly text: string
}

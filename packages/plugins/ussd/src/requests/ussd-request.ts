import type { TextLimits } from '../text/text-limits.ts'

/** What a phone's user did, in the form that all providers are read into. */
export interface UssdRequest {
  /** Who sent it: `plain` for the spec's own form, else the provider's name. */
  readonly provider: string
  /** The network session's id, 1 to 100 characters; chosen by the provider, so neither secret nor unique across providers. */
  readonly sessionId: string
  /** E.164 with its plus: `+260971234567`. */
  readonly phoneNumber: string
  /**
   * The code that was dialled: `*1234#` or `*1234*1#`; the same in all requests of a session. Empty for a provider that does
   * not say it in each request.
   */
  readonly serviceCode: string
  /** On a dial: all that was dialled, where the provider says it besides the code: `*1234*1*2#` for the code `*1234#`. */
  readonly dialled?: string
  /** `dial` begins a session anew, `input` answers a screen; `release` and `timeout` say that the network ended it. */
  readonly event: 'dial' | 'input' | 'release' | 'timeout'
  /** What was typed: all of the session joined by `*` where `textMode` is `cumulative`, else this answer alone. Empty on a dial. */
  readonly text: string
  readonly textMode: TextMode
  /** The provider's own count of the session's requests, where it has one: the same number twice is one request. */
  readonly sequence?: number
  /**
   * Where answers come alone and are not counted: for how long the same answer again is the same request, in milliseconds.
   * @default 2000
   */
  readonly duplicateWindowMs?: number
  /** How much one reply may hold. */
  readonly limits: TextLimits
}

/** Whether `text` holds all of a session's answers, or the last one; `auto` tells by how it grows. */
export type TextMode = 'cumulative' | 'last' | 'auto'

/** What the phone shows: a screen that waits for an answer, or the last words of a session. */
export interface UssdReply {
  readonly kind: 'continue' | 'end'
  readonly text: string
}

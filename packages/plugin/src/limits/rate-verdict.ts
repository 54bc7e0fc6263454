/** Whether a request is within its limit. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  /** The remaining requests of this window. */
  readonly remaining: number
  /** Time until the window ends, in milliseconds. */
  readonly endsInMs: number
}

/** Whether a request is within its limit. */
export interface RateVerdict {
  readonly allowed: boolean
  readonly limit: number
  /** How many more are allowed in this window. */
  readonly remaining: number
  /** When the window ends, in milliseconds from now. */
  readonly endsInMs: number
}

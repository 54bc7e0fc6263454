/** The options of `sibyl credits`. */
export interface CreditsOptions {
  readonly url?: string
  readonly json?: boolean
  readonly reason: string
  /** Makes one grant of several calls. */
  readonly id?: string
}

/** The options of `sibyl people`. */
export interface PeopleOptions {
  readonly url?: string
  readonly json?: boolean
  /** Erases without a question. */
  readonly yes?: boolean
}

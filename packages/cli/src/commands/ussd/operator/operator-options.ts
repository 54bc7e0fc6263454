/** The options of every command of the operator's. */
export interface OperatorOptions {
  readonly url?: string
  /** Answer with one object. */
  readonly json?: boolean
}

/** The options of every command that is recorded. */
export interface RecordedOptions extends OperatorOptions {
  /** Who asks; recorded. */
  readonly operator?: string
  /** Why; recorded. */
  readonly reason?: string
}

/** The options of what takes two steps. */
export interface TwoStepOptions extends RecordedOptions {
  /** Confirm at once, without asking. */
  readonly yes?: boolean
}

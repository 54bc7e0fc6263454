/** Limits of a call of a language model. */
export interface ModelCallLimits {
  /** Timeout of the first part of the answer, in milliseconds. */
  readonly firstByteMs: number
  /** Timeout between two parts of the answer, in milliseconds. */
  readonly stallMs: number
  /** Maximum retries of a call without any response. */
  readonly maxRetries: number
}

/** The limits where nothing else is set. */
export const defaultModelCallLimits: ModelCallLimits = { firstByteMs: 60_000, stallMs: 60_000, maxRetries: 3 }

/** The most characters of one part of an answer. */
export const maxPartLength = 4_000_000

/** The most characters of a tool call's arguments. */
export const maxArgumentsLength = 500_000

/** The most characters of a whole answer; each part counts for some more than it has. */
export const maxAnswerLength = 64_000_000

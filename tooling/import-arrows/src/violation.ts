/** One place where the sources break a rule. */
export interface Violation {
  /** Relative to the checkout. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** `packages/core/src/x.ts:3 message`, one a line. */
export const describeViolations = (violations: readonly Violation[]): string[] =>
  violations.map(({ file, line, message }) => `${file}:${line} ${message}`)

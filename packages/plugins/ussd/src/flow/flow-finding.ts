/** What the linter found. */
export interface FlowFinding {
  /** An `error` is something people cannot read whole, or not in their language; a `warning` something to look at. */
  readonly severity: 'error' | 'warning'
  /** The screen's name, or `words.<name>` for the shared words. */
  readonly screen: string
  /** The language's code; undefined where it is the same in all. */
  readonly language?: string
  readonly problem: string
  /** How long it is, in septets of GSM-7 or in code units of UCS-2, where it is too long. */
  readonly used?: number
  /** How long it may be. */
  readonly limit?: number
}

/** A finding in one line: `error: home (sw): …`. */
export const findingText = ({ severity, screen, language, problem }: FlowFinding): string =>
  `${severity}: ${screen}${language === undefined ? '' : ` (${language})`}: ${problem}`

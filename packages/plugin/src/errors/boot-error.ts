import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** A reason why an oracle cannot start, without secrets. */
export interface BootProblem {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  /** The error in one line: `[boot-error] <headline>`. */
  readonly headline: string
  /** The cause and the remedy, a sentence or two per line. */
  readonly lines: readonly string[]
  /** The plugin with the error. */
  readonly plugin?: string | undefined
  /** The environment variable with the error. */
  readonly variable?: string
  /** The cause can pass without a change of settings, so a supervisor starts the oracle again. */
  readonly isTemporary?: true
}

/** Thrown by `createOracleApp` when an oracle cannot start: contains every problem once. */
export class BootError extends OracleError {
  readonly code = 'boot_failed'
  readonly problems: readonly BootProblem[]

  override get [errorKinds](): readonly ['oracle', 'boot'] {
    return ['oracle', 'boot']
  }

  constructor(problems: readonly BootProblem[], options?: ErrorOptions) {
    const distinct = distinctProblems(problems)
    super(bootErrorText(distinct), { problems: distinct.map(problem => problem.code) }, options)
    this.problems = distinct
  }
}

/** Returns the problems without duplicates: of two with the same headline the first stays. */
export const distinctProblems = (problems: readonly BootProblem[]): BootProblem[] => {
  const headlines = new Set<string>()
  return problems.filter(({ headline }) => !headlines.has(headline) && headlines.add(headline))
}

const bootErrorText = (problems: readonly BootProblem[]): string =>
  [
    ...problems.map(({ headline, lines }) => [headline, ...lines.map(line => `  ${line}`)].join('\n')),
    verdictText(problems.length),
  ].join('\n')

/** Returns the last line of a failed boot: `2 problems; the oracle did not start.` */
export const verdictText = (count: number): string =>
  `${count} ${count === 1 ? 'problem' : 'problems'}; the oracle did not start.`

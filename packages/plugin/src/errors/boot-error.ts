import { errorKinds } from './error-kind.ts'
import { OracleError } from './oracle-error.ts'

/** One reason why an oracle cannot start, ready to be printed. Holds no secret. */
export interface BootProblem {
  /** Stable, snake_case; listed in docs/reference/errors.md. */
  readonly code: string
  /** What is wrong, in one line: `[boot-error] <headline>`. */
  readonly headline: string
  /** What was found and how to put it right, a sentence or two a line. */
  readonly lines: readonly string[]
  /** The plugin at fault. */
  readonly plugin?: string
  /** The environment variable at fault. */
  readonly variable?: string
}

/** Thrown by `createOracleApp` when an oracle cannot start: carries every reason found, each once. */
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

/** The problems without repeats: of two with the same headline the first stays. */
export const distinctProblems = (problems: readonly BootProblem[]): BootProblem[] => {
  const headlines = new Set<string>()
  return problems.filter(({ headline }) => !headlines.has(headline) && headlines.add(headline))
}

const bootErrorText = (problems: readonly BootProblem[]): string =>
  [
    ...problems.map(({ headline, lines }) => [headline, ...lines.map(line => `  ${line}`)].join('\n')),
    verdictText(problems.length),
  ].join('\n')

/** The last line of a boot that failed: `2 problems, nothing was started.` */
export const verdictText = (count: number): string =>
  `${count} ${count === 1 ? 'problem' : 'problems'}; the oracle did not start.`

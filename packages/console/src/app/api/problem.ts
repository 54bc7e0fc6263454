/** A rejected request, as the oracle's problem document (RFC 9457) describes it. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Stable code of `docs/reference/errors.md`; `unreachable` if there was no response. */
  readonly code: string
  /** Seconds after which a repeated request may be accepted. */
  readonly retryAfter: number | undefined
  /** Every error of the request, by its place in the body. */
  readonly issues: readonly ProblemIssue[]

  constructor(
    status: number,
    code: string,
    detail: string,
    {
      retryAfter,
      issues = [],
    }: { readonly retryAfter?: number | undefined; readonly issues?: readonly ProblemIssue[] } = {},
  ) {
    super(detail)
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.issues = issues
  }
}

/** An error at a place: `/properties/fuel`. */
export interface ProblemIssue {
  readonly path: string
  readonly message: string
}

export const readProblem = async (response: Response): Promise<Problem> => {
  const text = await response.text().catch(() => '')
  const { code, detail, title, issues } = parse(text)
  const retryAfter = Number(response.headers.get('retry-after'))
  return new Problem(
    response.status,
    code ?? `http_${response.status}`,
    detail ?? title ?? `The oracle answered with status ${response.status}.`,
    { retryAfter: retryAfter > 0 ? retryAfter : undefined, issues: Array.isArray(issues) ? issues : [] },
  )
}

/** Returns the problem of a request without a response. */
export const unreachable = (cause: unknown): Problem => {
  const problem = new Problem(0, 'unreachable', 'The oracle does not respond.')
  problem.cause = cause
  return problem
}

/** Returns the reason why something failed, for the user. */
export const messageOf = (error: unknown): string => (error instanceof Problem ? error.message : String(error))

const parse = (
  text: string,
): { readonly code?: string; readonly detail?: string; readonly title?: string; readonly issues?: ProblemIssue[] } => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

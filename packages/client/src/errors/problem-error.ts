import type { problemSchema } from '@sibyl/protocol'
import type * as z from 'zod'
import { ClientError } from './client-error.ts'

/** The oracle answered with a problem (RFC 9457). `code` is the oracle's own, such as `turn_running`. */
export class ProblemError extends ClientError {
  readonly code: string
  /** The HTTP status. */
  readonly status: number
  /** The whole answer. */
  readonly problem: z.infer<typeof problemSchema>
  /** Seconds to wait before another try, where the oracle said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(problem: z.infer<typeof problemSchema>, retryAfterSeconds?: number) {
    super(problem.detail === undefined ? `${problem.title}.` : `${problem.title}: ${problem.detail}`)
    this.code = problem.code
    this.status = problem.status
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

import * as z from 'zod'

/** An error answer of the HTTP API: RFC 9457 with a stable `code` (see docs/reference/errors.md). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Stable, snake_case; what programs tell errors apart by. */
  code: z.string(),
  /** One sentence for a person: the culprit and the remedy, never a secret. */
  detail: z.string().optional(),
  requestId: z.string().optional(),
  /** The errors of the input; `path` is a JSON Pointer (RFC 6901), `/<name>` of a parameter. */
  issues: z.array(z.object({ path: z.string(), message: z.string(), code: z.string().optional() })).optional(),
})

import type { StorageError } from '@sibyl/storage'
import type { ProblemFacts } from './problem-response.ts'

/** Retry time for clients, in seconds. */
const retryAfterSeconds = 2

/**
 * Returns the response to a request that the database failed. All temporary errors have one code, so that clients need
 * not distinguish databases; the log has the exact one. A repeated request loses and duplicates nothing: a message is
 * identified by its id, a decision by its approval, each with a new invocation.
 */
export const storageProblem = (error: StorageError): ProblemFacts => {
  if (String(error.facts?.kind).includes('NUL'))
    return { status: 400, code: 'input_invalid', detail: 'A text of the request has a NUL character. Remove it.' }
  return error.status === 503
    ? {
        status: 503,
        code: 'storage_unavailable',
        detail: 'The database does not respond. Send the same request again in a moment, with a new invocation.',
        headers: { 'retry-after': String(retryAfterSeconds) },
      }
    : { status: error.status, code: error.code, detail: 'The database rejected this request.' }
}

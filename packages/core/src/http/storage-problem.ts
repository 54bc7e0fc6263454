import type { StorageError } from '@sibyl/storage'
import type { ProblemFacts } from './problem-response.ts'

/** How soon a client may try again, in seconds. */
const retryAfterSeconds = 2

/**
 * What a request is answered that the database failed. All that passes by itself has one code, so that clients need not
 * know the database; the log has the very one. Nothing is lost or done twice by sending the request again: a message by
 * its id, a decision by its approval, each under a new invocation.
 */
export const storageProblem = (error: StorageError): ProblemFacts =>
  error.status === 503
    ? {
        status: 503,
        code: 'storage_unavailable',
        detail: 'The database does not respond. Send the same request again in a moment, with a new invocation.',
        headers: { 'retry-after': String(retryAfterSeconds) },
      }
    : { status: error.status, code: error.code, detail: 'The database rejected this request.' }
